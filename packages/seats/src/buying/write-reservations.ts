import { type Call, prepareStatement } from '../statement.ts'
import type { Placed } from './decide-claims.ts'
import { plainArray } from './plain-array.ts'
import type { OpenSeatMap } from './seat-map.ts'

const WRITE_RESERVATIONS = prepareStatement(import.meta.url, 'write-reservations.sql')

/** Calls write-reservations.sql: however many claims succeeded, it is one statement. */
export function reservationsToWrite(map: OpenSeatMap, placed: readonly Placed[]): Call[] {
  if (placed.length === 0) return []
  const reservations = placed.map(({ reservation }) => reservation)
  const claims = placed.map(({ claim }) => claim)
  const items = placed.flatMap((one) => one.reservation.items.map((item) => ({ item, of: one })))
  const parameters = [
    map.eventId,
    map.at,
    plainArray(reservations, ({ id }) => id),
    plainArray(reservations, ({ buyerId }) => buyerId),
    plainArray(placed, statusOf),
    plainArray(reservations, ({ amount }) => amount),
    plainArray(reservations, ({ currency }) => currency),
    plainArray(reservations, ({ expiresAt }) => expiresAt.toISOString()),
    plainArray(claims, ({ roomId }) => roomId),
    plainArray(claims, ({ ticketNumber }) => ticketNumber),
    plainArray(claims, ({ fence }) => fence),
    plainArray(claims, ({ operation }) => operation.actorId),
    claims.map(({ operation }) => operation.key),
    claims.map(({ operation }) => operation.fingerprint),
    JSON.stringify(reservations),
    plainArray(items, ({ of }) => of.reservation.id),
    plainArray(items, ({ item }) => item.seatId),
    plainArray(items, ({ item }) => item.seatTypeId),
    plainArray(items, ({ item }) => item.price),
    plainArray(items, ({ of }) => statusOf(of)),
  ]
  return [{ statement: WRITE_RESERVATIONS, parameters }]
}

const statusOf = ({ isReplaced }: Placed): string => (isReplaced ? 'CANCELED' : 'PENDING_PAYMENT')
