import { SeatwiseError } from '@seatwise/domain'
import { type Purchase, type StoredAnswer, withdrawPayment } from '@seatwise/ledger'
import { storedAnswer } from './conclude-payment.ts'
import type { Payments } from './payments.ts'

const REASON = 'The payment provider could not be reached; nothing was charged'
const RETRY_SECONDS = 2

/**
 * Ends a payment that the provider did not accept, so that a retry under the same key begins anew. Returns only when
 * another server has decided the payment meanwhile.
 */
export async function withdraw(payments: Payments, { id }: Purchase): Promise<StoredAnswer> {
  const outcome = await withdrawPayment(payments.ledger, { purchaseId: id, reason: REASON })
  if (outcome.status === 'unknown') throw new Error(`The purchase ${id} is gone`)
  if (outcome.status === 'declined') payments.count('declined')
  const stored = await storedAnswer(payments, outcome.purchase)
  if (stored !== null) return stored
  throw new SeatwiseError('UNAVAILABLE', { message: REASON, retryAfterSeconds: RETRY_SECONDS })
}
