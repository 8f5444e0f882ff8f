import type { Corrected } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

/**
 * What must be said of a room's live tickets to make them agree with who has reserved and who has paid. It is told to the
 * line and comes back in its log: until the ledger has that, every rebuild finds the same again.
 */
export async function readCorrections(db: Kysely<Schema>, room: string): Promise<Corrected[]> {
  const rows = await runStatement<Omit<Corrected, 'kind'>>(db, READ_CORRECTIONS, [room])
  return rows.map((row) => ({ kind: 'corrected', ...row }))
}

const READ_CORRECTIONS = loadStatement(import.meta.url, 'read-corrections.sql')
