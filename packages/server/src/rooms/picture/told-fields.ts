import type { EndReason } from '@seatwise/domain'

/*
 * The fields in which a visitor is told about a ticket, in answers, pages and push. Each is computed only here, so that
 * the channels cannot differ.
 */

/** A rank counts from 0, a position from 1. */
export function positionOf(rank: number): number {
  return rank + 1
}

/** The deadline on the floor; `deadline` in milliseconds of the room's clock. */
export function turnFields<State extends 'admitted' | 'active'>(
  status: State,
  deadline: number,
): { status: State; expiresAt: string } {
  return { status, expiresAt: new Date(deadline).toISOString() }
}

/** How a ticket ended; only an expired one has a reason. */
export function endFields<State extends 'completed' | 'expired', Reason extends EndReason | null>(
  status: State,
  reason: Reason,
): { status: State; reason: Reason } {
  return { status, reason }
}
