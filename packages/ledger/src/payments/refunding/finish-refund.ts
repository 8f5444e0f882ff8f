import { faults } from '@seatwise/domain'
import { loadStatement, type Primary, type PurchaseStatus } from '../../engine/index.ts'
import { tell } from '../../outbox/index.ts'
import { type ReservationRow, readReservation } from '../../reservations/index.ts'
import {
  type OpenSeatMap,
  openDesk,
  readKeptSeats,
  type SeatMove,
  setSeats,
  type WithMap,
  withSeatMap,
} from '../../seat-map/index.ts'
import { bookPayout } from '../door/book-payout.ts'
import { changePurchase, newsOfPurchase, type Purchase, readPurchase } from '../purchase.ts'
import { isPaidBy, type Refund, readRefund, readRefundItems } from './refund.ts'

const CLOSE_REFUND = loadStatement(import.meta.url, 'close-refund.sql')
const MARK_REFUNDED = loadStatement(import.meta.url, 'mark-refunded.sql')

export type FinishRefundOutcome =
  | {
      readonly status: 'refunded'
      readonly refund: Refund
      readonly purchase: Purchase
      readonly reservation: ReservationRow
      /** True if this call did it, false if it was done before. */
      readonly isNews: boolean
    }
  | { readonly status: 'unknown' }

/** The money of a refund is back: its seats return, once; with the last seat the reservation ends. */
export async function finishRefund(
  ledger: Primary,
  refundId: string,
): Promise<FinishRefundOutcome | WithMap<FinishRefundOutcome>> {
  const known = await readRefund(ledger.db, refundId)
  const found = known === null ? null : await readPurchase(ledger.db, known.purchaseId)
  if (known === null || found === null) return { status: 'unknown' }
  const outcome = await withSeatMap<FinishRefundOutcome>(ledger, found.eventId, async (map) => {
    const done = await finish(map, refundId, found)
    if (faults.on) await faults.reach('refund.inside-finish')
    return done
  })
  return outcome ?? { status: 'unknown' }
}

interface Finished {
  readonly result: FinishRefundOutcome
  readonly moves: readonly SeatMove[]
}

async function finish(map: OpenSeatMap, refundId: string, { id, reservationId }: Purchase): Promise<Finished> {
  const { transaction, at } = map
  const refund = await readRefund(transaction.db, refundId)
  const before = await readPurchase(transaction.db, id)
  const reservation = await readReservation(transaction.db, reservationId)
  if (refund === null || before === null || reservation === null) return { result: { status: 'unknown' }, moves: [] }
  if (refund.state === 'DONE') {
    return { result: { status: 'refunded', refund, purchase: before, reservation, isNews: false }, moves: [] }
  }
  const isSale = refund.seatIds.length > 0 && (await isPaidBy(transaction, before, reservation))
  await transaction.run(CLOSE_REFUND, [refundId, at])
  const items = isSale ? await readRefundItems(transaction, reservation.id) : []
  const status = statusAfter(items)
  const moves = isSale ? await returnSeats(map, reservation, refund) : []
  if (isSale && status === 'REFUNDED') await transaction.run(MARK_REFUNDED, [reservation.id, at])
  const sums = { refunded: before.refunded + refund.amount, kept: before.kept + refund.kept }
  const purchase = await changePurchase(transaction, { purchase: before, change: { status, ...sums }, at })
  await bookPayout(transaction, { before, after: purchase, at })
  const after = (await readReservation(transaction.db, reservation.id)) ?? reservation
  const done = (await readRefund(transaction.db, refundId)) ?? refund
  const news = newsOfPurchase(purchase, after, 'purchase.refunded')
  await tell(transaction, [{ ...news, payload: { ...news.payload, refund: done } }])
  return { result: { status: 'refunded', refund: done, purchase, reservation: after, isNews: true }, moves }
}

/** What a purchase is once some of its seats are back. */
function statusAfter(
  items: readonly { readonly refundId: string | null; readonly returned: boolean }[],
): PurchaseStatus {
  if (items.every(({ returned }) => returned)) return 'REFUNDED'
  return items.some(({ refundId }) => refundId === null) ? 'PARTLY_REFUNDED' : 'REFUNDING'
}

async function returnSeats(
  map: OpenSeatMap,
  { id }: ReservationRow,
  { seatIds }: Refund,
): Promise<readonly SeatMove[]> {
  const desk = openDesk(await readKeptSeats(map.transaction, [id]), map.counts)
  desk.letGo(desk.seatsOf(id).filter((seat) => seatIds.includes(seat.id)))
  await setSeats(map, desk)
  return desk.moves()
}
