import { type Ledger, runStatement } from '@seatwise/ledger'
import type { Config } from '../../config/index.ts'
import { isLoopback } from '../../kit/index.ts'
import { bad, type Finding, good, weak } from './finding.ts'
import { judgeClock } from './judge-clock.ts'

const VERSION_MIN = 15
/** The most a process uses. */
const CONNECTIONS_PER_WORKER = 10
/** Two servers, and some connections for operators, should fit. */
const SERVERS_MIN = 3

/** PostgreSQL's settings, as far as a sale depends on them. */
export interface PostgresFacts {
  readonly version: string
  readonly isolation: string
  readonly fsync: string
  readonly full_page_writes: string
  readonly synchronous_commit: string
  readonly max_connections: string
  readonly in_recovery: boolean
  readonly is_encrypted: boolean
  readonly standbys: number
  readonly slots: number
  /** The names of replication slots without a consumer. */
  readonly idle_slots: string
  /** `max_slot_wal_keep_size`; -1 keeps WAL for slots until the disk is full. */
  readonly slot_wal_max: string
}

const FACTS = {
  name: 'doctor-facts',
  sql: `
    select current_setting('server_version') as version,
           current_setting('default_transaction_isolation') as isolation,
           current_setting('fsync') as fsync,
           current_setting('full_page_writes') as full_page_writes,
           current_setting('synchronous_commit') as synchronous_commit,
           current_setting('max_connections') as max_connections,
           pg_is_in_recovery() as in_recovery,
           coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as is_encrypted,
           (select count(*)::int
              from pg_stat_replication
             where not exists (select from pg_replication_slots
                                where active_pid = pg_stat_replication.pid and slot_type = 'logical')) as standbys,
           (select count(*)::int from pg_replication_slots) as slots,
           (select coalesce(string_agg(slot_name, ', ' order by slot_name), '')
              from pg_replication_slots where not active) as idle_slots,
           current_setting('max_slot_wal_keep_size') as slot_wal_max`,
}

export async function judgePostgres(ledger: Ledger, config: Config, now: () => number = Date.now): Promise<Finding[]> {
  if (config.databaseUrl === null) return []
  const [facts] = await runStatement<PostgresFacts>(ledger.db, FACTS, [])
  if (facts === undefined) return []
  const readMs = async () => {
    const sql = 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms'
    return (await runStatement<{ ms: number }>(ledger.db, { name: 'doctor-clock', sql }, []))[0]?.ms ?? 0
  }
  return [...judgePostgresFacts(facts, config.databaseUrl, config.workers), await judgeClock('ledger', readMs, now)]
}

export function judgePostgresFacts(facts: PostgresFacts, url: string, workers = 1): Finding[] {
  return [
    judgeVersion(facts),
    judgeRole(facts),
    judgeDurability(facts),
    judgeIsolation(facts),
    judgeConnections(facts, workers),
    judgeStandbys(facts),
    judgeSlots(facts),
    judgeEncryption(facts, url),
  ]
}

function judgeVersion({ version }: PostgresFacts): Finding {
  const what = 'ledger version'
  return Number.parseInt(version, 10) >= VERSION_MIN
    ? good(what, version)
    : bad(what, 'ledgerOld', { version, needed: String(VERSION_MIN) })
}

function judgeRole({ in_recovery }: PostgresFacts): Finding {
  if (!in_recovery) return good('ledger role', 'primary')
  return bad('ledger role', 'ledgerStandby')
}

/** A paid ticket is safe only if a commit means that it is on the disk. */
function judgeDurability({ fsync, full_page_writes, synchronous_commit }: PostgresFacts): Finding {
  const what = 'ledger durability'
  const off = Object.entries({ fsync, full_page_writes, synchronous_commit }).filter(([, value]) => value === 'off')
  if (off.length === 0) return good(what, 'a commit is on the disk')
  const names = off.map(([name]) => name).join(', ')
  return bad(what, 'ledgerForgets', { names })
}

function judgeIsolation({ isolation }: PostgresFacts): Finding {
  const what = 'ledger isolation'
  if (isolation === 'read committed') return good(what, isolation)
  return bad(what, 'ledgerIsolation', { isolation })
}

function judgeConnections({ max_connections }: PostgresFacts, workers: number): Finding {
  const what = 'ledger connections'
  const each = CONNECTIONS_PER_WORKER * workers
  const needed = SERVERS_MIN * each
  const servers = Math.floor((Number(max_connections) - CONNECTIONS_PER_WORKER / 2) / each)
  const said = `max_connections is ${max_connections}; a server takes ${each}`
  if (Number(max_connections) >= needed) return good(what, `${said}, so that ${servers} fit`)
  return bad(what, 'ledgerConnections', { max: max_connections, each: String(each), needed: String(needed) })
}

function judgeStandbys({ standbys }: PostgresFacts): Finding {
  const what = 'ledger standbys'
  if (standbys > 0) return good(what, `${standbys}`)
  return weak(what, 'ledgerAlone')
}

/** For a slot that is not consumed PostgreSQL keeps all WAL, on the disk that the sale writes to. */
function judgeSlots({ slots, idle_slots, slot_wal_max }: PostgresFacts): Finding {
  const what = 'ledger slots'
  if (idle_slots !== '') return weak(what, 'ledgerSlotsIdle', { names: idle_slots })
  if (slots > 0 && slot_wal_max === '-1') return weak(what, 'ledgerSlotsUnbounded')
  return good(what, slots === 0 ? 'no replication slot' : `${slots}, all consumed`)
}

function judgeEncryption({ is_encrypted }: PostgresFacts, url: string): Finding {
  const what = 'ledger encryption'
  if (is_encrypted) return good(what, 'the connection is encrypted')
  if (isLoopback(new URL(url).hostname)) return good(what, 'the connection does not leave this machine')
  return weak(what, 'ledgerPlain')
}
