import type { Reservation } from '@seatwise/domain'
import { type Call, prepareStatement } from '../../engine/index.ts'
import type { OpenSeatMap } from '../../seat-map/index.ts'
import type { Placed } from './decide-claims.ts'

const WRITE_RESERVATIONS = prepareStatement(import.meta.url, 'write-reservations.sql')

/** Calls write-reservations.sql: however many claims succeeded, it is one statement. */
export function reservationsToWrite(map: OpenSeatMap, placed: readonly Placed[]): Call[] {
  if (placed.length === 0) return []
  const reservations = placed.map(({ reservation }) => reservation)
  const claims = placed.map(({ claim }) => claim)
  const items = placed.flatMap((one) =>
    one.reservation.items.map((item, index) => ({ item, fees: one.shares[index]?.fees ?? 0, of: one })),
  )
  const answers = inWords(map, reservations)
  const parameters = [
    map.eventId,
    map.at,
    reservations.map(({ id }) => id),
    reservations.map(({ buyerId }) => buyerId),
    placed.map(statusOf),
    reservations.map(({ amount }) => amount),
    reservations.map(({ currency }) => currency),
    reservations.map(({ expiresAt }) => expiresAt.toISOString()),
    claims.map(({ roomId }) => roomId),
    claims.map(({ ticketNumber }) => ticketNumber),
    claims.map(({ fence }) => fence),
    claims.map(({ operation }) => operation.actorId),
    claims.map(({ operation }) => operation.key),
    claims.map(({ operation }) => operation.fingerprint),
    JSON.stringify(answers),
    JSON.stringify(claims.map(({ roomId, ticketNumber }, index) => ({ ...answers[index], roomId, ticketNumber }))),
    items.map(({ of }) => of.reservation.id),
    items.map(({ item }) => item.seatId),
    items.map(({ item }) => item.seatTypeId),
    items.map(({ item }) => item.price),
    items.map(({ of }) => statusOf(of)),
    items.map(({ item }) => item.variantId),
    items.map(({ item, fees }) => item.price + fees - item.paid),
    items.map(({ fees }) => fees),
    reservations.map(({ tax }) => tax),
    placed.map(({ codeId }) => codeId),
  ]
  return [{ statement: WRITE_RESERVATIONS, parameters }]
}

/** With the times as text, because JSON.stringify asks each Date for its own and all of a batch have the same few. */
function inWords({ at }: OpenSeatMap, reservations: readonly Reservation[]) {
  const texts = new Map([[at.getTime(), at.toISOString()]])
  const textOf = (time: Date): string => {
    const text = texts.get(time.getTime()) ?? time.toISOString()
    texts.set(time.getTime(), text)
    return text
  }
  return reservations.map((reservation) => ({
    ...reservation,
    expiresAt: textOf(reservation.expiresAt),
    createdAt: textOf(reservation.createdAt),
    updatedAt: textOf(reservation.updatedAt),
  }))
}

const statusOf = ({ isReplaced }: Placed): string => (isReplaced ? 'CANCELED' : 'PENDING_PAYMENT')
