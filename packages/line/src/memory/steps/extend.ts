import type { ExtendReply, ExtendRequest } from '../../contract.ts'
import { append, type Room } from '../state/room.ts'
import { findForAct, isRefusal } from '../tickets/find-ticket.ts'
import { moveDeadline } from '../tickets/move-deadline.ts'
import { viewTicket } from '../tickets/view-ticket.ts'

/** Gives a ticket more time on the floor, once; the session's deadline moves with it. Rule M13. */
export function extend(room: Room, request: ExtendRequest): ExtendReply {
  const found = findForAct(room, request, request.operation)
  if (isRefusal(found)) return found
  const { ticket } = found
  const { floor } = ticket
  if (floor === null) return { status: 'not_on_floor', ...viewTicket(room, found) }
  if (ticket.extended && floor.extendedBy !== request.operation) {
    return { status: 'already_extended', ...viewTicket(room, found) }
  }
  if (!ticket.extended) {
    ticket.extended = true
    floor.extendedBy = request.operation
    floor.sessionDeadline += request.byMs
    moveDeadline(room, ticket.number, floor, floor.deadline + request.byMs)
    const { deadline, sessionDeadline: sessionEnd } = floor
    append(room, request.operation, { kind: 'extended', number: ticket.number, deadline, sessionEnd })
  }
  return { status: 'extended', ...viewTicket(room, found) }
}
