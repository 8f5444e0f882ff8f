import { faults, type PriceLine, payeeOf } from '@seatwise/domain'
import { keepOrder, type Purchase, readOrderFacts } from '@seatwise/ledger'
import type { Payments } from './payments.ts'
import {
  OrderRefused,
  type PageProvider,
  type PaymentLine,
  type PaymentOrder,
  type PaymentState,
  type PreparedPage,
} from './provider.ts'

/**
 * Opens the provider's page for a purchase; null when the provider did not accept the order. The order is stored before
 * it is sent: a retry, by any server, sends the same and gets the same page. The buyer learns the address of the page
 * only after its reference is stored, so that a purchase without a reference was never paid.
 */
export async function openPage(
  payments: Payments,
  provider: PageProvider,
  purchase: Purchase,
  language: string | null,
): Promise<PaymentState | null> {
  const { desk, ledger, log } = payments
  const { id: purchaseId } = purchase
  const order = await keepOrder(ledger.db, purchaseId, await putTogether(payments, provider, purchase, language))
  // Another server has stored the reference, or decided the payment.
  if (order === null) return { status: 'pending' }
  let page: PreparedPage
  try {
    page = await provider.prepare(order)
  } catch (err) {
    if (err instanceof OrderRefused) {
      log.error({ err, purchaseId }, 'the payment provider refuses an order for good')
      return { status: 'declined', reason: err.message }
    }
    log.warn({ err, purchaseId }, 'the payment provider did not accept a payment')
    return null
  }
  if (faults.on) await faults.reach('pay.after-prepare')
  if (!(await desk.noteRef({ purchaseId, providerRef: page.ref }))) return { status: 'pending' }
  return { status: 'requires_action', url: page.url }
}

async function putTogether(
  { ledger }: Payments,
  { feePercent }: PageProvider,
  purchase: Purchase,
  language: string | null,
): Promise<PaymentOrder> {
  const { id: purchaseId, reservationId, amount, currency } = purchase
  const { eventName, email, lines, stripeAccount } = await readOrderFacts(ledger.db, reservationId)
  // The items of most providers cannot be below 0: with a discount one item has the total.
  const isReduced = lines.some((line) => line.amount < 0)
  const shown = isReduced ? [{ name: eventName, quantity: 1, unitPrice: amount }] : lines.map(toPaymentLine)
  return {
    ...{ purchaseId, reservationId, amount, currency, description: eventName },
    ...{ lines: shown, email, language, orderedAt: new Date().toISOString() },
    payee: feePercent === null || stripeAccount === null ? null : payeeOf(stripeAccount, amount, feePercent),
  }
}

/** A fee is one piece. */
function toPaymentLine(line: PriceLine): PaymentLine {
  const { name, amount } = line
  if (line.kind === 'seat') return { name, quantity: line.quantity, unitPrice: line.unitPrice }
  return { name, quantity: 1, unitPrice: amount }
}
