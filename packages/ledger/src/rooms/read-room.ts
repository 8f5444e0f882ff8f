import type { EventState, RoomSettings } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

export interface RoomRow {
  id: string
  eventId: string | null
  organizationId: string
  name: string
  target: string | null
  settings: RoomSettings
  paused: boolean
  message: string | null
  epoch: number
  seq: number
  archivedAt: Date | null
  /** The sale window of the room's event, with its presale; a room without an event may have one of its own, else it is always open. */
  opensAt: Date | null
  closesAt: Date | null
  /** Until then only visitors with an access code join; null where there is no presale. */
  presaleUntil: Date | null
  /** Until then guests of the event keep their identity; null for a room without one. */
  guestsUntil: Date | null
  /** Some seat types of the event are in no public answer. */
  hidesSeats: boolean
  /** Of the event; null for a room without one. */
  state: EventState | null
}

/** A room by its own id, or by its event's. Null when there is none. */
export async function readRoom(
  db: Kysely<Schema>,
  by: { roomId: string } | { eventId: string },
): Promise<RoomRow | null> {
  const parameters = 'roomId' in by ? [by.roomId, null] : [null, by.eventId]
  const [row] = await runStatement<RoomRow>(db, READ_ROOM, parameters)
  return row ?? null
}

/** Rooms in which the server must admit and expire without a request: not archived, not closed for over an hour. */
export async function listOpenRooms(
  db: Kysely<Schema>,
  max: number,
): Promise<{ id: string; state: EventState | null }[]> {
  return await runStatement<{ id: string; state: EventState | null }>(db, LIST_OPEN_ROOMS, [max])
}

const READ_ROOM = loadStatement(import.meta.url, 'read-room.sql')
const LIST_OPEN_ROOMS = loadStatement(import.meta.url, 'list-open-rooms.sql')
