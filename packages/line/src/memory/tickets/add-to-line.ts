import { seenUnit } from '../rules/presence.ts'
import { type Room, rankOf } from '../state/room.ts'
import { type Ticket, UNMOVED } from '../state/ticket.ts'

export type NewTicket = Pick<
  Ticket,
  'number' | 'identity' | 'class' | 'place' | 'joinedAt' | 'generation' | 'limitKey' | 'shown'
>

/** Puts a new ticket into the line; the caller logs it. */
export function addToLine(room: Room, fresh: NewTicket): { ticket: Ticket; rank: number } {
  const ticket: Ticket = {
    ...fresh,
    ...UNMOVED,
    state: 'waiting',
    seen: seenUnit(room),
    extended: false,
    companions: [],
  }
  keepTicket(room, ticket)
  room.line.insert(ticket.place, ticket.number)
  room.oldestWaiting.note(ticket.number, ticket.seen)
  room.lastPlaces[ticket.class] = Math.max(room.lastPlaces[ticket.class], ticket.place)
  return { ticket, rank: rankOf(room, ticket) }
}

/** The visitor of this ticket stands with another one. Rule L150. */
export function keepCompanion(room: Room, ticket: Ticket, standsWith: Ticket): void {
  ticket.standsWith = standsWith
  standsWith.companions.push(ticket)
  room.companions.set(ticket.number, ticket)
  keepVisitor(room, ticket)
}

/** Makes a live ticket known by number, by identity and to its limit. */
export function keepTicket(room: Room, ticket: Ticket): void {
  room.tickets.set(ticket.number, ticket)
  keepVisitor(room, ticket)
}

function keepVisitor(room: Room, ticket: Ticket): void {
  room.identities.set(ticket.identity, ticket)
  if (ticket.limitKey !== null) room.limits.set(ticket.limitKey, (room.limits.get(ticket.limitKey) ?? 0) + 1)
}
