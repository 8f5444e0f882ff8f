import type { RoomChange } from '../../contract.ts'
import type { Changed } from '../../log-entry.ts'
import { changePace } from '../rules/bucket.ts'
import { append, type Room } from '../state/room.ts'

/** Changes settings, pause, message or sale window. Rules L33 and M17. */
export function change(room: Room, { operation, ...fields }: RoomChange): { seq: number } {
  const before = room.changes.get(operation)
  if (before !== undefined) return before
  applySettings(room, fields.settings)
  if (fields.paused !== undefined) room.paused = fields.paused
  if (fields.held !== undefined) room.held = fields.held
  if (fields.message !== undefined) room.message = fields.message
  if (fields.opensAt !== undefined) room.opensAt = fields.opensAt
  if (fields.closesAt !== undefined) room.closesAt = fields.closesAt
  const given = whatWasGiven(fields)
  if (Object.keys(given).length > 2) append(room, operation, given)
  const reply = { seq: room.seq }
  room.changes.set(operation, reply)
  return reply
}

/** The given fields as a log entry, without undefined ones; `kind` and `by` are always there. */
function whatWasGiven(fields: Omit<RoomChange, 'operation'>): Changed {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return { kind: 'changed', by: fields.by, ...given }
}

function applySettings(room: Room, settings: RoomChange['settings']): void {
  if (settings === undefined) return
  const next = { ...room.settings, ...settings }
  room.bucket = changePace(room.bucket, room.now, room.settings, next)
  room.settings = next
}
