import { arch, availableParallelism, platform, release, totalmem } from 'node:os'
import { connectToRunningServer, type Ledger, LedgerLocked, runStatement } from '@seatwise/ledger'
import {
  type Config,
  createLog,
  type Finding,
  openConfiguredLedger,
  openConfiguredRedis,
  VERSION,
} from '@seatwise/server'
import { explainFailure } from '../explain-failure.ts'
import { describeSettings } from './describe-settings.ts'

/**
 * What a helper needs to know of a deployment. Everything in it is named here: nothing is copied from where a secret
 * or something about a person may be, so that nothing has to be taken out again.
 */
export async function makeBundle(config: Config, findings: readonly Finding[]): Promise<Record<string, unknown>> {
  return {
    format: 1,
    madeAt: new Date().toISOString(),
    program: { version: VERSION, node: process.version },
    machine: {
      system: `${platform()} ${release()} ${arch()}`,
      cores: availableParallelism(),
      memoryBytes: totalmem(),
    },
    settings: describeSettings(config),
    findings: findings.map(({ what, verdict, says }) => ({ what, verdict, says })),
    ledger: await askedOr(() => describeLedger(config)),
    redis: await askedOr(() => describeRedis(config)),
  }
}

/** A part that does not answer is what the bundle is made for. */
async function askedOr<Result>(ask: () => Promise<Result>): Promise<Result | { problem: string }> {
  try {
    return await ask()
  } catch (error) {
    return { problem: explainFailure(error) }
  }
}

interface Statement {
  readonly name: string
  readonly sql: string
}

const MIGRATIONS = {
  name: 'bundle-migrations',
  sql: 'select version, name, applied_at as "appliedAt" from schema_migrations order by version',
}
const TABLES = {
  name: 'bundle-tables',
  sql: `select relname as name, greatest(reltuples, 0)::float8 as rows, pg_total_relation_size(oid)::float8 as bytes
          from pg_class
         where relkind = 'r' and relnamespace = current_schema()::regnamespace
         order by relname`,
}
const COUNTS = {
  name: 'bundle-counts',
  sql: `select 'events' as of, state as state, count(*)::float8 as count from events group by state
        union all select 'reservations', status, count(*) from reservations group by status
        union all select 'purchases', status, count(*) from purchases group by status
        union all select 'tickets', state, count(*) from queue_entries group by state
         order by 1, 2`,
}
/** Settings that say how PostgreSQL keeps and shares things; none of them can hold a password or a command. */
const TUNING = {
  name: 'bundle-tuning',
  sql: `select name, setting, coalesce(unit, '') as unit
          from pg_settings
         where name in ('server_version', 'max_connections', 'shared_buffers', 'work_mem', 'effective_cache_size', 'fsync',
                        'synchronous_commit', 'full_page_writes', 'wal_level', 'archive_mode', 'archive_timeout',
                        'max_wal_size', 'checkpoint_timeout', 'autovacuum', 'default_transaction_isolation',
                        'max_slot_wal_keep_size', 'random_page_cost', 'TimeZone')
         order by name`,
}

async function describeLedger(config: Config): Promise<Record<string, unknown>> {
  let ledger: Ledger
  try {
    ledger = await openConfiguredLedger(config)
  } catch (error) {
    if (!(error instanceof LedgerLocked)) throw error
    const server = await connectToRunningServer(error.folder)
    if (server === undefined) throw error
    return await describeParts(({ sql }) => server.query(sql, []), { inUseBy: server.status.version })
  }
  try {
    return await describeParts(async (statement) => await runStatement(ledger.db, statement, []), { kind: ledger.kind })
  } finally {
    await ledger.close()
  }
}

async function describeParts(
  read: (statement: Statement) => Promise<readonly object[]>,
  known: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const parts = { migrations: MIGRATIONS, tables: TABLES, counts: COUNTS, tuning: TUNING }
  const found: Record<string, unknown> = { ...known }
  for (const [name, statement] of Object.entries(parts)) found[name] = await askedOr(() => read(statement))
  return found
}

/** Of INFO: not the file names, addresses and clients that are in it. */
const REDIS_FACTS =
  /^(?:redis_version|redis_mode|uptime_in_seconds|connected_clients|blocked_clients|used_memory|used_memory_peak|maxmemory|maxmemory_policy|mem_fragmentation_ratio|aof_enabled|aof_last_write_status|rdb_last_bgsave_status|instantaneous_ops_per_sec|rejected_connections|evicted_keys|expired_keys|role|connected_slaves|cluster_enabled|latest_fork_usec|total_error_replies):/

async function describeRedis(config: Config): Promise<Record<string, string> | null> {
  const redis = await openConfiguredRedis(config, createLog({ ...config, logLevel: 'silent' }))
  if (redis === null) return null
  try {
    const lines = String(await redis.send(null, ['INFO'])).split(/\r?\n/)
    return Object.fromEntries(
      lines.filter((line) => REDIS_FACTS.test(line)).map((line) => line.split(':', 2) as [string, string]),
    )
  } finally {
    await redis.close()
  }
}
