import type { EndReply, EndRequest } from '../../contract.ts'
import type { Room } from '../state/room.ts'
import { endTicket } from '../tickets/end-ticket.ts'
import { findForAct, findTicket, isRefusal } from '../tickets/find-ticket.ts'
import { viewTicket } from '../tickets/view-ticket.ts'

/** Ends a ticket: the visitor leaves or completes, the buyer has paid, or an operator terminates. Rules L9–L11, L52 and M12. */
export function end(room: Room, request: EndRequest): EndReply {
  const { number, operation } = request
  const as = request.as === 'paid' ? 'completed' : request.as
  const ticket =
    as === 'terminated' || request.as === 'paid'
      ? (findTicket(room, number, null, operation) ?? { status: 'unknown' as const, seq: room.seq })
      : findForAct(room, request, operation)
  if (isRefusal(ticket)) return ticket
  if (!room.tickets.has(number)) return { status: 'was_ended', ...viewTicket(room, ticket) }
  if (as === 'completed' && ticket.floor === null) return { status: 'not_on_floor', ...viewTicket(room, ticket) }
  endTicket(room, ticket, as, operation)
  return { status: 'ended', ...viewTicket(room, ticket) }
}
