import type Stripe from 'stripe'
import type { PaymentLine, PaymentOrder } from '../provider.ts'
import { stripeAmount } from './stripe-state.ts'

/**
 * A minute more than Stripe's own minimum, for clocks that differ and for a retry. We close the page ourselves when the
 * hold ends; this is for the case that we cannot.
 */
const PAGE_SECONDS = 31 * 60

/** The most items that Stripe shows. */
const ITEMS_MAX = 100

/** Methods that say only days later whether they have paid: a hold cannot wait for them. */
const DELAYED_METHODS = [
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'boleto',
  'customer_balance',
  'konbini',
  'multibanco',
  'nz_bank_account',
  'oxxo',
  'payto',
  'sepa_debit',
  'sofort',
  'us_bank_account',
] as const satisfies Stripe.Checkout.SessionCreateParams.ExcludedPaymentMethodType[]

/**
 * The Checkout Session for an order. It follows from the order alone, so that a retry sends the same. With a payee it is
 * a destination charge: the money is transferred to the connected account, and our fee comes back from there.
 */
export function sessionOf(order: PaymentOrder, site: string): Stripe.Checkout.SessionCreateParams {
  const { purchaseId, reservationId, description, email, language, orderedAt } = order
  const metadata = { purchase_id: purchaseId, reservation_id: reservationId }
  // One address for every return: the page there asks Stripe how it stands.
  const back = `${site}/checkout/${reservationId}`
  return {
    mode: 'payment',
    line_items: itemsOf(order),
    success_url: back,
    cancel_url: back,
    client_reference_id: purchaseId,
    expires_at: Math.floor(Date.parse(orderedAt) / 1_000) + PAGE_SECONDS,
    excluded_payment_method_types: [...DELAYED_METHODS],
    // Buyers pay the price that we showed them, in its currency.
    adaptive_pricing: { enabled: false },
    metadata,
    payment_intent_data: { description, metadata, ...destinationOf(order) },
    ...(email === null ? {} : { customer_email: email }),
    ...(language === null ? {} : { locale: language }),
  }
}

function destinationOf({ payee, currency }: PaymentOrder): Stripe.Checkout.SessionCreateParams.PaymentIntentData {
  if (payee == null) return {}
  const { account: destination, fee } = payee
  // Stripe refuses a fee of 0.
  return {
    transfer_data: { destination },
    ...(fee === 0 ? {} : { application_fee_amount: stripeAmount(fee, currency) }),
  }
}

/** Stripe's items cannot be negative: with a discount, or too many lines, one item has the total. */
function itemsOf({
  lines,
  amount,
  currency,
  description,
}: PaymentOrder): Stripe.Checkout.SessionCreateParams.LineItem[] {
  const isShown = lines.length <= ITEMS_MAX && lines.every(({ unitPrice }) => unitPrice >= 0)
  const shown: readonly PaymentLine[] = isShown ? lines : [{ name: description, quantity: 1, unitPrice: amount }]
  return shown.map(({ name, quantity, unitPrice }) => ({
    quantity,
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: stripeAmount(unitPrice, currency),
      product_data: { name },
    },
  }))
}
