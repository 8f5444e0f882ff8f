import { takeUndecidedPayments } from '@seatwise/seats'
import type { Payments } from './payments.ts'
import { settlePayment } from './settle-payment.ts'

/** A minute of a provider's time limit for a busy server; more wait for the next round. */
const ROUND_MAX = 20

/** Asks about payments whose webhook was lost, whose server died, or whose refund is on its way. Returns how many. */
export async function settleUndecided(payments: Payments): Promise<number> {
  const due = await takeUndecidedPayments(payments.ledger.db, ROUND_MAX)
  await Promise.all(
    due.map(async (purchaseId) => {
      try {
        await settlePayment(payments, purchaseId)
      } catch (err) {
        payments.log.warn({ err, purchaseId }, 'a payment could not be decided; asking again later')
      }
    }),
  )
  return due.length
}
