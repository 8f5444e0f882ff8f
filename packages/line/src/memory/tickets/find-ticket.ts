import type { ActRefusal, TicketAct } from '../../contract.ts'
import type { Room } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { expireIfOverdue } from './expire-overdue.ts'

/** The ticket an act names, expired first if overdue; or why the act is refused, whatever the state. Rules L10, L11 and L32. */
export function findForAct(room: Room, act: TicketAct, operation: string): Ticket | ActRefusal {
  const ticket = findTicket(room, act.number, act.identity, operation)
  if (ticket === undefined) return { status: 'unknown', seq: room.seq }
  if (act.generation < ticket.generation) return { status: 'moved', seq: room.seq }
  return ticket
}

/** The ticket, expired first if overdue; undefined when it is unknown or has another identity. An operator passes null. */
export function findTicket(room: Room, number: number, identity: string | null, operation: string): Ticket | undefined {
  const live = room.tickets.get(number)
  const ticket = live ?? room.ended.get(number)?.ticket
  if (ticket === undefined || (identity !== null && ticket.identity !== identity)) return undefined
  if (live !== undefined) expireIfOverdue(room, live, operation)
  return ticket
}

export function isRefusal(found: Ticket | ActRefusal): found is ActRefusal {
  return 'status' in found
}
