import type Stripe from 'stripe'
import type { PaymentProvider, PaymentRequest, PaymentState, RefundState } from '../provider.ts'
import { stateOfIntent, stripeAmount } from './stripe-state.ts'

/** Longer than any bank needs; a slower payment is asked about later. */
const TIMEOUT_MS = 15_000

export interface StripeOptions {
  readonly key: string
  readonly webhookSecret: string
  /** The address of its API; tests use another one. */
  readonly url: string
  /** Where buyers reach this site, without a trailing slash. */
  readonly site: string
}

/** Stripe, through its own SDK and Payment Intents. `paymentMethod` is the id of a payment method, `pm_…`. */
export async function createStripe({ key, webhookSecret, url, site }: StripeOptions): Promise<PaymentProvider> {
  // Loaded only by deployments that use it.
  const { default: StripeSdk } = await import('stripe')
  const { hostname, port, protocol } = new URL(url)
  const stripe = new StripeSdk(key, {
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : port,
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    appInfo: { name: 'Seatwise' },
  })
  const isRefusal = (error: unknown): error is InstanceType<typeof StripeSdk.errors.StripeError> =>
    error instanceof StripeSdk.errors.StripeCardError || error instanceof StripeSdk.errors.StripeInvalidRequestError

  const status = async (ref: string): Promise<PaymentState> => stateOfIntent(await stripe.paymentIntents.retrieve(ref))

  return {
    name: 'stripe',
    accepts: (method) => /^pm_\w{1,200}$/.test(method),
    async prepare(request) {
      const intent = await stripe.paymentIntents.create(intentOf(request), { idempotencyKey: request.purchaseId })
      return intent.id
    },
    async pay(ref, method) {
      try {
        const wish = { payment_method: method, return_url: `${site}/checkout` }
        // The same key for each attempt: a payment is tried with one method, and another method is another purchase.
        return stateOfIntent(await stripe.paymentIntents.confirm(ref, wish, { idempotencyKey: `${ref}:confirm` }))
      } catch (error) {
        if (!isRefusal(error)) throw error
        // The error says what was wrong with the card or the request; only the payment itself says whether money moved.
        const state = await status(ref)
        return state.status === 'unpaid' ? { status: 'declined', reason: error.code ?? error.message } : state
      }
    },
    status,
    async cancel(ref) {
      try {
        return stateOfIntent(await stripe.paymentIntents.cancel(ref))
      } catch (error) {
        if (!isRefusal(error)) throw error
        return await status(ref)
      }
    },
    async refund(ref) {
      // A repeat under the same key would return the first answer for ever: look first, then refund what is left.
      const { amount_received } = await stripe.paymentIntents.retrieve(ref)
      const { data: earlier } = await stripe.refunds.list({ payment_intent: ref, limit: 100 })
      if (sumOf(earlier) >= amount_received) return earlier.some(isUnderWay) ? 'pending' : 'refunded'
      try {
        const key = `${ref}:refund:${earlier.length}`
        return stateOfRefund(await stripe.refunds.create({ payment_intent: ref }, { idempotencyKey: key }))
      } catch (error) {
        if (!isRefusal(error)) throw error
        return 'refused'
      }
    },
    readWebhook(body, headers) {
      const header = headers['stripe-signature']
      if (typeof header !== 'string') return null
      try {
        return refOfEvent(stripe.webhooks.constructEvent(body, header, webhookSecret))
      } catch (error) {
        if (error instanceof StripeSdk.errors.StripeSignatureVerificationError) return null
        throw error
      }
    },
  }
}

function intentOf({ purchaseId, reservationId, amount, currency, description }: PaymentRequest) {
  return {
    amount: stripeAmount(amount, currency),
    currency: currency.toLowerCase(),
    description,
    automatic_payment_methods: { enabled: true },
    metadata: { purchase_id: purchaseId, reservation_id: reservationId },
  } satisfies Stripe.PaymentIntentCreateParams
}

const isLost = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled'
const isUnderWay = (refund: Stripe.Refund): boolean => refund.status !== 'succeeded' && !isLost(refund)

function stateOfRefund(refund: Stripe.Refund): RefundState {
  if (isLost(refund)) return 'refused'
  return isUnderWay(refund) ? 'pending' : 'refunded'
}

/** Refunded, or on its way. */
function sumOf(refunds: readonly Stripe.Refund[]): number {
  return refunds.filter((refund) => !isLost(refund)).reduce((sum, { amount }) => sum + amount, 0)
}

/** Every event about a payment makes us ask for its state; the content of the event may be old. */
function refOfEvent(event: Stripe.Event): { ref: string } | 'none' {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
    case 'payment_intent.requires_action':
    case 'payment_intent.canceled':
      return { ref: event.data.object.id }
    case 'charge.refunded': {
      const intent = event.data.object.payment_intent
      if (intent === null) return 'none'
      return { ref: typeof intent === 'string' ? intent : intent.id }
    }
    default:
      return 'none'
  }
}
