import type { EndReply, EndRequest } from '../../contract.ts'
import type { Room } from '../state/room.ts'
import { endTicket } from '../tickets/end-ticket.ts'
import { findForAct, findTicket, isRefusal } from '../tickets/find-ticket.ts'
import { leaveGroup, peopleOf } from '../tickets/group.ts'
import { viewTicket } from '../tickets/view-ticket.ts'

/** Ends a ticket: the visitor leaves or completes, the buyer has paid, or an operator terminates. Rules L9–L11, L52, L152 and M12. */
export function end(room: Room, request: EndRequest): EndReply {
  const { number, operation } = request
  const as = request.as === 'paid' ? 'completed' : request.as
  const found =
    as === 'terminated' || request.as === 'paid'
      ? (findTicket(room, number, null, operation) ?? { status: 'unknown' as const, seq: room.seq })
      : findForAct(room, request, operation)
  if (isRefusal(found)) return found
  const { ticket } = found
  if (!room.tickets.has(ticket.number)) return { status: 'was_ended', ...viewTicket(room, found) }
  if (as === 'completed' && ticket.floor === null) return { status: 'not_on_floor', ...viewTicket(room, found) }
  if (as === 'cancelled' && peopleOf(ticket).length > 1) {
    const left = leaveGroup(room, found, operation)
    return { status: 'ended', ...viewTicket(room, { ticket: left, own: left }) }
  }
  endTicket(room, ticket, as, operation)
  return { status: 'ended', ...viewTicket(room, found) }
}
