import { readPurchasesOf } from '@seatwise/ledger'
import { concludePayment } from './conclude-payment.ts'
import type { Payments } from './payments.ts'

/**
 * The buyer does not want to finish the payment that is under way for a reservation: the provider's page is closed
 * where the provider can. Money that was faster counts. False when the provider does not let us.
 */
export async function stopPaying(payments: Payments, reservationId: string): Promise<boolean> {
  const { ledger, provider } = payments
  const purchases = await readPurchasesOf(ledger.db, reservationId)
  const open = purchases.find(({ status }) => status === 'PROCESSING')
  if (open === undefined || open.providerRef === null || open.provider !== provider.name) return true
  const { statusCode } = await concludePayment(payments, open, await provider.cancel(open.providerRef))
  return statusCode !== 202
}
