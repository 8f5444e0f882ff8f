import type { JoinReply, RestoreRequest } from '../../contract.ts'
import { append, type Room } from '../state/room.ts'
import { addToLine } from '../tickets/add-to-line.ts'
import { viewTicket } from '../tickets/view-ticket.ts'
import { findPresent } from './join.ts'

const OPERATION = 'restore'

/** Re-creates a ticket that was lost with the end of an earlier epoch's log, at exactly its old place. Rules L1, L25. */
export function restore(room: Room, request: RestoreRequest): JoinReply {
  const present = findPresent(room, request.identity, OPERATION)
  if (present !== undefined) return present
  if (!mayRestore(room, request)) return { status: 'refused', seq: room.seq }

  const { number, identity, class: ticketClass, place, generation, joinedAt, epoch: fromEpoch } = request
  const { ticket, rank } = addToLine(room, {
    ...{ number, identity, class: ticketClass, place, generation, joinedAt },
    limitKey: null,
    shown: null,
  })
  room.hasStarted = true
  append(room, OPERATION, {
    kind: 'restored',
    ...{ number, identity, class: ticketClass, place, rank, generation, joinedAt, fromEpoch },
  })
  return { status: 'joined', ...viewTicket(room, { ticket, own: ticket }) }
}

/** Numbers drawn in this epoch are all known, so only those below its first new number can have been lost. */
function mayRestore(room: Room, { epoch, number, identity }: RestoreRequest): boolean {
  const mark = room.marks[epoch]
  return (
    epoch < room.epoch &&
    mark !== undefined &&
    number > mark &&
    number < room.firstNewNumber &&
    !room.tickets.has(number) &&
    !room.companions.has(number) &&
    !room.ended.has(number) &&
    !room.endedIdentities.has(identity)
  )
}
