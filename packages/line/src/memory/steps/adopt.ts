import type { AdoptReply, AdoptRequest } from '../../contract.ts'
import { append, type Room } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { endTicket, releaseLimit } from '../tickets/end-ticket.ts'
import { expireIfOverdue } from '../tickets/expire-overdue.ts'
import { viewTicket } from '../tickets/view-ticket.ts'

/** Gives a guest's ticket to the account they signed in to. Rule L40. */
export function adopt(room: Room, { fromIdentity, toIdentity, userId, operation }: AdoptRequest): AdoptReply {
  const own = findLive(room, toIdentity, operation)
  const ticket = findLive(room, fromIdentity, operation)
  if (own !== undefined) {
    if (ticket !== undefined && ticket !== own && !isReserving(room, ticket)) {
      endTicket(room, ticket, 'cancelled', operation)
    }
    // Whoever repeats an adoption finds the ticket where it went.
    if (own.movedBy === operation) return { status: 'adopted', ...viewTicket(room, own) }
    return { status: 'has_own', seq: room.seq }
  }
  if (ticket === undefined) return { status: 'nothing', seq: room.seq }
  room.identities.delete(fromIdentity)
  room.identities.set(toIdentity, ticket)
  ticket.identity = toIdentity
  ticket.movedBy = operation
  releaseLimit(room, ticket.limitKey)
  ticket.limitKey = null
  append(room, operation, { kind: 'adopted', number: ticket.number, identity: toIdentity, userId })
  return { status: 'adopted', ...viewTicket(room, ticket) }
}

/** It has seats that can be paid for, or a claim of it is being decided: ending it would give them back. */
function isReserving(room: Room, { number, floor }: Ticket): boolean {
  return floor !== null && (floor.reservedSeats > 0 || room.takes.has(number))
}

function findLive(room: Room, identity: string, operation: string): Ticket | undefined {
  const ticket = room.identities.get(identity)
  if (ticket === undefined) return undefined
  expireIfOverdue(room, ticket, operation)
  return room.tickets.has(ticket.number) ? ticket : undefined
}
