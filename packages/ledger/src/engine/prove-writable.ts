import { type Kysely, sql } from 'kysely'
import { LedgerUnreachable } from './ledger-errors.ts'
import type { Schema } from './schema/schema.ts'

/**
 * Rejects unless the database takes a write now: a standby, one that was made read-only, and one whose log cannot be
 * written answer questions as if nothing were wrong. The message goes to the write-ahead log alone; no table has it.
 */
export async function proveWritable(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ readOnly: string }>`
    select current_setting('transaction_read_only') as "readOnly", pg_logical_emit_message(true, 'seatwise', 'ready')
  `.execute(db)
  if (rows[0]?.readOnly !== 'off') throw new LedgerUnreachable('The ledger takes no writes: it is read-only')
}
