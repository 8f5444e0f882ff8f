import type { EnterReply, TicketAct } from '../../contract.ts'
import { append, type Room } from '../state/room.ts'
import { findForAct, isRefusal } from '../tickets/find-ticket.ts'
import { moveDeadline } from '../tickets/move-deadline.ts'
import { viewTicket } from '../tickets/view-ticket.ts'

const OPERATION = 'enter'

/** Makes an admitted ticket active. A reservation's deadline stays; otherwise the session's begins. Rules M8, M10 and M14. */
export function enter(room: Room, act: TicketAct): EnterReply {
  const found = findForAct(room, act, OPERATION)
  if (isRefusal(found)) return found
  const { ticket } = found
  if (ticket.floor === null) return { status: 'not_admitted', ...viewTicket(room, found) }
  if (ticket.state === 'admitted') {
    ticket.state = 'active'
    room.admitted--
    ticket.floor.sessionDeadline = room.now + room.settings.sessionSeconds * 1_000
    if (ticket.floor.reservedSeats === 0) moveDeadline(room, ticket.number, ticket.floor, ticket.floor.sessionDeadline)
    append(room, OPERATION, { kind: 'entered', number: ticket.number, deadline: ticket.floor.sessionDeadline })
  }
  return { status: 'active', ...viewTicket(room, found) }
}
