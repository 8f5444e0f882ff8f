import type { Reservation } from '@seatwise/domain'
import { type Call, plainArray, prepareStatement, textArray } from '../../engine/index.ts'
import type { OpenSeatMap } from '../../seat-map/index.ts'
import type { Placed } from './decide-claims.ts'

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
    textArray(claims, ({ operation }) => operation.key),
    textArray(claims, ({ operation }) => operation.fingerprint),
    textOf(map, reservations),
    plainArray(items, ({ of }) => of.reservation.id),
    plainArray(items, ({ item }) => item.seatId),
    plainArray(items, ({ item }) => item.seatTypeId),
    plainArray(items, ({ item }) => item.price),
    plainArray(items, ({ of }) => statusOf(of)),
  ]
  return [{ statement: WRITE_RESERVATIONS, parameters }]
}

/** With the times as text, because JSON.stringify asks each Date for its own and all of a batch have the same few. */
function textOf({ at }: OpenSeatMap, reservations: readonly Reservation[]): string {
  const texts = new Map([[at.getTime(), at.toISOString()]])
  const inWords = (time: Date): string => {
    const text = texts.get(time.getTime()) ?? time.toISOString()
    texts.set(time.getTime(), text)
    return text
  }
  return JSON.stringify(
    reservations.map((reservation) => ({
      ...reservation,
      expiresAt: inWords(reservation.expiresAt),
      createdAt: inWords(reservation.createdAt),
      updatedAt: inWords(reservation.updatedAt),
    })),
  )
}

const statusOf = ({ isReplaced }: Placed): string => (isReplaced ? 'CANCELED' : 'PENDING_PAYMENT')
