import { seenUnit } from '../rules/presence.ts'
import { append, type Room, rankOf } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { leaveAway } from './end-ticket.ts'

/** Marks a live ticket as seen; it must not be overdue. An away ticket comes back to its place: then true. Rules L15, L16. */
export function seeTicket(room: Room, ticket: Ticket, operation: string): boolean {
  if (!ticket.away) {
    ticket.seen = seenUnit(room)
    return false
  }
  append(room, operation, { kind: 'back', numbers: [ticket.number], ranks: [bringBack(room, ticket)] })
  return true
}

/** An away ticket returns to its old place; the caller logs it. Returns its rank there. */
export function bringBack(room: Room, ticket: Ticket): number {
  ticket.seen = seenUnit(room)
  leaveAway(room, ticket)
  room.line.insert(ticket.place, ticket.number)
  room.oldestWaiting.note(ticket.number, ticket.seen)
  return rankOf(room, ticket)
}
