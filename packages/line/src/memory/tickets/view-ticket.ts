import type { TicketView } from '../../contract.ts'
import { type Room, rankOf } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'

/** What the holder of a ticket may know, as of now. Whoever knows its rank already says so. */
export function viewTicket(room: Room, ticket: Ticket, knownRank?: number): TicketView {
  const away = ticket.awayUntil !== null
  return {
    number: ticket.number,
    state: ticket.state,
    reason: ticket.reason,
    away,
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

/** The answer about a ticket that the room never drew, has forgotten, or that belongs to somebody else. */
export function viewUnknown(room: Room, number: number): TicketView {
  return {
    number,
    state: null,
    reason: null,
    away: false,
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
