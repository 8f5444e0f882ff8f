import { faults } from '@seatwise/domain'
import {
  DOOR_PROVIDER,
  type FinishRefundOutcome,
  finishRefund,
  noteRefusal,
  type Purchase,
  type Refund,
  type RefundWish,
  readPurchase,
  readRefund,
  readRefundsOf,
  type StartRefundOutcome,
  startRefund,
} from '@seatwise/ledger'
import { changeOf, type Payments } from './payments.ts'

/** Refunds a purchase, or some seats of it. The decision is recorded first, so that any server that finds it can finish it. */
export async function refundPurchase(payments: Payments, wish: RefundWish): Promise<StartRefundOutcome> {
  const outcome = await startRefund(payments.ledger, wish)
  if (outcome.status !== 'refunding') return outcome
  if (faults.on) await faults.reach('refund.after-start')
  let { purchase, reservation } = outcome
  let isAllBack = true
  for (const refund of outcome.refunds) {
    const done = await sendBack(payments, purchase, refund)
    if (done === null) isAllBack = false
    else ({ purchase, reservation } = done)
  }
  return isAllBack ? { status: 'refunded', purchase, reservation } : { ...outcome, purchase, reservation }
}

/** Continues everything that is on its way back of a purchase. */
export async function sendAllBack(payments: Payments, purchase: Purchase): Promise<void> {
  const refunds = await readRefundsOf(payments.ledger.db, purchase.id)
  for (const refund of refunds) if (refund.state === 'PENDING') await sendBack(payments, purchase, refund)
}

/** Continues a refund that another server, or an earlier call, has decided. */
export async function resumeRefund(payments: Payments, refundId: string): Promise<void> {
  const refund = await readRefund(payments.ledger.db, refundId)
  const purchase = refund === null ? null : await readPurchase(payments.ledger.db, refund.purchaseId)
  if (refund === null || purchase === null) throw new Error(`There is no refund ${refundId}`)
  if (refund.state === 'PENDING') await sendBack(payments, purchase, refund)
}

type Back = Exclude<FinishRefundOutcome, { status: 'unknown' }>

/** Asks the provider to send the money of a refund; null while it has not: then the watch asks again later. */
async function sendBack(payments: Payments, purchase: Purchase, refund: Refund): Promise<Back | null> {
  const { ledger, log, count, follow } = payments
  const { id: refundId, amount } = refund
  if (!(await isBack(payments, purchase, refund))) return null
  if (faults.on) await faults.reach('refund.after-provider')
  const outcome = await finishRefund(ledger, refundId)
  if (faults.on) await faults.reach('refund.after-finish')
  if (outcome.status === 'unknown') throw new Error(`The refund ${refundId} is gone`)
  // Several servers may have found the same pending refund; another one has finished it.
  if (!outcome.isNews) return outcome
  count('refunded')
  log.info({ purchaseId: purchase.id, refundId, amount }, 'payment refunded')
  await follow({ kind: 'refunded', reservation: outcome.reservation, change: changeOf(outcome) })
  return outcome
}

async function isBack({ provider, ledger, log }: Payments, purchase: Purchase, refund: Refund): Promise<boolean> {
  const { id: purchaseId, currency, providerRef } = purchase
  const { id: refundId, amount } = refund
  // Money that was paid at the door is paid out there by hand: finishing the refund books that.
  if (amount === 0 || purchase.provider === DOOR_PROVIDER) return true
  if (purchase.provider !== provider.name || providerRef === null) {
    log.error({ purchaseId, provider: purchase.provider }, 'a refund needs another payment provider')
    return false
  }
  try {
    const state = await provider.refund(providerRef, { refundId, amount, currency })
    if (state !== 'refused') return state === 'refunded'
    // The refund stays pending, and so appears in the operator's list.
    log.error({ purchaseId, refundId }, 'the payment provider refuses a refund')
    await noteRefusal(ledger.db, refundId, 'The payment provider refuses it')
    return false
  } catch (err) {
    log.warn({ err, purchaseId, refundId }, 'the payment provider did not answer, retrying later')
    return false
  }
}
