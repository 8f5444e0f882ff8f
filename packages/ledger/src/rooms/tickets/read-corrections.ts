import type { Corrected } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

/**
 * Corrections that make a room's live tickets agree with reservations and payments. They are sent to the line and come
 * back in its log: until the ledger has followed them, every rebuild finds the same ones.
 */
export async function readCorrections(db: Kysely<Schema>, room: string): Promise<Corrected[]> {
  const rows = await runStatement<Omit<Corrected, 'kind'>>(db, READ_CORRECTIONS, [room])
  return rows.map((row) => ({ kind: 'corrected', ...row }))
}

const READ_CORRECTIONS = loadStatement(import.meta.url, 'read-corrections.sql')
