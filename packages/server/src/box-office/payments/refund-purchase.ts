import { finishRefund, type Purchase, type RefundOutcome, startRefund } from '@seatwise/ledger'
import { changeOf, type Payments } from './payments.ts'

/** Refunds a purchase. The decision is recorded first, so that any server that finds it can finish it. */
export async function refundPurchase(
  payments: Payments,
  purchaseId: string,
  reason: string,
  by?: string,
): Promise<RefundOutcome> {
  const who = by === undefined ? {} : { by }
  const outcome = await startRefund(payments.ledger, { purchaseId, reason, ...who })
  if (outcome.status !== 'refunding') return outcome
  return (await sendBack(payments, outcome.purchase)) ?? outcome
}

/** Asks the provider to send captured money back; null while it has not: then the watch asks again later. */
export async function sendBack(payments: Payments, purchase: Purchase): Promise<RefundOutcome | null> {
  const { ledger, log, count, follow } = payments
  const { id: purchaseId } = purchase
  if (!(await isBack(payments, purchase))) return null
  const outcome = await finishRefund(ledger, { purchaseId })
  if (outcome.status === 'unknown') throw new Error(`The purchase ${purchaseId} is gone`)
  // Several servers may have found the same pending refund; another one has finished it.
  if (!outcome.isNews) return outcome
  count('refunded')
  log.info({ purchaseId, captured: purchase.captured }, 'payment refunded')
  await follow({ kind: 'refunded', reservation: outcome.reservation, change: changeOf(outcome) })
  return outcome
}

async function isBack({ provider, log }: Payments, purchase: Purchase): Promise<boolean> {
  const { id: purchaseId, captured, providerRef } = purchase
  if (captured === 0) return true
  if (purchase.provider !== provider.name || providerRef === null) {
    log.error({ purchaseId, provider: purchase.provider }, 'a refund needs another payment provider')
    return false
  }
  try {
    const state = await provider.refund(providerRef)
    // The refund stays pending, and so appears in the operator's list.
    if (state === 'refused') log.error({ purchaseId }, 'the payment provider refuses a refund')
    return state === 'refunded'
  } catch (err) {
    log.warn({ err, purchaseId }, 'the payment provider did not answer, retrying later')
    return false
  }
}
