import type Stripe from 'stripe'
import { OrderRefused, type PageProvider, type PaymentState } from '../provider.ts'
import { stateOfRefund, stripeRefundOf, sumOf } from './stripe-refund.ts'
import { sessionOf } from './stripe-session.ts'
import { chargeIn, intentOf, ourAmount, stateOfSession } from './stripe-state.ts'

/** Longer than Stripe needs; a slower answer is asked for later. */
const TIMEOUT_MS = 15_000

/** A session says how it was paid only if it comes with its payment. */
const WITH_PAYMENT = { expand: ['payment_intent'] }

export interface StripeOptions {
  readonly key: string
  readonly webhookSecret: string
  /** The address of its API; tests use another one. */
  readonly url: string
  /** Where buyers reach this site, without a trailing slash. */
  readonly site: string
  /** Percent of what is paid to a connected account that the house keeps. */
  readonly feePercent: number
}

/** Stripe, through its own SDK: buyers pay on the page of a Checkout Session, whose id is our reference. */
export async function createStripe({
  key,
  webhookSecret,
  url,
  site,
  feePercent,
}: StripeOptions): Promise<PageProvider> {
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
    error instanceof StripeSdk.errors.StripeInvalidRequestError

  // Stripe gives 100 at a time; an order has fewer seats.
  const refundsOf = async (intent: Stripe.PaymentIntent): Promise<Stripe.Refund[]> =>
    (await stripe.refunds.list({ payment_intent: intent.id, limit: 100 })).data
  const find = (ref: string) => stripe.checkout.sessions.retrieve(ref, WITH_PAYMENT)
  const status = async (ref: string): Promise<PaymentState> => stateOfSession(await find(ref))

  return {
    name: 'stripe',
    kind: 'page',
    feePercent,
    async prepare(order) {
      try {
        const sent = sessionOf(order, site)
        const session = await stripe.checkout.sessions.create(sent, { idempotencyKey: order.purchaseId })
        if (session.url === null) throw new Error(`Stripe opened the session ${session.id} without a page`)
        return { ref: session.id, url: session.url }
      } catch (error) {
        throw isRefusal(error) ? new OrderRefused(error.code ?? error.message, { cause: error }) : error
      }
    },
    status,
    async cancel(ref) {
      try {
        return stateOfSession(await stripe.checkout.sessions.expire(ref, WITH_PAYMENT))
      } catch (error) {
        if (!isRefusal(error)) throw error
        // It is not open any more: the session itself says whether the money was faster.
        return await status(ref)
      }
    },
    async refund(ref, request) {
      const intent = intentOf(await find(ref))
      if (intent === null) return 'refused'
      const earlier = await refundsOf(intent)
      const sent = stripeRefundOf(intent, earlier, request)
      if (typeof sent === 'string') return sent
      try {
        const { idempotencyKey, ...params } = sent
        return stateOfRefund(await stripe.refunds.create(params, { idempotencyKey }))
      } catch (error) {
        if (!isRefusal(error)) throw error
        return 'refused'
      }
    },
    async charge(ref) {
      const charge = intentOf(await find(ref))?.latest_charge ?? null
      if (charge === null) return null
      const source = typeof charge === 'string' ? charge : charge.id
      return chargeIn((await stripe.balanceTransactions.list({ source, limit: 100 })).data)
    },

    async refunded(ref) {
      const intent = intentOf(await find(ref))
      return intent === null ? 0 : ourAmount(sumOf(await refundsOf(intent)), intent.currency)
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

/** Every event about a page makes us ask for its state; the content of the event may be old. */
function refOfEvent(event: Stripe.Event): { ref: string } | 'none' {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
      return { ref: event.data.object.id }
    default:
      return 'none'
  }
}
