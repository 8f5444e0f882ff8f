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
  if (as === 'completed') {
    removeTicket(room, ticket, as)
    keepEnded(room, [ticket], append(room, operation, entry ?? { kind: 'completed', number: ticket.number }))
  } else expireTickets(room, [ticket], as, operation)
}

/** Expires tickets for one reason, and logs them together. All of them have a rank, or none has. */
export function expireTickets(room: Room, tickets: readonly Ticket[], reason: EndReason, operation: string): void {
  if (tickets.length === 0) return
  const ranks = tickets.flatMap((ticket) => removeTicket(room, ticket, reason) ?? [])
  const numbers = tickets.map(({ number }) => number)
  const seq = append(room, operation, { kind: 'expired', numbers, reason, ranks: ranks.length === 0 ? null : ranks })
  keepEnded(room, tickets, seq)
}

/** Returns the rank that it left from; null when it had none. The caller logs the end. */
function removeTicket(room: Room, ticket: Ticket, as: 'completed' | EndReason): number | null {
  for (const companion of ticket.companions) releaseCompanion(room, companion, as)
  const isInLine = ticket.state === 'waiting' && !ticket.away
  const rank = isInLine ? rankOf(room, ticket) : null
  leavePosition(room, ticket)
  room.tickets.delete(ticket.number)
  releaseVisitor(room, ticket, as)
  return rank
}

/** The visitor of this ticket no longer stands with a group. The caller logs it, and keeps the ticket as ended. */
export function releaseCompanion(room: Room, ticket: Ticket, as: 'completed' | EndReason): void {
  ticket.standsWith = null
  room.companions.delete(ticket.number)
  releaseVisitor(room, ticket, as)
}

function releaseVisitor(room: Room, ticket: Ticket, as: 'completed' | EndReason): void {
  room.identities.delete(ticket.identity)
  releaseLimit(room, ticket.limitKey)
  ticket.state = as === 'completed' ? 'completed' : 'expired'
  ticket.reason = as === 'completed' ? null : as
  ticket.shown = null
}

/** Until the ledger has the entry of their end, which is also that of all who stood with them. */
export function keepEnded(room: Room, tickets: readonly Ticket[], seq: number): void {
  for (const ticket of tickets.flatMap((ended) => [ended, ...ended.companions.splice(0)])) {
    room.ended.set(ticket.number, { ticket, seq })
    room.endedIdentities.set(ticket.identity, ticket.number)
  }
}

/** Removes a live ticket from the line, the away tickets or the floor. */
export function leavePosition(room: Room, ticket: Ticket): void {
  if (ticket.floor !== null) {
    room.floor.remove(ticket.floor.deadline, ticket.number)
    if (ticket.state === 'admitted') room.admitted--
    withSums(room, ticket.number, () => {
      ticket.floor = null
    })
  } else if (ticket.away) leaveAway(room, ticket)
  else room.line.remove(ticket.place, ticket.number)
}

export function leaveAway(room: Room, ticket: Ticket): void {
  if (ticket.graceUntil === null) room.away.remove(ticket.place, ticket.number)
  else room.passed.remove(ticket.graceUntil, ticket.number)
  ticket.away = false
  ticket.graceUntil = null
}

/** The ticket no longer shares its limit. Rule L8. */
export function releaseLimit(room: Room, key: string | null): void {
  if (key === null) return
  const left = (room.limits.get(key) ?? 0) - 1
  if (left > 0) room.limits.set(key, left)
  else room.limits.delete(key)
}
