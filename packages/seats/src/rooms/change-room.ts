import type { RoomSettings } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import { loadStatement, runStatement } from '../statement.ts'
import { type RoomRow, readRoom } from './read-room.ts'

export interface RoomEdit {
  readonly settings?: Partial<RoomSettings>
  readonly paused?: boolean
  readonly message?: string | null
}

/** Writes what an operator changed, so that it survives the line. What is not given stays as it is. */
export async function changeRoom(db: Kysely<Schema>, room: string, edit: RoomEdit): Promise<RoomRow> {
  await runStatement(db, CHANGE_ROOM, [
    room,
    JSON.stringify(edit.settings ?? {}),
    edit.paused ?? null,
    edit.message !== undefined,
    edit.message ?? null,
  ])
  const row = await readRoom(db, { roomId: room })
  if (row === null) throw new Error(`The ledger has no room ${room}`)
  return row
}

const CHANGE_ROOM = loadStatement(import.meta.url, 'change-room.sql')
