import { planRefund, type RefundFee } from '@seatwise/domain'
import { inTransaction, loadStatement, type Primary, type Transaction } from '../../engine/index.ts'
import { readPurchase } from '../purchase.ts'
import { readRefundItems } from './refund.ts'

const READ_REFUND_OFFER = loadStatement(import.meta.url, 'read-refund-offer.sql')

/** The terms under which buyers may refund their own seats. */
export interface RefundTerms {
  readonly until: Date
  readonly fee: RefundFee | null
}

/** Null while only the organiser refunds. `at`: by the ledger's clock. */
export async function readRefundTerms(
  transaction: Transaction,
  eventId: string,
  at: Date | null,
): Promise<RefundTerms | null> {
  const [terms] = await transaction.run<RefundTerms>(READ_REFUND_OFFER, [eventId, at])
  return terms ?? null
}

/** What a buyer would get back now. */
export interface RefundOffer {
  readonly until: Date
  readonly amount: number
  readonly kept: number
  readonly seatIds: readonly string[]
  /** Seats whose e-tickets have another holder: they stay as they are. */
  readonly transferredSeatIds: readonly string[]
}

/** What the buyer of a purchase may refund without the organiser; null when there is nothing. Decides and locks nothing. */
export async function readRefundOffer(ledger: Primary, purchaseId: string): Promise<RefundOffer | null> {
  return await inTransaction(ledger, async (transaction) => {
    const purchase = await readPurchase(transaction.db, purchaseId)
    if (purchase === null || !['PAID', 'PARTLY_REFUNDED'].includes(purchase.status)) return null
    const terms = await readRefundTerms(transaction, purchase.eventId, null)
    if (terms === null) return null
    const items = await readRefundItems(transaction, purchase.reservationId)
    const left = items.filter(({ refundId, isUsed }) => refundId === null && !isUsed)
    const own = left.filter(({ isTransferred }) => !isTransferred)
    const transferred = left.filter(({ isTransferred }) => isTransferred)
    if (own.length === 0) return null
    return {
      ...{ until: terms.until, ...planRefund(own, { fee: terms.fee }) },
      seatIds: own.map(({ seatId }) => seatId),
      transferredSeatIds: transferred.map(({ seatId }) => seatId),
    }
  })
}
