import type { TicketClass } from './ticket-class.ts'

/**
 * The place of a priority ticket in the line.
 *
 * It lies between two places: `low`, the ticket it must not pass, and `high`, the next one after that. A place exactly
 * in the middle would halve the gap each time and run out of digits after some thirty joins, so a ticket that follows
 * one of its own class takes only a sliver: 600,000 of them fit between two neighbours before places begin to tie, and
 * ties are ordered by number, which keeps the order, too.
 */
export function placeBetween(low: number, high: number, followsOwnClass: boolean): number {
  return low + (high - low) / (followsOwnClass ? SLIVERS : 2)
}

/** The rank before which a class is placed in a line of `length`; integers, so that both stores agree. Rule L12. */
export function skipRank(ticketClass: TicketClass, length: number): number {
  return Math.floor((length * SKIP_KEEPS_TENTHS[ticketClass]) / 10)
}

/** Strict lanes: far enough apart that places of two classes never overlap. Rule L14. */
export function lanePlace(ticketClass: TicketClass, number: number): number {
  return number - ticketClass * LANE_SPAN
}

const SLIVERS = 65_536
const LANE_SPAN = 2 ** 40

/** Tenths of the line that stay ahead: an elevated ticket skips 10 %, a VIP 50 %, premium goes to the head. */
const SKIP_KEEPS_TENTHS = { 0: 10, 1: 9, 2: 5, 3: 0 } as const satisfies Record<TicketClass, number>
