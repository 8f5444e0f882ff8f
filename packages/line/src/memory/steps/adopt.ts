import type { AdoptReply, AdoptRequest } from '../../contract.ts'
import { append, type Room } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { endTicket, releaseLimit } from '../tickets/end-ticket.ts'
import { expireIfOverdue } from '../tickets/expire-overdue.ts'
import { viewTicket } from '../tickets/view-ticket.ts'

/** Gives a guest's ticket to the account the guest signed in to. Rules L1, L40 and L52. */
export function adopt(room: Room, { fromIdentity, toIdentity, userId, operation }: AdoptRequest): AdoptReply {
  const own = findLive(room, toIdentity, operation)
  const ticket = findLive(room, fromIdentity, operation)
  if (own !== undefined) {
    if (ticket !== undefined && ticket !== own && !isReserving(room, ticket)) {
      endTicket(room, ticket, 'cancelled', operation)
    }
    // A repeated adoption finds the ticket under the account, where the first one put it.
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

/** Whether the ticket has reserved seats or a claim under way. Ending such a ticket would give its seats back. */
function isReserving(room: Room, { number, floor }: Ticket): boolean {
  return floor !== null && (floor.reservedSeats > 0 || room.takes.has(number))
}

function findLive(room: Room, identity: string, operation: string): Ticket | undefined {
  const ticket = room.identities.get(identity)
  if (ticket === undefined) return undefined
  expireIfOverdue(room, ticket, operation)
  return room.tickets.has(ticket.number) ? ticket : undefined
}
