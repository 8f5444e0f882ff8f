import type { AdoptReply, AdoptRequest } from '../../contract.ts'
import { append, type Room } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'
import { endTicket, releaseLimit } from '../tickets/end-ticket.ts'
import { type Found, findLive } from '../tickets/find-ticket.ts'
import { leaveGroup, peopleOf } from '../tickets/group.ts'
import { viewTicket } from '../tickets/view-ticket.ts'

/** Gives a guest's ticket to the account the guest signed in to. Rules L1, L40 and L52. */
export function adopt(room: Room, { fromIdentity, toIdentity, userId, operation }: AdoptRequest): AdoptReply {
  const own = findLive(room, toIdentity, operation)
  const found = findLive(room, fromIdentity, operation)
  if (own !== undefined) {
    if (found !== undefined && found.own !== own.own) endBeside(room, found, operation)
    // A repeated adoption finds the ticket under the account, where the first one put it.
    if (own.own.movedBy === operation) return { status: 'adopted', ...viewTicket(room, own) }
    return { status: 'has_own', seq: room.seq }
  }
  if (found === undefined) return { status: 'nothing', seq: room.seq }
  const ticket = found.own
  room.identities.delete(fromIdentity)
  room.identities.set(toIdentity, ticket)
  ticket.identity = toIdentity
  ticket.movedBy = operation
  releaseLimit(room, ticket.limitKey)
  ticket.limitKey = null
  append(room, operation, { kind: 'adopted', number: ticket.number, identity: toIdentity, userId })
  return { status: 'adopted', ...viewTicket(room, found) }
}

/** The guest's ticket beside the account's own; a group goes on without the guest. */
function endBeside(room: Room, found: Found, operation: string): void {
  if (peopleOf(found.ticket).length > 1) leaveGroup(room, found, operation)
  else if (!isReserving(room, found.ticket)) endTicket(room, found.ticket, 'cancelled', operation)
}

/** Whether the ticket has reserved seats or a claim under way. Ending such a ticket would give its seats back. */
function isReserving(room: Room, { number, floor }: Ticket): boolean {
  return floor !== null && (floor.reservedSeats > 0 || room.takes.has(number))
}
