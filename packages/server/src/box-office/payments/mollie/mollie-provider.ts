import type { Payment, PaymentStatus, Refund } from '@mollie/api-client'
import { withDeadline } from '../../../kit/index.ts'
import { NOT_PAID, OrderRefused, type PageProvider, type PaymentState } from '../provider.ts'
import { ourAmount } from './mollie-amount.ts'
import { paymentOf } from './mollie-payment.ts'
import { mollieRefundOf, stateOfRefund, sumOf } from './mollie-refund.ts'

/** Longer than Mollie needs; a slower answer is asked for later. Its SDK has no limit of its own. */
const TIMEOUT_MS = 15_000
const REFUNDS_MAX = 250

export interface MollieOptions {
  readonly key: string
  /** The address of its API; tests use another one. */
  readonly url: string
  /** Where buyers reach this site, without a trailing slash. */
  readonly site: string
  /** Where Mollie tells that something has changed. */
  readonly webhookUrl: string
}

/** Mollie, through its own SDK: buyers pay on the page of a payment, whose id is our reference. */
export async function createMollie({ key, url, site, webhookUrl }: MollieOptions): Promise<PageProvider> {
  // Loaded only by deployments that use it.
  const { createMollieClient, MollieApiError } = await import('@mollie/api-client')
  const mollie = createMollieClient({ apiKey: key, apiEndpoint: `${url.replace(/\/$/, '')}/v2/` })
  const isRefusal = (error: unknown): error is InstanceType<typeof MollieApiError> =>
    error instanceof MollieApiError && REFUSALS.has(error.statusCode ?? 0)
  const within = <Answer>(answer: Promise<Answer>): Promise<Answer> => withDeadline(answer, TIMEOUT_MS, 'Mollie')
  const refundsOf = (ref: string): Promise<Refund[]> =>
    within(mollie.paymentRefunds.page({ paymentId: ref, limit: REFUNDS_MAX }))
  const find = (ref: string): Promise<Payment> => within(mollie.payments.get(ref))

  return {
    name: 'mollie',
    kind: 'page',
    feePercent: null,
    async prepare(order) {
      try {
        const payment = await within(mollie.payments.create(paymentOf(order, site, webhookUrl)))
        const page = payment.getCheckoutUrl()
        if (page === null) throw new Error(`Mollie opened the payment ${payment.id} without a page`)
        return { ref: payment.id, url: page }
      } catch (error) {
        throw isRefusal(error) ? new OrderRefused(error.message, { cause: error }) : error
      }
    },
    status: async (ref) => stateOfPayment(await find(ref)),
    async cancel(ref) {
      const payment = await find(ref)
      // Mollie lets us end few payments: the others end by themselves, and money that comes is late money.
      if (!payment.isCancelable) return stateOfPayment(payment)
      try {
        return stateOfPayment(await within(mollie.payments.cancel(ref)))
      } catch (error) {
        if (!isRefusal(error)) throw error
        return stateOfPayment(await find(ref))
      }
    },
    async refund(ref, request) {
      const payment = await find(ref)
      if (stateOfPayment(payment).status !== 'captured') return 'refused'
      const sent = mollieRefundOf(payment, await refundsOf(ref), request)
      if (typeof sent === 'string') return sent
      try {
        return stateOfRefund(await within(mollie.paymentRefunds.create({ paymentId: ref, ...sent })))
      } catch (error) {
        if (!isRefusal(error)) throw error
        return 'refused'
      }
    },
    refunded: async (ref) => sumOf(await refundsOf(ref)),
    /** Unsigned: it only makes us look, and only for a payment that is ours. */
    readWebhook(body) {
      const ref = new URLSearchParams(body.toString()).get('id')
      return ref !== null && /^tr_\w{1,100}$/.test(ref) ? { ref } : 'none'
    },
  }
}

/** Answers that repeating would not change: not found, gone, unprocessable and the like. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 409, 410, 415, 422])

function stateOfPayment(payment: Payment): PaymentState {
  const status: `${PaymentStatus}` = payment.status
  switch (status) {
    case 'open': {
      const url = payment.getCheckoutUrl()
      return url === null ? { status: 'pending' } : { status: 'requires_action', url }
    }
    case 'paid':
      return { status: 'captured', amount: ourAmount(payment.amount) }
    case 'canceled':
    case 'expired':
      return { status: 'declined', reason: NOT_PAID }
    case 'failed':
      return { status: 'declined', reason: payment.statusReason?.code ?? status }
    // `authorized` would need a capture: the methods we offer have none.
    case 'pending':
    case 'authorized':
      return { status: 'pending' }
  }
}
