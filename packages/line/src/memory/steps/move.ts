import { fenceOf } from '@seatwise/domain'
import type { MoveReply, MoveRequest } from '../../contract.ts'
import { append, type Room } from '../state/room.ts'
import { findTicket } from '../tickets/find-ticket.ts'
import { viewTicket } from '../tickets/view-ticket.ts'

/** Hands a ticket to another device: a new generation, and on the floor a new fence. Rules L10, L11 and M11. */
export function move(room: Room, { number, identity, generation, operation }: MoveRequest): MoveReply {
  const ticket = findTicket(room, number, identity, operation)
  if (ticket === undefined) return { status: 'unknown', seq: room.seq }
  const isLive = room.tickets.has(number)
  if (!isLive || ticket.movedBy !== operation) {
    if (generation < ticket.generation) return { status: 'moved', seq: room.seq }
    if (!isLive) return { status: 'over', ...viewTicket(room, ticket) }
    ticket.generation++
    ticket.movedBy = operation
    const fence = ticket.floor === null ? null : fenceOf(room.epoch, room.seq + 1)
    if (ticket.floor !== null && fence !== null) ticket.floor.fence = fence
    append(room, operation, { kind: 'moved', number, generation: ticket.generation, fence })
  }
  return { status: 'moved_here', ...viewTicket(room, ticket) }
}
