import type { TicketView } from '../../contract.ts'
import { type Room, rankOf } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'

/** A ticket as its holder may see it now. A caller that already knows the rank passes it. */
export function viewTicket(room: Room, ticket: Ticket, knownRank?: number): TicketView {
  const { away } = ticket
  return {
    number: ticket.number,
    state: ticket.state,
    reason: ticket.reason,
    away,
    back: false,
    place: ticket.place,
    rank: ticket.state === 'waiting' && !away ? (knownRank ?? rankOf(room, ticket)) : null,
    class: ticket.class,
    generation: ticket.generation,
    joinedAt: ticket.joinedAt,
    deadline: ticket.floor?.deadline ?? null,
    fence: ticket.floor?.fence ?? null,
    extended: ticket.extended,
    waiting: room.line.size,
    seq: room.seq,
    now: room.now,
  }
}

/** The answer for a ticket that the room never drew, has forgotten, or that has another identity. Rules L11 and L22. */
export function viewUnknown(room: Room, number: number): TicketView {
  return {
    number,
    state: null,
    reason: null,
    away: false,
    back: false,
    place: 0,
    rank: null,
    class: 0,
    generation: 0,
    joinedAt: 0,
    deadline: null,
    fence: null,
    extended: false,
    waiting: room.line.size,
    seq: room.seq,
    now: room.now,
  }
}
