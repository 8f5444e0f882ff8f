import type { TicketClass } from '../../contract.ts'
import { choosePlace } from '../rules/choose-place.ts'
import { append, type Room, rankOf } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'

/** Whether a code of this class says anything new about a ticket. */
export function mayGain({ state, class: own }: Ticket, ticketClass: TicketClass): boolean {
  return state === 'waiting' && ticketClass > own
}

/** A code raises the class of a ticket that waits and is present: it moves forward as a new one would, never back. Rule L143. */
export function promote(
  room: Room,
  ticket: Ticket,
  { class: ticketClass, code }: { class: TicketClass; code: string },
  operation: string,
): void {
  const { number } = ticket
  const fromRank = rankOf(room, ticket)
  room.line.remove(ticket.place, number)
  ticket.place = Math.min(ticket.place, choosePlace(room, ticketClass, number))
  ticket.class = ticketClass
  room.line.insert(ticket.place, number)
  room.lastPlaces[ticketClass] = Math.max(room.lastPlaces[ticketClass], ticket.place)
  room.usedCodes.add(code)
  const { place } = ticket
  append(room, operation, {
    kind: 'classed',
    number,
    class: ticketClass,
    code,
    place,
    rank: rankOf(room, ticket),
    fromRank,
  })
}
