import { Socket } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import { nameProgram } from '../compatibility.ts'
import { DEADLINES, type Deadlines, type OwnConnection } from '../deadlines.ts'
import type { Ledger, PostgresOptions, Primary } from '../ledger.ts'
import { LedgerUnreachable } from '../ledger-errors.ts'
import { newestMigration } from '../newest-migration.ts'
import { ping } from '../ping.ts'
import { countConnections, openPool, type PoolConfig } from '../pool.ts'
import { proveWritable } from '../prove-writable.ts'
import type { Schema } from '../schema/schema.ts'
import { refuseUnsuitable } from './refuse-unsuitable.ts'
import { ReplicaWatch } from './replica-watch.ts'

const POOL_MAX = 10
const CONNECT_MS = 5_000
/** PostgreSQL itself ends what takes too long; when it is silent for this much longer, it or the way to it is gone. */
const SILENCE_MS = 1_000

/** Opens a PostgreSQL server, and its replica when there is one. Refuses one that Seatwise cannot work with. */
export async function openPostgres(options: PostgresOptions): Promise<Ledger> {
  const pool = openPool(pooled(options, options.url, DEADLINES.sale))
  const db = onPool(pool)
  const replicaDb =
    options.replicaUrl === undefined ? undefined : openDatabase(replicaPool(options, options.replicaUrl))
  const watch = replicaDb === undefined ? undefined : new ReplicaWatch(db, replicaDb)
  const close = async (): Promise<void> => {
    await watch?.stop()
    await replicaDb?.destroy()
    await db.destroy()
  }
  try {
    await ping(db)
    await refuseUnsuitable(db)
    await watch?.start()
  } catch (error) {
    await close()
    if (!(error instanceof LedgerUnreachable)) throw error
    throw new LedgerUnreachable(`PostgreSQL at ${addressOf(options.url)} does not answer: ${causeOf(error)}`, {
      cause: error.cause,
    })
  }
  return {
    kind: 'postgres',
    db,
    pool,
    get replica() {
      return replicaDb === undefined || watch?.problem !== undefined ? db : replicaDb
    },
    get replicaProblem() {
      return watch?.problem
    },
    withOwnConnection: (kind, work) => withOwnConnection(options, kind, work),
    connections: () => countConnections(pool),
    ping: () => ping(db),
    proveWritable: () => proveWritable(db),
    copyTo: () => Promise.reject(new Error('PostgreSQL is backed up by its own tools.')),
    close,
  }
}

async function withOwnConnection<Result>(
  options: PostgresOptions,
  kind: OwnConnection,
  work: (primary: Primary) => Promise<Result>,
): Promise<Result> {
  const pool = openPool({
    ...connection(options, options.url),
    ...within(DEADLINES[kind]),
    max: 1,
    idleTimeoutMillis: 0,
  })
  const db = onPool(pool)
  try {
    return await work({ db, pool })
  } finally {
    await db.destroy()
  }
}

function openDatabase(config: PoolConfig): Kysely<Schema> {
  return onPool(openPool(config))
}

function onPool(pool: ReturnType<typeof openPool>): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
}

function pooled(options: PostgresOptions, url: string, usual: Deadlines): PoolConfig {
  const deadlines = { ...usual, ...options.deadlines }
  return {
    ...connection(options, url),
    ...within(deadlines),
    max: options.poolMax ?? POOL_MAX,
    stream: () => openSocket(deadlines.statementMs + SILENCE_MS),
  }
}

function within({ lockMs, statementMs, idleMs }: Deadlines): PoolConfig {
  return { lock_timeout: lockMs, statement_timeout: statementMs, idle_in_transaction_session_timeout: idleMs }
}

function replicaPool(options: PostgresOptions, url: string): PoolConfig {
  const config = pooled(options, url, DEADLINES.reads)
  return { ...config, options: `${config.options} -c default_transaction_read_only=on` }
}

function connection(options: PostgresOptions, url: string): PoolConfig {
  // Options in the URL would replace ours; both count, theirs last.
  const ours = ['-c timezone=UTC', ...searchPath(options.schema)]
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const theirs = parsed?.searchParams.get('options')
  const name = nameProgram(newestMigration(), parsed?.searchParams.get('application_name') ?? null)
  for (const taken of ['options', 'application_name']) parsed?.searchParams.delete(taken)
  return {
    connectionString: parsed?.href ?? url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    pipeline: true,
    options: [...ours, ...(theirs == null ? [] : [theirs])].join(' '),
  }
}

function searchPath(schema: string | undefined): string[] {
  if (schema === undefined) return []
  if (!/^[a-z_][a-z0-9_]*$/.test(schema)) throw new Error(`A schema is named like sale_2026, not ${schema}.`)
  // Extensions live in public: one database has each of them once.
  return [`-c search_path=${schema},public`]
}

function openSocket(silenceMs: number): Socket {
  const socket = new Socket()
  return socket.setTimeout(silenceMs, () => {
    socket.destroy(new Error(`PostgreSQL was silent for ${silenceMs} ms.`))
  })
}

/** Host and port for messages; never the credentials. */
function addressOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'the given address'
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}
