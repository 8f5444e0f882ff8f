import { randomUUID } from 'node:crypto'
import { faults, planRefund } from '@seatwise/domain'
import { loadStatement, type Primary } from '../../engine/index.ts'
import { type OperationKey, storeAnswerInside } from '../../operations/index.ts'
import { tell } from '../../outbox/index.ts'
import { type ReservationRow, readReservation } from '../../reservations/index.ts'
import { type OpenSeatMap, withSeatMap } from '../../seat-map/index.ts'
import { recordAction } from '../../trail/index.ts'
import { changePurchase, newsOfPurchase, type Purchase, readPurchase } from '../purchase.ts'
import {
  isPaidBy,
  type Refund,
  type RefundItem,
  readRefundByKey,
  readRefundItems,
  readRefundsOf,
  writeRefund,
} from './refund.ts'
import { type RefundTerms, readRefundTerms } from './refund-offer.ts'

const LOCK_RESERVATION = loadStatement(import.meta.url, 'lock-reservation.sql')

export interface RefundWish {
  readonly purchaseId: string
  readonly reason: string
  /** Which seats; without them all that are left. */
  readonly seatIds?: readonly string[] | undefined
  readonly keepFees?: boolean | undefined
  /** Refunds also seats that a visitor was let in with. */
  readonly evenIfUsed?: boolean | undefined
  /** The buyer asks: only while the event offers it, under its terms, and only for e-tickets that are still theirs. */
  readonly asBuyer?: boolean | undefined
  /** Refuses to send another amount back than this. */
  readonly amount?: number | undefined
  /** The account that the trail names; without it the trail gets no entry. */
  readonly by?: string | undefined
  /** The key of the call: from here on it belongs to this refund. */
  readonly operation?: OperationKey | undefined
}

interface Found {
  readonly purchase: Purchase
  readonly reservation: ReservationRow
}

export type StartRefundOutcome =
  /** Send the money of these refunds back, then call finishRefund for each. `isNew`: this call decided it. */
  | ({ readonly status: 'refunding'; readonly refunds: readonly Refund[]; readonly isNew: boolean } & Found)
  /** It is back already. */
  | ({ readonly status: 'refunded' } & Found)
  /** There is no money to send back. */
  | ({ readonly status: 'not_captured' } & Found)
  /** Visitors were let in with these seats. */
  | ({ readonly status: 'used'; readonly seatIds: readonly string[] } & Found)
  /** These seats were refunded before, or are about to be. */
  | ({ readonly status: 'already'; readonly seatIds: readonly string[] } & Found)
  /** The event does not offer refunds to buyers now. */
  | ({ readonly status: 'not_offered' } & Found)
  /** These e-tickets have another holder by now. */
  | ({ readonly status: 'transferred'; readonly seatIds: readonly string[] } & Found)
  /** Another amount than the expected one would go back. */
  | ({ readonly status: 'changed'; readonly amount: number } & Found)
  /** These seats are not of this purchase. */
  | ({ readonly status: 'unknown_seats'; readonly seatIds: readonly string[] } & Found)
  | { readonly status: 'unknown' }

/**
 * Decides that money goes back, before the provider is asked: any server that finds the refund may finish it. From here on
 * the seats' e-tickets let no visitor in.
 */
export async function startRefund(ledger: Primary, wish: RefundWish): Promise<StartRefundOutcome> {
  const found = await readPurchase(ledger.db, wish.purchaseId)
  if (found === null) return { status: 'unknown' }
  const outcome = await withSeatMap<StartRefundOutcome>(ledger, found.eventId, async (map) => {
    const result = await decide(map, wish, found.reservationId)
    if (faults.on && result.status === 'refunding') await faults.reach('refund.inside-start')
    return { result, moves: [] }
  })
  return outcome ?? { status: 'unknown' }
}

async function decide(map: OpenSeatMap, wish: RefundWish, reservationId: string): Promise<StartRefundOutcome> {
  const { transaction } = map
  const purchase = await readPurchase(transaction.db, wish.purchaseId)
  const reservation = await readReservation(transaction.db, reservationId)
  if (purchase === null || reservation === null) return { status: 'unknown' }
  const both = { purchase, reservation }
  const { operation } = wish
  const earlier = operation === undefined ? null : await readRefundByKey(transaction.db, operation)
  if (earlier !== null) return earlier.state === 'DONE' ? { status: 'refunded', ...both } : refunding(both, [earlier])

  const terms = wish.asBuyer === true ? await readRefundTerms(transaction, map.eventId, map.at) : null
  if (wish.asBuyer === true && terms === null) return { status: 'not_offered', ...both }
  switch (purchase.status) {
    case 'PROCESSING':
    case 'DECLINED':
      return { status: 'not_captured', ...both }
    case 'STUCK':
      return await refundWithoutSale(map, wish, both)
    case 'PAID':
    case 'PARTLY_REFUNDED':
    case 'REFUNDING':
    case 'REFUNDED':
      return await refundSeats(map, wish, both, terms)
  }
}

const refunding = (found: Found, refunds: readonly Refund[], isNew = false): StartRefundOutcome => ({
  ...{ status: 'refunding', refunds, isNew },
  ...found,
})

