import type { EndReason } from '@seatwise/domain'
import type { Corrected } from '../../log-entry.ts'
import { withSums } from '../rules/floor-sums.ts'
import { append, type Room, rankOf } from '../state/room.ts'
import type { Ticket } from '../state/ticket.ts'

/**
 * Ends a live ticket: frees its place or slot, its identity and its share of a limit (M12). `entry` replaces the usual log
 * entry, if given.
 */
export function endTicket(
  room: Room,
  ticket: Ticket,
  as: 'completed' | EndReason,
  operation: string,
  entry?: Corrected,
): void {
  const isInLine = ticket.state === 'waiting' && ticket.awayUntil === null
  const rank = isInLine ? rankOf(room, ticket) : null
  leavePosition(room, ticket)
  room.identities.delete(ticket.identity)
  room.tickets.delete(ticket.number)
  releaseLimit(room, ticket.limitKey)
  ticket.state = as === 'completed' ? 'completed' : 'expired'
  ticket.reason = as === 'completed' ? null : as
  ticket.shown = null
  const { number } = ticket
  const change =
    as === 'completed'
      ? ({ kind: 'completed', number } as const)
      : ({ kind: 'expired', number, reason: as, rank } as const)
  room.ended.set(number, { ticket, seq: append(room, operation, entry ?? change) })
  room.endedIdentities.set(ticket.identity, number)
}

/** Removes a live ticket from the line, the away set or the floor. */
export function leavePosition(room: Room, ticket: Ticket): void {
  if (ticket.floor !== null) {
    room.floor.remove(ticket.floor.deadline, ticket.number)
    if (ticket.state === 'admitted') room.admitted--
    withSums(room, ticket.number, () => {
      ticket.floor = null
    })
  } else if (ticket.awayUntil !== null) {
    room.away.remove(ticket.awayUntil, ticket.number)
    ticket.awayUntil = null
  } else {
    room.line.remove(ticket.place, ticket.number)
  }
}

/** The ticket no longer shares its limit. Rule L8. */
export function releaseLimit(room: Room, key: string | null): void {
  if (key === null) return
  const left = (room.limits.get(key) ?? 0) - 1
  if (left > 0) room.limits.set(key, left)
  else room.limits.delete(key)
}
