import { fenceOf } from '@seatwise/domain'
import type { MoveReply, MoveRequest } from '../../contract.ts'
import { append, type Room } from '../state/room.ts'
import { findTicket } from '../tickets/find-ticket.ts'
import { viewTicket } from '../tickets/view-ticket.ts'

/** Hands a ticket to another device: a new generation, and on the floor a new fence. Rules L10, L11 and M11. */
export function move(room: Room, { number, identity, generation, operation }: MoveRequest): MoveReply {
  const found = findTicket(room, number, identity, operation)
  if (found === undefined) return { status: 'unknown', seq: room.seq }
  const { ticket, own } = found
  const isLive = room.tickets.has(ticket.number)
  if (!isLive || own.movedBy !== operation) {
    if (generation < own.generation) return { status: 'moved', seq: room.seq }
    if (!isLive) return { status: 'over', ...viewTicket(room, found) }
    own.generation++
    own.movedBy = operation
    const fence = ticket.floor === null ? null : fenceOf(room.epoch, room.seq + 1)
    if (ticket.floor !== null && fence !== null) ticket.floor.fence = fence
    append(room, operation, { kind: 'moved', number, generation: own.generation, fence: own === ticket ? fence : null })
    if (own !== ticket && fence !== null) {
      append(room, operation, { kind: 'moved', number: ticket.number, generation: ticket.generation, fence })
    }
  }
  return { status: 'moved_here', ...viewTicket(room, found) }
}
