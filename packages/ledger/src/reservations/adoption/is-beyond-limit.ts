import { loadStatement } from '../../engine/index.ts'
import type { OpenSeatMap } from '../../seat-map/index.ts'
import type { ReservationRow } from '../read-reservations.ts'

const IS_BEYOND_LIMIT = loadStatement(import.meta.url, 'is-beyond-limit.sql')

/**
 * Whether a reservation was adopted while it was being paid for, and the account has more than it may because of it. Once
 * that payment has failed, nothing excuses it any more. Rule B52.
 */
export async function isBeyondLimit(map: OpenSeatMap, reservation: ReservationRow): Promise<boolean> {
  const { adoptedFrom, status, buyerId } = reservation
  if (adoptedFrom === null || status !== 'PENDING_PAYMENT') return false
  const parameters = [map.eventId, buyerId, map.at]
  const [row] = await map.transaction.run<{ isBeyond: boolean }>(IS_BEYOND_LIMIT, parameters)
  return row?.isBeyond === true
}
