import type Stripe from 'stripe'
import type { RefundRequest, RefundState } from '../provider.ts'
import { stripeAmount } from './stripe-state.ts'

interface SentRefund extends Stripe.RefundCreateParams {
  readonly idempotencyKey: string
}

/**
 * What to ask Stripe for, or how the refund stands if it was asked for before. Stripe forgets idempotency keys after a day,
 * so the refund carries our id as metadata, and we look for it first. A lost refund is asked for again under another key,
 * or Stripe would repeat its first answer.
 */
export function stripeRefundOf(
  intent: Stripe.PaymentIntent,
  earlier: readonly Stripe.Refund[],
  { refundId, amount, currency }: RefundRequest,
): SentRefund | RefundState {
  const ours = earlier.filter(({ metadata }) => metadata?.refund_id === refundId)
  const live = ours.find((refund) => !isLost(refund))
  if (live !== undefined) return stateOfRefund(live)
  const wanted = stripeAmount(amount, currency)
  if (sumOf(earlier) + wanted > intent.amount_received) {
    // All of it is back already, by a refund without our id: made in the dashboard, or by an older version.
    const same = earlier.find((refund) => !refund.metadata?.refund_id && !isLost(refund) && refund.amount === wanted)
    return same === undefined ? 'refused' : stateOfRefund(same)
  }
  return {
    ...{ payment_intent: intent.id, amount: wanted, metadata: { refund_id: refundId }, ...fromWhom(intent) },
    idempotencyKey: `refund:${refundId}:${ours.length}`,
  }
}

/**
 * What was transferred to a connected account comes back from there, and our fee goes back to it: what Stripe did when it
 * captured the payment decides, not the account that the organization has now.
 */
function fromWhom(intent: Stripe.PaymentIntent): Stripe.RefundCreateParams {
  if (intent.transfer_data == null) return {}
  return { reverse_transfer: true, ...(intent.application_fee_amount === null ? {} : { refund_application_fee: true }) }
}

const isLost = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled'

export function stateOfRefund(refund: Stripe.Refund): RefundState {
  if (isLost(refund)) return 'refused'
  return refund.status === 'succeeded' ? 'refunded' : 'pending'
}

/** Refunded, or on its way, as Stripe counts. */
export function sumOf(refunds: readonly Stripe.Refund[]): number {
  return refunds.filter((refund) => !isLost(refund)).reduce((sum, { amount }) => sum + amount, 0)
}
