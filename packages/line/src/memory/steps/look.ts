import type { LookQuestion, TicketView } from '../../contract.ts'
import type { Room } from '../state/room.ts'
import { findTicket } from '../tickets/find-ticket.ts'
import { seeTicket } from '../tickets/see-ticket.ts'
import { viewTicket, viewUnknown } from '../tickets/view-ticket.ts'

const OPERATION = 'look'

/** Answers where a ticket stands. Rules L15–L17, L22 and L28. */
export function look(room: Room, { number, identity, generation, heartbeat }: LookQuestion): TicketView {
  const ticket = findTicket(room, number, identity, OPERATION)
  if (ticket === undefined) return viewUnknown(room, number)
  const isHeartbeat = heartbeat && generation >= ticket.generation && ticket.state === 'waiting'
  if (isHeartbeat) seeTicket(room, ticket, OPERATION)
  return viewTicket(room, ticket)
}
