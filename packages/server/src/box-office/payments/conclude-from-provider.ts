import { type Purchase, readOperation, readPatience, readPurchase, type StoredAnswer } from '@seatwise/ledger'
import { processingAnswer } from './answers.ts'
import { concludePayment } from './conclude-payment.ts'
import type { Payments } from './payments.ts'
import type { PaymentState } from './provider.ts'
import { sendAllBack } from './refund-purchase.ts'

/**
 * By then the server that began a payment has continued it, or never will. A wrong guess costs the buyer a second try.
 */
const ABANDONED_SECONDS = 10

/**
 * Asks the provider for the state of a payment, and concludes it. Webhooks, the watch and buyers who reload all end
 * here: it does not matter who calls, how often, or in which order.
 */
export async function concludeFromProvider(payments: Payments, purchaseId: string): Promise<StoredAnswer> {
  const purchase = await readPurchase(payments.ledger.db, purchaseId)
  if (purchase === null) throw new Error(`There is no purchase ${purchaseId}`)
  switch (purchase.status) {
    case 'PROCESSING':
    case 'STUCK':
    // Money may arrive after the payment was given up: then it counts.
    case 'DECLINED':
      return await concludePayment(payments, purchase, await ask(payments, purchase))
    case 'REFUNDING':
      await sendAllBack(payments, purchase)
      return await stored(payments, purchase)
    case 'PAID':
    case 'PARTLY_REFUNDED':
    case 'REFUNDED':
      return await stored(payments, purchase)
  }
}

async function stored({ ledger }: Payments, purchase: Purchase): Promise<StoredAnswer> {
  const { actorId, operationKey } = purchase
  const operation =
    actorId === null || operationKey === null ? null : await readOperation(ledger.db, actorId, operationKey)
  return operation?.answer ?? processingAnswer(purchase, { status: 'pending' })
}

/** The next step for a payment that was begun and possibly abandoned. */
async function ask({ ledger, provider, log }: Payments, purchase: Purchase): Promise<PaymentState> {
  const { id: purchaseId, providerRef, amount } = purchase
  if (amount === 0) return { status: 'captured', amount: 0 }
  if (purchase.provider !== provider.name) {
    log.error({ purchaseId, provider: purchase.provider }, 'a payment needs another payment provider')
    return { status: 'pending' }
  }
  const patience = await readPatience(ledger.db, purchaseId)
  const isAbandoned = patience.ageSeconds > ABANDONED_SECONDS
  if (providerRef === null) {
    // The reference is recorded before any money moves, so no money has moved.
    return isAbandoned ? { status: 'declined', reason: 'It was given up before it began' } : { status: 'pending' }
  }
  const state = await provider.status(providerRef)
  const isTooLate =
    (state.status === 'unpaid' && isAbandoned) || (state.status === 'requires_action' && patience.isOver)
  return isTooLate ? await provider.cancel(providerRef) : state
}
