import type { Room } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { endTicket } from './end-ticket.ts'

/** Ends an overdue ticket on the floor, so that no answer shows a state that the log does not have. Rules L32 and M8. */
export function expireIfOverdue(room: Room, ticket: Ticket, operation: string): void {
  if (ticket.floor !== null && ticket.floor.deadline <= room.now) endTicket(room, ticket, 'timeout', operation)
}
