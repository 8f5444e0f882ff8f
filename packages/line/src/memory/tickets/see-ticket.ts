import { seenUnit } from '../rules/presence.ts'
import { append, type Room, rankOf } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'

/** Marks a live ticket as seen; it must not be overdue. An away ticket comes back to its place: then true. Rules L15, L16. */
export function seeTicket(room: Room, ticket: Ticket, operation: string): boolean {
  ticket.seen = seenUnit(room.now, room.loadedAt)
  if (ticket.awayUntil === null) return false
  room.away.remove(ticket.awayUntil, ticket.number)
  ticket.awayUntil = null
  room.line.insert(ticket.place, ticket.number)
  append(room, operation, { kind: 'back', number: ticket.number, rank: rankOf(room, ticket) })
  return true
}
