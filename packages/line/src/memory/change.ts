import type { RoomChange } from '../contract.ts'
import type { Changed } from '../log-entry.ts'
import { changePace } from './bucket.ts'
import { findTicket } from './find-ticket.ts'
import { moveDeadline } from './move-deadline.ts'
import { append, type Room } from './room.ts'

/** Changes how the room behaves, and which tickets hold a reservation. Rules L33, M14 and M17. */
export function change(room: Room, { operation, reserved, ...fields }: RoomChange): { seq: number } {
  const before = room.changes.get(operation)
  if (before !== undefined) return before
  applySettings(room, fields.settings)
  if (fields.paused !== undefined) room.paused = fields.paused
  if (fields.held !== undefined) room.held = fields.held
  if (fields.message !== undefined) room.message = fields.message
  if (fields.opensAt !== undefined) room.opensAt = fields.opensAt
  if (fields.closesAt !== undefined) room.closesAt = fields.closesAt
  if (fields.stock !== undefined) room.stock = fields.stock
  if (fields.soldOut !== undefined) room.soldOut = fields.soldOut
  const given = whatWasGiven(fields)
  if (Object.keys(given).length > 2) append(room, operation, given)
  for (const { number, until } of reserved ?? []) reserve(room, number, until, operation)
  const reply = { seq: room.seq }
  room.changes.set(operation, reply)
  return reply
}

/** Without fields that are undefined, as a log entry; `kind` and `by` are always there. */
function whatWasGiven(fields: Omit<RoomChange, 'operation' | 'reserved'>): Changed {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return { kind: 'changed', by: fields.by, ...given }
}

function applySettings(room: Room, settings: RoomChange['settings']): void {
  if (settings === undefined) return
  const next = { ...room.settings, ...settings }
  room.bucket = changePace(room.bucket, room.now, room.settings, next)
  room.settings = next
}

function reserve(room: Room, number: number, until: number | null, operation: string): void {
  const floor = findTicket(room, number, null, operation)?.floor ?? null
  if (floor === null) return
  const isSame = until === null ? !floor.reserved : floor.reserved && floor.deadline === until
  if (isSame) return
  if (floor.reserved !== (until !== null)) room.unreserved += until === null ? 1 : -1
  floor.reserved = until !== null
  moveDeadline(room, number, floor, until ?? floor.sessionDeadline)
  append(room, operation, { kind: 'reserved', number, deadline: until })
}
