import type { Room } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'

/** The ticket was not seen in time: it leaves the line and keeps its place. The caller logs it. */
export function markAway(room: Room, ticket: Ticket): void {
  room.line.remove(ticket.place, ticket.number)
  ticket.away = true
  room.away.insert(ticket.place, ticket.number)
  room.oldestAway.note(ticket.number, ticket.seen)
}
