import { seenUnit } from '../rules/presence.ts'
import { append, type Room, rankOf } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'

/** Counts a live, settled ticket as seen now. One that was away comes back to its place; true then. */
export function seeTicket(room: Room, ticket: Ticket, operation: string): boolean {
  ticket.seen = seenUnit(room.now, room.loadedAt)
  if (ticket.awayUntil === null) return false
  room.away.remove(ticket.awayUntil, ticket.number)
  ticket.awayUntil = null
  room.line.insert(ticket.place, ticket.number)
  append(room, operation, { kind: 'back', number: ticket.number, rank: rankOf(room, ticket) })
  return true
}
