import { type Kysely, sql } from 'kysely'
import { LedgerUnreachable } from './ledger-errors.ts'
import type { Schema } from './schema/schema.ts'

/**
 * Rejects unless the database accepts a write now: a standby, a read-only database and one that cannot write its log all
 * answer reads as if nothing were wrong. The message goes to the write-ahead log alone, into no table.
 */
export async function proveWritable(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ readOnly: string }>`
    select current_setting('transaction_read_only') as "readOnly", pg_logical_emit_message(true, 'seatwise', 'ready')
  `.execute(db)
  if (rows[0]?.readOnly !== 'off') throw new LedgerUnreachable('The ledger takes no writes: it is read-only')
}