/** What was captured of a payment that sold nothing goes back as a whole. */
async function refundWithoutSale(map: OpenSeatMap, wish: RefundWish, found: Found): Promise<StartRefundOutcome> {
  const { purchase } = found
  if (wish.seatIds !== undefined) return { status: 'unknown_seats', seatIds: wish.seatIds, ...found }
  if (purchase.captured === 0) return { status: 'not_captured', ...found }
  return await write(map, wish, found, { seatIds: [], amount: purchase.captured, kept: 0, isAll: true })
}

async function refundSeats(
  map: OpenSeatMap,
  wish: RefundWish,
  found: Found,
  terms: RefundTerms | null,
): Promise<StartRefundOutcome> {
  const { purchase, reservation } = found
  // One after the other: the second statement sees what was committed while the first one waited.
  await map.transaction.run(LOCK_RESERVATION, [reservation.id])
  const items = await itemsOf(map, purchase, reservation)
  const known = new Set(items.map(({ seatId }) => seatId))
  const unknown = (wish.seatIds ?? []).filter((seatId) => !known.has(seatId))
  if (unknown.length > 0) return { status: 'unknown_seats', seatIds: unknown, ...found }

  const left = items.filter(({ refundId }) => refundId === null)
  const chosen = wish.seatIds === undefined ? left : items.filter(({ seatId }) => wish.seatIds?.includes(seatId))
  const already = chosen.filter(({ refundId }) => refundId !== null)
  if (already.length > 0) return { status: 'already', seatIds: idsOf(already), ...found }
  const own = chosen.filter(({ isTransferred }) => terms === null || !isTransferred)
  const gone = chosen.filter((item) => !own.includes(item))
  // Seats that the buyer names are refused; of all that are left, those of other holders stay as they are.
  if (gone.length > 0 && (wish.seatIds !== undefined || own.length === 0)) {
    return { status: 'transferred', seatIds: idsOf(gone), ...found }
  }
  if (own.length === 0) return await progress(map, found)
  const used = own.filter(({ isUsed }) => isUsed)
  if (used.length > 0 && wish.evenIfUsed !== true) return { status: 'used', seatIds: idsOf(used), ...found }
  const plan = planRefund(own, { keepFees: wish.keepFees === true, fee: terms?.fee ?? null })
  if ((wish.amount ?? plan.amount) !== plan.amount) return { status: 'changed', amount: plan.amount, ...found }
  return await write(map, wish, found, {
    ...plan,
    seatIds: idsOf(own),
    isAll: own.length === left.length,
  })
}

/** The seats that this purchase paid for; none when its money came without a sale. */
async function itemsOf(map: OpenSeatMap, purchase: Purchase, reservation: ReservationRow): Promise<RefundItem[]> {
  const items = await readRefundItems(map.transaction, reservation.id)
  if (await isPaidBy(map.transaction, purchase, reservation)) return items
  const refunds = new Set((await readRefundsOf(map.transaction.db, purchase.id)).map(({ id }) => id))
  return items.filter(({ refundId }) => refundId !== null && refunds.has(refundId))
}

const idsOf = (items: readonly RefundItem[]): string[] => items.map(({ seatId }) => seatId)

/** Nothing is left to refund: what is on its way goes on. */
async function progress(map: OpenSeatMap, found: Found): Promise<StartRefundOutcome> {
  const refunds = await readRefundsOf(map.transaction.db, found.purchase.id)
  const pending = refunds.filter(({ state }) => state === 'PENDING')
  return pending.length > 0 ? refunding(found, pending) : { status: 'refunded', ...found }
}

interface Decision {
  readonly seatIds: readonly string[]
  readonly amount: number
  readonly kept: number
  /** No seat of the purchase is left. */
  readonly isAll: boolean
}

async function write(
  map: OpenSeatMap,
  wish: RefundWish,
  found: Found,
  { isAll, ...decision }: Decision,
): Promise<StartRefundOutcome> {
  const { transaction, at } = map
  const { reason, operation, by } = wish
  // The key belongs to this refund from its first effect on; the answer follows when the money is back.
  const owner = operation && (await storeAnswerInside(transaction, operation, null))
  const refund = await writeRefund(transaction, found.purchase, {
    ...{ id: randomUUID(), ...decision, reason, at },
    operation: operation && { actorId: owner ?? operation.actorId, key: operation.key },
  })
  const { purchase: before, reservation } = found
  const change = { status: isAll ? ('REFUNDING' as const) : before.status, reason }
  const purchase = await changePurchase(transaction, { purchase: before, change, at })
  const news = newsOfPurchase(purchase, reservation, 'purchase.refunding')
  await tell(transaction, [{ ...news, payload: { ...news.payload, refund } }])
  if (by !== undefined) await noteRefund(map, by, purchase, refund)
  return refunding({ purchase, reservation }, [refund], true)
}

async function noteRefund(
  { transaction, eventId }: OpenSeatMap,
  actorId: string,
  { id, currency, reservationId }: Purchase,
  { amount, kept, seatIds }: Refund,
): Promise<void> {
  const after = { amount, currency, reservationId, seatIds, kept }
  await recordAction(transaction.db, { actorId, kind: 'purchase.refunded', eventId, subject: id, after })
}
