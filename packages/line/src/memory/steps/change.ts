import type { ChangeReply, DrawNote, RoomChange } from '../../contract.ts'
import type { Changed } from '../../log-entry.ts'
import { changePace } from '../rules/bucket.ts'
import { append, type Room } from '../state/room.ts'

/** Changes settings, pause, message or sale window, and says what verifiers need. Rules L33, L144, M17, J2 and J4. */
export function change(room: Room, { operation, onlyWhile, draw, announce: said, ...fields }: RoomChange): ChangeReply {
  const before = room.changes.get(operation)
  if (before !== undefined) return before
  if (isPast(room, onlyWhile)) return { seq: room.seq, isRefused: true }
  applySettings(room, fields.settings)
  if (fields.paused !== undefined) room.paused = fields.paused
  if (fields.held !== undefined) room.held = fields.held
  if (fields.message !== undefined) room.message = fields.message
  if (fields.opensAt !== undefined) room.opensAt = fields.opensAt
  if (fields.closesAt !== undefined) room.closesAt = fields.closesAt
  if (fields.joinsFrom !== undefined) room.joinsFrom = fields.joinsFrom
  const given = whatWasGiven(fields)
  if (Object.keys(given).length > 2) append(room, operation, given)
  if (draw !== undefined) announceDraw(room, draw, operation)
  if (said !== undefined) append(room, operation, said)
  const reply = { seq: room.seq, isRefused: false }
  room.changes.set(operation, reply)
  return reply
}

function isPast(room: Room, state: RoomChange['onlyWhile']): boolean {
  if (state === 'unstarted') return room.hasStarted
  if (state === 'empty') return room.tickets.size > 0
  const isSealed = room.draw !== null && room.draw.progress !== 'announced'
  return state === 'unsealed' && (isSealed || room.now >= room.opensAt)
}

function announceDraw(room: Room, note: DrawNote | null, operation: string): void {
  const { sealFrom = 0, drawnBelow = 0, progress = 'announced' } = room.draw ?? {}
  room.draw = note === null ? null : { sealFrom, drawnBelow, progress }
  if (note !== null) append(room, operation, { kind: 'draw', ...note })
}

/** The given fields as a log entry, without undefined ones; `kind` and `by` are always there. */
function whatWasGiven(fields: Omit<RoomChange, 'operation' | 'onlyWhile' | 'draw' | 'announce'>): Changed {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return { kind: 'changed', by: fields.by, ...given }
}

function applySettings(room: Room, settings: RoomChange['settings']): void {
  if (settings === undefined) return
  const next = { ...room.settings, ...settings }
  room.bucket = changePace(room.bucket, room.now, room.settings, next)
  room.settings = next
}
