import type { Room } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { endTicket } from './end-ticket.ts'

/** Ends a live ticket whose time is over, so that nobody is shown a state that the log does not have. */
export function expireIfOverdue(room: Room, ticket: Ticket, operation: string): void {
  if (ticket.floor !== null && ticket.floor.deadline <= room.now) endTicket(room, ticket, 'timeout', operation)
  else if (ticket.awayUntil !== null && room.now > ticket.awayUntil) endTicket(room, ticket, 'no_show', operation)
}
