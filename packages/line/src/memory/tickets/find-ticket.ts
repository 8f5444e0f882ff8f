import type { ActRefusal, TicketAct } from '../../contract.ts'
import type { Room } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { expireIfOverdue } from './expire-overdue.ts'

/** The ticket that a visitor stands with, and their own: the same, unless they stand with a group. Rule L151. */
export interface Found {
  readonly ticket: Ticket
  readonly own: Ticket
}

/** The ticket an act names, expired first if overdue; or why the act is refused, whatever the state. Rules L10, L11 and L32. */
export function findForAct(room: Room, act: TicketAct, operation: string): Found | ActRefusal {
  const found = findTicket(room, act.number, act.identity, operation)
  if (found === undefined) return { status: 'unknown', seq: room.seq }
  if (act.generation < found.own.generation) return { status: 'moved', seq: room.seq }
  return found
}

/** The ticket, expired first if overdue; undefined when it is unknown or has another identity. An operator passes null. */
export function findTicket(room: Room, number: number, identity: string | null, operation: string): Found | undefined {
  const live = room.tickets.get(number) ?? room.companions.get(number)
  const own = live ?? room.ended.get(number)?.ticket
  if (own === undefined || (identity !== null && own.identity !== identity)) return undefined
  const ticket = own.standsWith ?? own
  if (live !== undefined) expireIfOverdue(room, ticket, operation)
  return { ticket, own }
}

/** The ticket of an identity, expired first if overdue; undefined when it has no live one. */
export function findLive(room: Room, identity: string, operation: string): Found | undefined {
  const own = room.identities.get(identity)
  if (own === undefined) return undefined
  const ticket = own.standsWith ?? own
  expireIfOverdue(room, ticket, operation)
  return room.tickets.has(ticket.number) ? { ticket, own } : undefined
}

export function isRefusal(found: Found | ActRefusal): found is ActRefusal {
  return 'status' in found
}
