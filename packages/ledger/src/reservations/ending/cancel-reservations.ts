import type { Reservation } from '@seatwise/domain'
import { loadStatement, type Primary } from '../../engine/index.ts'
import { isOwn } from '../../operations/index.ts'
import { tell } from '../../outbox/index.ts'
import { type OpenSeatMap, openDesk, readKeptSeats, setSeats, type WithMap, withSeatMap } from '../../seat-map/index.ts'
import { readReservation } from '../read-reservations.ts'
import { type EndedReservation, endReservations, newsOfEnd } from './end-reservations.ts'

const FIND_CANCELABLE = loadStatement(import.meta.url, 'find-cancelable.sql')

export type CancelOutcome =
  /** Also when it had been canceled before. */
  | { readonly status: 'canceled'; readonly reservation: Reservation; readonly ended: EndedReservation | null }
  | { readonly status: 'unknown' }
  | { readonly status: 'not_yours' }
  /** A payment is under way; its end decides. */
  | { readonly status: 'paying'; readonly reservation: Reservation }
  /** It was paid, refunded or expired before. */
  | { readonly status: 'ended'; readonly reservation: Reservation }

/** Cancels a pending reservation; its seats return once. `buyerId` null cancels for an operator. */
export async function cancelReservation(
  ledger: Primary,
  options: { reservationId: string; buyerId: string | null },
): Promise<CancelOutcome | WithMap<CancelOutcome>> {
  const { reservationId, buyerId } = options
  const found = await readReservation(ledger.db, reservationId)
  if (found === null) return { status: 'unknown' }
  if (buyerId !== null && !(await isOwn(ledger.db, buyerId, found.buyerId))) return { status: 'not_yours' }
  const outcome = await withSeatMap<CancelOutcome>(ledger, found.eventId, async (map) => {
    const { ended, moves } = await cancelInside(map, { reservationIds: [reservationId] })
    const reservation = await readReservation(map.transaction.db, reservationId)
    if (reservation === null) return { result: { status: 'unknown' }, moves }
    return { result: { ...statusOf(reservation), reservation, ended: ended[0] ?? null }, moves }
  })
  return outcome ?? { status: 'unknown' }
}

/** Cancels what the tickets hold because they left the floor, except where a payment is under way. */
export async function cancelOfTickets(
  ledger: Primary,
  options: { eventId: string; roomId: string; ticketNumbers: readonly number[] },
): Promise<WithMap<{ canceled: readonly EndedReservation[] }> | null> {
  return await withSeatMap(ledger, options.eventId, async (map) => {
    const { ended, moves } = await cancelInside(map, options)
    return { result: { canceled: ended }, moves }
  })
}

interface Cancelable {
  reservationIds?: readonly string[]
  roomId?: string
  ticketNumbers?: readonly number[]
}

/** Cancels the reservations that may be cancelled, in a seat map that the caller closes with these moves. */
export async function cancelInside(map: OpenSeatMap, which: Cancelable) {
  const parameters = [which.reservationIds ?? [], which.roomId ?? null, which.ticketNumbers ?? []]
  const found = await map.transaction.run<{ id: string }>(FIND_CANCELABLE, parameters)
  const ids = found.map(({ id }) => id)
  const desk = openDesk(await readKeptSeats(map.transaction, ids), map.counts)
  for (const id of ids) desk.release(id)
  const ended = await endReservations(map, ids, 'CANCELED')
  await setSeats(map, desk)
  await tell(
    map.transaction,
    ended.map((one) => newsOfEnd(map, one, 'CANCELED')),
  )
  return { ended, moves: desk.moves() }
}

function statusOf(reservation: Reservation): { status: 'canceled' | 'paying' | 'ended' } {
  switch (reservation.status) {
    case 'CANCELED':
      return { status: 'canceled' }
    case 'PENDING_PAYMENT':
      return { status: 'paying' }
    case 'PAID':
    case 'EXPIRED':
    case 'REFUNDED':
      return { status: 'ended' }
  }
}
