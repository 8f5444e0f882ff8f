import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../../engine/index.ts'
import { canonical, fromStored, type StoredEntry } from '../canonical.ts'

/** The entry of a room's log that a receipt is about: its place in the log and its text. Null before the ledger has it. */
export async function readDrawing(
  db: Kysely<Schema>,
  room: string,
  number: number,
): Promise<{ readonly index: number; readonly entry: string } | null> {
  const [row] = await runStatement<StoredEntry & { index: number }>(db, READ_DRAWING, [room, number])
  return row === undefined ? null : { index: row.index, entry: canonical(fromStored(row)) }
}

const READ_DRAWING = loadStatement(import.meta.url, 'read-drawing.sql')
