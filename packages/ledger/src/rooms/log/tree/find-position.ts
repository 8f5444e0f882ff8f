import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../../engine/index.ts'

/** The position in a room's log right before the entry of an index: what comes after it begins with that entry. */
export async function findPosition(
  db: Kysely<Schema>,
  room: string,
  { before }: { readonly before: number },
): Promise<{ epoch: number; seq: number }> {
  const [row] = await runStatement<{ epoch: number; seq: number }>(db, FIND_POSITION, [room, before])
  return row ?? { epoch: 0, seq: 0 }
}

const FIND_POSITION = loadStatement(import.meta.url, 'find-position.sql')
