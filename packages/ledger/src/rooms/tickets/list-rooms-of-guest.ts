import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

/** Rooms in which a guest has a live ticket, as far as the log was followed. */
export async function listRoomsOfGuest(db: Kysely<Schema>, identity: string, max: number): Promise<string[]> {
  const rows = await runStatement<{ roomId: string }>(db, LIST_ROOMS_OF_GUEST, [identity, max])
  return rows.map(({ roomId }) => roomId)
}

const LIST_ROOMS_OF_GUEST = loadStatement(import.meta.url, 'list-rooms-of-guest.sql')
