import { randomUUID } from 'node:crypto'
import { faults } from '@seatwise/domain'
import type { Primary } from '../../engine/index.ts'
import type { StoredAnswer } from '../../operations/index.ts'
import { type News, tell } from '../../outbox/index.ts'
import { answersToForget, type ReservationRow, readReservation } from '../../reservations/index.ts'
import { type OpenSeatMap, type SeatMove, type WithMap, withSeatMap } from '../../seat-map/index.ts'
import {
  type Alongside,
  answerOperation,
  changePurchase,
  newsOfPurchase,
  type Purchase,
  type PurchaseChange,
  readPurchase,
} from '../purchase.ts'
import { writeRefund } from '../refunding/refund.ts'
import { type SeatSale, sellSeats } from './sell-seats.ts'

export interface ConfirmPayment {
  readonly purchaseId: string
  /** What the provider says it has taken. */
  readonly captured: number
  readonly providerRef: string | null
  /** The limit for late money: it gives the buyer no more seats than this in all. */
  readonly seatsPerBuyerMax: number
  readonly alongside?: Alongside<ConfirmOutcome>
}

export interface Confirmed {
  readonly purchase: Purchase
  readonly reservation: ReservationRow
}

export type ConfirmOutcome =
  /** `isMoved`: the money was late and other, equal seats were there. `answer`: what was stored under its key. */
  | ({ readonly status: 'paid'; readonly isMoved: boolean; readonly answer: StoredAnswer | null } & Confirmed)
  /** Nothing to sell for this money any more: send it back, then call finishRefund. */
  | ({ readonly status: 'refund' } & Confirmed)
  /** Another amount than was asked for: an operator has to look. */
  | ({ readonly status: 'stuck' } & Confirmed)
  /** It was decided before; the purchase tells how. */
  | ({ readonly status: 'repeated' } & Confirmed)
  | { readonly status: 'unknown' }

/** The provider has the money: sells the seats, or decides on a refund. Idempotent: repeated reports change nothing. */
export async function confirmPayment(
  ledger: Primary,
  options: ConfirmPayment,
): Promise<ConfirmOutcome | WithMap<ConfirmOutcome>> {
  const found = await readPurchase(ledger.db, options.purchaseId)
  if (found === null) return { status: 'unknown' }
  const outcome = await withSeatMap<ConfirmOutcome>(ledger, found.eventId, async (map) => {
    const decided = await confirmInside(map, options)
    if (faults.on) await faults.reach('pay.inside-confirm')
    return decided
  })
  return outcome ?? { status: 'unknown' }
}

interface Decided {
  result: ConfirmOutcome
  moves: readonly SeatMove[]
}

async function confirmInside(map: OpenSeatMap, options: ConfirmPayment): Promise<Decided> {
  const { captured, providerRef } = options
  const purchase = await readPurchase(map.transaction.db, options.purchaseId)
  const reservation = purchase === null ? null : await readReservation(map.transaction.db, purchase.reservationId)
  if (purchase === null || reservation === null) return { result: { status: 'unknown' }, moves: [] }
  if (isDecided(purchase) || isStuckWith(purchase, captured))
    return { result: { status: 'repeated', purchase, reservation }, moves: [] }
  const decide = (status: 'paid' | 'refund' | 'stuck', change: PurchaseChange, isMoved = false) =>
    conclude(map, options, { status, change: { captured, providerRef, ...change }, purchase, isMoved })

  if (captured !== purchase.amount) {
    const reason = `${captured} was captured instead of ${purchase.amount}`
    return { result: await decide('stuck', { status: 'STUCK', reason }), moves: [] }
  }
  const sale: SeatSale = (await isCancelled(map))
    ? { status: 'gone', reason: 'The event was cancelled' }
    : await sellSeats(map, reservation, options.seatsPerBuyerMax)
  if (sale.status === 'gone') {
    return { result: await decide('refund', { status: 'REFUNDING', reason: sale.reason }), moves: [] }
  }
  return { result: await decide('paid', { status: 'PAID' }, sale.isMoved), moves: sale.moves }
}

/** Of an event that was cancelled nothing is sold, however late its money comes. */
async function isCancelled({ transaction, eventId }: OpenSeatMap): Promise<boolean> {
  const event = await transaction.db.selectFrom('events').select('state').where('id', '=', eventId).executeTakeFirst()
  return event?.state === 'cancelled'
}

/** A declined or stuck payment may still turn out to be captured: the captured money decides, not the stored state. */
export const isDecided = ({ status }: Purchase): boolean =>
  status === 'PAID' || status === 'PARTLY_REFUNDED' || status === 'REFUNDING' || status === 'REFUNDED'

/** An operator was told, and nothing has changed since. */
const isStuckWith = (purchase: Purchase, captured: number): boolean =>
  purchase.status === 'STUCK' && purchase.captured === captured && captured !== purchase.amount

interface Conclusion {
  readonly status: 'paid' | 'refund' | 'stuck'
  readonly change: PurchaseChange
  readonly purchase: Purchase
  readonly isMoved: boolean
}

async function conclude(map: OpenSeatMap, options: ConfirmPayment, conclusion: Conclusion): Promise<ConfirmOutcome> {
  const { status, change, isMoved } = conclusion
  const purchase = await changePurchase(map.transaction, { purchase: conclusion.purchase, change, at: map.at })
  if (status === 'refund') {
    await storeRefund(map, purchase)
    await map.transaction.together(answersToForget([purchase.reservationId]))
  }
  const reservation = await readReservation(map.transaction.db, purchase.reservationId)
  if (reservation === null) throw new Error(`The reservation ${purchase.reservationId} is gone`)
  const outcome: ConfirmOutcome =
    status === 'paid' ? { status, isMoved, purchase, reservation, answer: null } : { status, purchase, reservation }
  const answer = (await options.alongside?.(map.transaction, outcome)) ?? null
  await answerOperation(map.transaction, purchase, answer)
  await tell(map.transaction, [newsOfPurchase(purchase, reservation, NEWS[status])])
  return outcome.status === 'paid' ? { ...outcome, answer } : outcome
}

/** Nothing was sold for this money: all of it goes back. */
async function storeRefund({ transaction, at }: OpenSeatMap, purchase: Purchase): Promise<void> {
  const { captured: amount, reason } = purchase
  const refund = { id: randomUUID(), seatIds: [], amount, kept: 0, reason: reason ?? '', at }
  await writeRefund(transaction, purchase, refund)
}

const NEWS = {
  paid: 'purchase.paid',
  refund: 'purchase.refunding',
  stuck: 'purchase.stuck',
} as const satisfies Record<Conclusion['status'], News['type']>
