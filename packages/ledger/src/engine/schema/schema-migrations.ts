import type { Generated } from 'kysely'
import type { StampedTime } from './schema-columns.ts'

export interface SchemaMigrationsTable {
  version: number
  name: string
  checksum: string
  applied_at: StampedTime
  /** The lowest schema that a program must know to work with the ledger from here on: see compatibility.ts. */
  works_from: Generated<number>
}
