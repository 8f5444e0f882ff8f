import { finishRefund, type Purchase, type RefundOutcome, startRefund } from '@seatwise/ledger'
import { changeOf, type Payments } from './payments.ts'

/** Gives the money of a purchase back. The decision is written down first, so that whoever finds it can finish it. */
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

/** Asks the provider to send captured money back; null while it is not there yet: then somebody asks again later. */
export async function sendBack(payments: Payments, purchase: Purchase): Promise<RefundOutcome | null> {
  const { ledger, log, count, follow } = payments
  const { id: purchaseId } = purchase
  if (!(await isBack(payments, purchase))) return null
  const outcome = await finishRefund(ledger, { purchaseId })
  if (outcome.status === 'unknown') throw new Error(`The purchase ${purchaseId} is gone`)
  // Several servers may have found it on its way; one of them has finished it.
  if (!outcome.isNews) return outcome
  count('refunded')
  log.info({ purchaseId, captured: purchase.captured }, 'payment sent back')
  await follow({ kind: 'refunded', reservation: outcome.reservation, change: changeOf(outcome) })
  return outcome
}

async function isBack({ provider, log }: Payments, purchase: Purchase): Promise<boolean> {
  const { id: purchaseId, captured, providerRef } = purchase
  if (captured === 0) return true
  if (purchase.provider !== provider.name || providerRef === null) {
    log.error({ purchaseId, provider: purchase.provider }, 'a refund waits for another payment provider')
    return false
  }
  try {
    const state = await provider.refund(providerRef)
    // It stays on its way, and so comes to the operator's list.
    if (state === 'refused') log.error({ purchaseId }, 'the payment provider refuses a refund')
    return state === 'refunded'
  } catch (err) {
    log.warn({ err, purchaseId }, 'the payment provider did not answer; asking again later')
    return false
  }
}
