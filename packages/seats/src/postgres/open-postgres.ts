import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Ledger, PostgresOptions } from '../ledger.ts'
import { openPool, type PoolConfig } from '../pool.ts'
import type { Schema } from '../schema.ts'

export async function openPostgres(options: PostgresOptions): Promise<Ledger> {
  const db = openDatabase(options, options.url, '')
  const replica =
    options.replicaUrl === undefined
      ? db
      : openDatabase(options, options.replicaUrl, ' -c default_transaction_read_only=on')
  const ping = async (): Promise<void> => {
    await sql`select 1`.execute(db)
  }
  await ping()
  return {
    kind: 'postgres',
    db,
    replica,
    replicaProblem: undefined,
    ping,
    async close() {
      if (replica !== db) await replica.destroy()
      await db.destroy()
    },
  }
}

function openDatabase(options: PostgresOptions, url: string, more: string): Kysely<Schema> {
  const searchPath = options.schema === undefined ? '' : ` -c search_path=${options.schema},public`
  const config: PoolConfig = {
    connectionString: url,
    max: options.poolMax ?? 10,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    options: `-c timezone=UTC${searchPath}${more}`,
  }
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPool(config) }) })
}
