import { sql } from 'kysely'
import type { Ledger } from './ledger.ts'
import { readMigrations } from './migrate.ts'

/** Which version the schema has (0 when there is none), and which one this program needs. Changes nothing. */
export async function schemaVersions(ledger: Ledger): Promise<{ present: number; needed: number }> {
  const needed = await neededSchemaVersion()
  const { rows } = await sql<{
    exists: boolean
  }>`select to_regclass('schema_migrations') is not null as exists`.execute(ledger.db)
  if (rows[0]?.exists !== true) return { present: 0, needed }
  const newest = await ledger.db
    .selectFrom('schema_migrations')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst()
  return { present: newest?.version ?? 0, needed }
}

export async function neededSchemaVersion(): Promise<number> {
  const migrations = await readMigrations(new URL('../../migrations/', import.meta.url))
  return migrations.at(-1)?.version ?? 0
}
