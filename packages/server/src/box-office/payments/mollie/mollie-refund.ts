import type { Payment, Refund, RefundStatus } from '@mollie/api-client'
import type { RefundRequest, RefundState } from '../provider.ts'
import { mollieAmount, ourAmount } from './mollie-amount.ts'

interface SentRefund {
  readonly amount: { readonly currency: string; readonly value: string }
  readonly metadata: { readonly refundId: string }
  readonly idempotencyKey: string
}

/**
 * What to ask Mollie for, or how the refund stands if it was asked for before. Mollie forgets idempotency keys after an hour,
 * so the refund carries our id as metadata, and we look for it first. A lost refund is asked for again under another key,
 * or Mollie would repeat its first answer.
 */
export function mollieRefundOf(
  payment: Payment,
  earlier: readonly Refund[],
  { refundId, amount, currency }: RefundRequest,
): SentRefund | RefundState {
  const ours = earlier.filter((refund) => idOf(refund) === refundId)
  const live = ours.find((refund) => !isLost(refund))
  if (live !== undefined) return stateOfRefund(live)
  if (sumOf(earlier) + amount > ourAmount(payment.amount)) {
    // All of it is back already, by a refund without our id: made in the dashboard, or by an older version.
    const same = earlier.find(
      (refund) => idOf(refund) === null && !isLost(refund) && ourAmount(refund.amount) === amount,
    )
    return same === undefined ? 'refused' : stateOfRefund(same)
  }
  return {
    ...{ amount: mollieAmount(amount, currency), metadata: { refundId } },
    idempotencyKey: `refund:${refundId}:${ours.length}`,
  }
}

/** Mollie returns metadata as it was sent; a refund of another origin may have anything there. */
function idOf({ metadata }: Refund): string | null {
  if (typeof metadata !== 'object' || metadata === null || !('refundId' in metadata)) return null
  return typeof metadata.refundId === 'string' ? metadata.refundId : null
}

const statusOf = ({ status }: Refund): `${RefundStatus}` => status
const isLost = (refund: Refund): boolean => statusOf(refund) === 'failed' || statusOf(refund) === 'canceled'

/** `queued`: Mollie waits for our balance. What is merely pending was accepted: the bank gets it on the next business day. */
export function stateOfRefund(refund: Refund): RefundState {
  if (isLost(refund)) return 'refused'
  return statusOf(refund) === 'queued' ? 'pending' : 'refunded'
}

/** Refunded, or on its way. */
export function sumOf(refunds: readonly Refund[]): number {
  return refunds.filter((refund) => !isLost(refund)).reduce((sum, { amount }) => sum + ourAmount(amount), 0)
}
