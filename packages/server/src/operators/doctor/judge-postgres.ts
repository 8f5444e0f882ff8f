import { type Ledger, runStatement } from '@seatwise/ledger'
import type { Config } from '../../config/index.ts'
import { isLoopback } from '../../kit/index.ts'
import { bad, type Finding, good, weak } from './finding.ts'
import { judgeClock } from './judge-clock.ts'

const VERSION_MIN = 15
/** The most a server uses; two servers, and some connections for operators, should fit. */
const CONNECTIONS_PER_SERVER = 10
const CONNECTIONS_MIN = 3 * CONNECTIONS_PER_SERVER

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
           (select count(*)::int from pg_stat_replication) as standbys`,
}

export async function judgePostgres(ledger: Ledger, config: Config, now: () => number = Date.now): Promise<Finding[]> {
  if (config.databaseUrl === null) return []
  const [facts] = await runStatement<PostgresFacts>(ledger.db, FACTS, [])
  if (facts === undefined) return []
  const readMs = async () => {
    const sql = 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms'
    return (await runStatement<{ ms: number }>(ledger.db, { name: 'doctor-clock', sql }, []))[0]?.ms ?? 0
  }
  return [...judgePostgresFacts(facts, config.databaseUrl), await judgeClock('ledger', readMs, now)]
}

export function judgePostgresFacts(facts: PostgresFacts, url: string): Finding[] {
  return [
    judgeVersion(facts),
    judgeRole(facts),
    judgeDurability(facts),
    judgeIsolation(facts),
    judgeConnections(facts),
    judgeStandbys(facts),
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

function judgeConnections({ max_connections }: PostgresFacts): Finding {
  const what = 'ledger connections'
  const servers = Math.floor((Number(max_connections) - CONNECTIONS_PER_SERVER / 2) / CONNECTIONS_PER_SERVER)
  const said = `max_connections is ${max_connections}; a server takes ${CONNECTIONS_PER_SERVER}`
  if (Number(max_connections) >= CONNECTIONS_MIN) return good(what, `${said}, so that ${servers} fit`)
  const facts = { max: max_connections, each: String(CONNECTIONS_PER_SERVER), needed: String(CONNECTIONS_MIN) }
  return bad(what, 'ledgerConnections', facts)
}

function judgeStandbys({ standbys }: PostgresFacts): Finding {
  const what = 'ledger standbys'
  if (standbys > 0) return good(what, `${standbys}`)
  return weak(what, 'ledgerAlone')
}

function judgeEncryption({ is_encrypted }: PostgresFacts, url: string): Finding {
  const what = 'ledger encryption'
  if (is_encrypted) return good(what, 'the connection is encrypted')
  if (isLoopback(new URL(url).hostname)) return good(what, 'the connection does not leave this machine')
  return weak(what, 'ledgerPlain')
}
