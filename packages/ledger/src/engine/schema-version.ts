import { readStoredMigrations } from './compatibility.ts'
import type { Ledger } from './ledger.ts'
import { newestMigration } from './newest-migration.ts'

export interface SchemaVersions {
  /** The version that the schema has; 0 when there is none. */
  readonly present: number
  /** The newest one that this program knows. */
  readonly needed: number
  /** This program works with the schema: it is the same, or newer and compatible. */
  readonly fits: boolean
}

/** Which version the schema has, which one this program needs, and whether they fit. Changes nothing. */
export async function schemaVersions(ledger: Ledger): Promise<SchemaVersions> {
  const needed = newestMigration()
  const newest = (await readStoredMigrations(ledger.db)).at(-1)
  const present = newest?.version ?? 0
  const fits = present === needed || (newest !== undefined && present > needed && newest.works_from <= needed)
  return { present, needed, fits }
}
