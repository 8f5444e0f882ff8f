import { type Kysely, sql } from 'kysely'
import { LedgerUnreachable } from './ledger-errors.ts'
import type { Schema } from './schema/schema.ts'

/** Rejects when the database does not answer. */
export async function ping(db: Kysely<Schema>): Promise<void> {
  try {
    await sql`select 1`.execute(db)
  } catch (cause) {
    throw new LedgerUnreachable(`The ledger does not answer: ${(cause as Error).message}`, { cause })
  }
}
