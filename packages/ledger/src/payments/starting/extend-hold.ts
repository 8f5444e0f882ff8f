import { type Call, prepareStatement } from '../../engine/index.ts'
import type { ReservationRow } from '../../reservations/index.ts'

const READ_SESSION_ENDS = prepareStatement(import.meta.url, 'read-session-ends.sql')

export interface PayTime {
  /** How long paying may take: the hold is extended to that, once. */
  readonly paySeconds: number
  /** The longest a hold may live from its beginning, and from the session's end, whatever is paid when. */
  readonly holdSecondsMax: number
}

/** By reservation. A reservation is missing while the ledger has not followed its ticket's entry yet. */
export type SessionEnds = ReadonlyMap<string, Date>

export interface SessionEndRow {
  readonly id: string
  readonly sessionEnd: Date
}

/** Calls read-session-ends.sql. */
export function sessionEndsToRead(reservationIds: readonly string[]): Call {
  return { statement: READ_SESSION_ENDS, parameters: [reservationIds] }
}

export function sessionEndsOf(rows: readonly SessionEndRow[]): SessionEnds {
  return new Map(rows.map(({ id, sessionEnd }) => [id, sessionEnd]))
}

/**
 * How long a hold lives once paying has begun; null when that is no longer than it does anyway. Paying a second time
 * gives no second extension, or a hold could be kept for ever with a bad card. Nor does paying for one reservation after
 * the other: all of a visit's extensions end at the same time. Rules B18 and B55.
 */
export function extendedUntil(
  at: Date,
  { paySeconds, holdSecondsMax }: PayTime,
  reservation: ReservationRow,
  sessionEnds: SessionEnds,
): Date | null {
  const { createdAt, expiresAt, isExtended } = reservation
  const sessionEnd = sessionEnds.get(reservation.id) ?? createdAt
  const enough = at.getTime() + paySeconds * 1000
  const cap = Math.min(createdAt.getTime(), sessionEnd.getTime()) + holdSecondsMax * 1000
  const until = new Date(Math.min(enough, cap))
  return isExtended || until <= expiresAt ? null : until
}
