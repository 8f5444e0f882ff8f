import { isDeepStrictEqual } from 'node:util'
import { type RoomSettings, SeatwiseError } from '@seatwise/domain'
import { type RoomRow, readRoom, readTrail, type TrailEntry } from '@seatwise/ledger'
import type { BoxOfficeServices } from '../../box-office/index.ts'
import type { Actor } from '../../http/index.ts'
import type { Room } from '../../rooms/index.ts'

/** Restores the values that a room had before a change, as a new change. */
export async function undoAction(
  { ledger }: Pick<BoxOfficeServices, 'ledger'>,
  room: Room,
  id: number,
  actor: Actor,
): Promise<Record<string, unknown>> {
  const [entry] = await readTrail(
    ledger.db,
    { eventId: room.row.eventId, roomId: room.id },
    { before: id + 1, limit: 1 },
  )
  if (entry === undefined || entry.id !== id) {
    throw new SeatwiseError('NOT_FOUND', { message: 'There is no such act in this trail' })
  }
  const row = await readRoom(ledger.db, { roomId: room.id })
  if (row === null) throw new Error(`The ledger has no room ${room.id}`)
  requireUndoable(entry, row)
  const { paused, message, ...settings } = entry.before
  await room.change(
    {
      by: actor.id,
      // The trail stores the room's own values, so these have the room's types.
      settings: settings as Partial<RoomSettings>,
      ...(paused === undefined ? {} : { paused: paused as boolean }),
      ...(message === undefined ? {} : { message: message as string | null }),
    },
    id,
  )
  return { id: room.id, undone: id, ...entry.before }
}

function requireUndoable(entry: TrailEntry, { settings, paused, message }: RoomRow): void {
  if (entry.kind !== 'room.changed') {
    throw new SeatwiseError('CANNOT_UNDO', { message: 'Only a change of a room can be taken back' })
  }
  if (entry.undoneBy !== null) throw new SeatwiseError('CANNOT_UNDO', { message: 'This was taken back already' })
  const current: Record<string, unknown> = { ...settings, paused, message }
  const changed = Object.entries(entry.after).filter(([name, value]) => !isDeepStrictEqual(current[name], value))
  if (changed.length > 0) {
    const names = changed.map(([name]) => name)
    throw new SeatwiseError('CANNOT_UNDO', {
      message: `Changed again since: ${names.join(', ')}`,
      details: { changed: names },
    })
  }
}
