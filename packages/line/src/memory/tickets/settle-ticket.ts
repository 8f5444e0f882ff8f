import type { Room } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { finishTicket } from './finish-ticket.ts'

/** Ends a live ticket whose time is over, so that nobody is shown a state that the log does not have. */
export function settleTicket(room: Room, ticket: Ticket, operation: string): void {
  if (ticket.floor !== null && ticket.floor.deadline <= room.now) finishTicket(room, ticket, 'timeout', operation)
  else if (ticket.awayUntil !== null && room.now > ticket.awayUntil) finishTicket(room, ticket, 'no_show', operation)
}
