import type { createMollieClient, Locale, PaymentMethod } from '@mollie/api-client'
import type { PaymentOrder } from '../provider.ts'
import { mollieAmount } from './mollie-amount.ts'

export type MollieClient = ReturnType<typeof createMollieClient>
type NewPayment = Parameters<MollieClient['payments']['create']>[0]

/** Mollie refuses longer ones. */
const DESCRIPTION_MAX = 255

/**
 * Methods that say at once whether they have paid; of these Mollie shows what the account has switched on. Bank
 * transfers and direct debits take days, and a hold cannot wait for them. Methods that only authorise are left out too.
 */
const METHODS = [
  'applepay',
  'bancomatpay',
  'bancontact',
  'belfius',
  'bizum',
  'blik',
  'creditcard',
  'eps',
  'googlepay',
  'ideal',
  'kbc',
  'mbway',
  'mobilepay',
  'mybank',
  'paypal',
  'paysafecard',
  'przelewy24',
  'satispay',
  'swish',
  'trustly',
  'twint',
  'vipps',
] as const satisfies readonly `${PaymentMethod}`[]

/** Our languages that Mollie's page speaks; in others it follows the browser. */
const LOCALES: Readonly<Record<string, `${Locale}`>> = { en: 'en_GB' }

/** The payment for an order. It follows from the order alone, so that a retry sends the same. */
export function paymentOf(order: PaymentOrder, site: string, webhookUrl: string): NewPayment {
  const { purchaseId, reservationId, amount, currency, description, lines, email, language } = order
  const locale = LOCALES[language ?? '']
  return {
    idempotencyKey: purchaseId,
    amount: mollieAmount(amount, currency),
    description: description.slice(0, DESCRIPTION_MAX),
    // One address for every return: the page there asks Mollie how it stands.
    redirectUrl: `${site}/checkout/${reservationId}`,
    webhookUrl,
    // The SDK's types name an enum; its values are these strings.
    method: [...METHODS] as PaymentMethod[],
    metadata: { purchaseId, reservationId },
    lines: lines.map(({ name, quantity, unitPrice }) => ({
      description: name,
      quantity,
      unitPrice: mollieAmount(unitPrice, currency),
      totalAmount: mollieAmount(quantity * unitPrice, currency),
    })),
    ...(locale === undefined ? {} : { locale: locale as Locale }),
    // `billingAddress` would need a whole postal address.
    ...(email === null ? {} : { billingEmail: email }),
  }
}
