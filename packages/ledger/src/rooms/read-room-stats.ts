import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

export interface RoomCounts {
  /** Waiting and present. */
  waiting: number
  away: number
  admitted: number
  active: number
  completed: number
  expired: number
  expiredBy: Record<string, number>
  /** From joining to being let in. */
  avgWaitMs: number | null
  /** From being let in to the end, of those who were. */
  avgServiceMs: number | null
  lastAdmissionAt: Date | null
}

/** Statistics of a room, counted from its tickets as the followed log left them. */
export async function readRoomStats(db: Kysely<Schema>, room: string): Promise<RoomCounts> {
  const [row] = await runStatement<RoomCounts>(db, READ_ROOM_STATS, [room])
  if (row === undefined) throw new Error(`The ledger has no room ${room}`)
  return row
}

const READ_ROOM_STATS = loadStatement(import.meta.url, 'read-room-stats.sql')
