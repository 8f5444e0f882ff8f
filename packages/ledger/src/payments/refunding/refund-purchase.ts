import { loadStatement, type Primary } from '../../engine/index.ts'
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
import { recordAction } from '../../trail/index.ts'
import {
  type Alongside,
  changePurchase,
  newsOfPurchase,
  type Purchase,
  readPurchase,
  readPurchasesOf,
} from '../purchase.ts'

const LOCK_RESERVATION = loadStatement(import.meta.url, 'lock-reservation.sql')
const FIND_USED = loadStatement(import.meta.url, 'find-used.sql')
const MARK_REFUNDED = loadStatement(import.meta.url, 'mark-refunded.sql')

export type RefundOutcome =
  | {
      /**
       * `refunding`: send the captured money back, then call finishRefund. `refunded`: it is back, also when it was
       * before. `not_captured`: there is nothing to send back. `used`: a visitor came in with it, and sits on the seat.
       */
      readonly status: 'refunding' | 'refunded' | 'not_captured' | 'used'
      readonly purchase: Purchase
      readonly reservation: ReservationRow
      /** True if this call did it, false if it was done before. */
      readonly isNews: boolean
    }
  | { readonly status: 'unknown' }

/** Decides that the money goes back, before the provider is asked: any server that finds it REFUNDING may finish it. */
export async function startRefund(
  ledger: Primary,
  options: { purchaseId: string; reason: string; by?: string },
): Promise<RefundOutcome | WithMap<RefundOutcome>> {
  return await refund(ledger, options.purchaseId, async (map, { purchase, reservation }) => {
    const isCaptured = purchase.status === 'PAID' || (purchase.status === 'STUCK' && purchase.captured > 0)
    if (!isCaptured)
      return { result: { status: progressOf(purchase), purchase, reservation, isNews: false }, moves: [] }
    if (await isUsed(map, purchase, reservation)) {
      return { result: { status: 'used', purchase, reservation, isNews: false }, moves: [] }
    }
    const change = { status: 'REFUNDING' as const, reason: options.reason }
    const changed = await changePurchase(map.transaction, { purchase, change, at: map.at })
    await tell(map.transaction, [newsOfPurchase(changed, reservation, 'purchase.refunding')])
    if (options.by !== undefined) await noteRefund(map, options.by, changed)
    return { result: { status: 'refunding', purchase: changed, reservation, isNews: true }, moves: [] }
  })
}

/** The money is back. If the reservation was paid with it, it ends and its seats return, once. */
export async function finishRefund(
  ledger: Primary,
  options: { purchaseId: string; alongside?: Alongside<RefundOutcome> },
): Promise<RefundOutcome | WithMap<RefundOutcome>> {
  return await refund(ledger, options.purchaseId, async (map, { purchase, reservation }) => {
    if (purchase.status !== 'REFUNDING') {
      return { result: { status: progressOf(purchase), purchase, reservation, isNews: false }, moves: [] }
    }
    const moves = (await isPaidBy(map, purchase, reservation)) ? await returnSeats(map, reservation) : []
    const change = { status: 'REFUNDED' as const, refunded: purchase.captured }
    const changed = await changePurchase(map.transaction, { purchase, change, at: map.at })
    const ended = (await readReservation(map.transaction.db, reservation.id)) ?? reservation
    const result: RefundOutcome = { status: 'refunded', purchase: changed, reservation: ended, isNews: true }
    await options.alongside?.(map.transaction, result)
    await tell(map.transaction, [newsOfPurchase(changed, ended, 'purchase.refunded')])
    return { result, moves }
  })
}

async function noteRefund({ transaction, eventId }: OpenSeatMap, actorId: string, purchase: Purchase): Promise<void> {
  const { id, captured: amount, currency, reservationId } = purchase
  const after = { amount, currency, reservationId }
  await recordAction(transaction.db, { actorId, kind: 'purchase.refunded', eventId, subject: id, after })
}

interface Found {
  readonly purchase: Purchase
  readonly reservation: ReservationRow
}

async function refund(
  ledger: Primary,
  purchaseId: string,
  work: (map: OpenSeatMap, found: Found) => Promise<{ result: RefundOutcome; moves: readonly SeatMove[] }>,
): Promise<RefundOutcome | WithMap<RefundOutcome>> {
  const found = await readPurchase(ledger.db, purchaseId)
  if (found === null) return { status: 'unknown' }
  const outcome = await withSeatMap<RefundOutcome>(ledger, found.eventId, async (map) => {
    const purchase = await readPurchase(map.transaction.db, purchaseId)
    const reservation = await readReservation(map.transaction.db, found.reservationId)
    if (purchase === null || reservation === null) return { result: { status: 'unknown' }, moves: [] }
    return await work(map, { purchase, reservation })
  })
  return outcome ?? { status: 'unknown' }
}

function progressOf({ status }: Purchase): 'refunding' | 'refunded' | 'not_captured' {
  switch (status) {
    case 'REFUNDING':
      return 'refunding'
    case 'REFUNDED':
      return 'refunded'
    case 'PROCESSING':
    case 'PAID':
    case 'DECLINED':
    case 'STUCK':
      return 'not_captured'
  }
}

/** Whether a visitor came in with what this purchase paid for. From here on none does, until the transaction ends. */
async function isUsed(map: OpenSeatMap, purchase: Purchase, reservation: ReservationRow): Promise<boolean> {
  if (!(await isPaidBy(map, purchase, reservation))) return false
  // One after the other: the second statement sees what was committed while the first one waited.
  await map.transaction.run(LOCK_RESERVATION, [reservation.id])
  const [found] = await map.transaction.run<{ isUsed: boolean }>(FIND_USED, [reservation.id])
  return found?.isUsed === true
}

/** Money that came twice or late goes back without touching what another purchase has paid for. */
async function isPaidBy(map: OpenSeatMap, purchase: Purchase, reservation: ReservationRow): Promise<boolean> {
  if (reservation.status !== 'PAID') return false
  const purchases = await readPurchasesOf(map.transaction.db, reservation.id)
  return !purchases.some(({ id, status }) => id !== purchase.id && status === 'PAID')
}

async function returnSeats(map: OpenSeatMap, reservation: ReservationRow): Promise<readonly SeatMove[]> {
  const desk = openDesk(await readKeptSeats(map.transaction, [reservation.id]), map.counts)
  desk.release(reservation.id)
  await map.transaction.run(MARK_REFUNDED, [reservation.id, map.at])
  await setSeats(map, desk)
  return desk.moves()
}
