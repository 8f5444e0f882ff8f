import type { LookQuestion, TicketView } from '../../contract.ts'
import type { Room } from '../state/room.ts'
import { findTicket } from '../tickets/find-ticket.ts'
import { seeTicket } from '../tickets/see-ticket.ts'
import { viewTicket, viewUnknown } from '../tickets/view-ticket.ts'

const OPERATION = 'look'

/** Answers with the state and position of a ticket. Rules L11, L15, L16, L22, L28 and L32. */
export function look(room: Room, { number, identity, generation, heartbeat }: LookQuestion): TicketView {
  const found = findTicket(room, number, identity, OPERATION)
  if (found === undefined) return viewUnknown(room, number)
  const { ticket, own } = found
  const isHeartbeat = heartbeat && generation >= own.generation && ticket.state === 'waiting'
  const back = isHeartbeat && seeTicket(room, ticket, OPERATION)
  return { ...viewTicket(room, found), back }
}
