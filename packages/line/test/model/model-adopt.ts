import type { AdoptReply, AdoptRequest } from '../../src/index.ts'
import type { ModelRoom } from './model-room.ts'
import { isLive, isOnFloor, type ModelTicket } from './model-ticket.ts'

/** Giving a guest's ticket to an account, by rules L40 and L52. */
export function modelAdopt(room: ModelRoom, { fromIdentity, toIdentity, userId, operation }: AdoptRequest): AdoptReply {
  const own = liveTicketOf(room, toIdentity, operation)
  const ticket = liveTicketOf(room, fromIdentity, operation)
  if (own !== undefined && ticket !== undefined && ticket !== own && !isReserving(room, ticket)) {
    room.finish(ticket, 'cancelled', operation)
  }
  if (own?.movedBy === operation) return { status: 'adopted', ...room.view(own) }
  if (own !== undefined) return { status: 'has_own', seq: room.seq }
  if (ticket === undefined) return { status: 'nothing', seq: room.seq }
  ticket.identity = toIdentity
  ticket.movedBy = operation
  ticket.limitKey = null
  room.append(operation, { kind: 'adopted', number: ticket.number, identity: toIdentity, userId })
  return { status: 'adopted', ...room.view(ticket) }
}

function isReserving(room: ModelRoom, ticket: ModelTicket): boolean {
  return isOnFloor(ticket) && (ticket.reservedSeats > 0 || room.takes.some(({ number }) => number === ticket.number))
}

function liveTicketOf(room: ModelRoom, identity: string, operation: string): ModelTicket | undefined {
  const ticket = room.tickets.find((other) => isLive(other) && other.identity === identity)
  if (ticket !== undefined) room.expireIfOverdue(ticket, operation)
  return ticket !== undefined && isLive(ticket) ? ticket : undefined
}
