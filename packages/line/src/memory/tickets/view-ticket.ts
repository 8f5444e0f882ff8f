import type { TicketView } from '../../contract.ts'
import { type Room, rankOf } from '../state/room.ts'
import type { Found } from './find-ticket.ts'
import { peopleOf } from './group.ts'

/**
 * A ticket as a visitor who stands with it may see it now: `own` is theirs. A caller that already knows the rank passes it.
 */
export function viewTicket(room: Room, { ticket, own }: Found, knownRank?: number): TicketView {
  const { away, companions } = ticket
  return {
    number: ticket.number,
    state: ticket.state,
    reason: ticket.reason,
    away,
    back: false,
    place: ticket.place,
    rank: ticket.state === 'waiting' && !away ? (knownRank ?? rankOf(room, ticket)) : null,
    class: ticket.class,
    generation: own.generation,
    joinedAt: ticket.joinedAt,
    deadline: ticket.floor?.deadline ?? null,
    fence: ticket.floor?.fence ?? null,
    extended: ticket.extended,
    waiting: room.line.size,
    seq: room.seq,
    now: room.now,
    ...(companions.length === 0 ? {} : { group: { number: own.number, people: peopleOf(ticket).length } }),
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
