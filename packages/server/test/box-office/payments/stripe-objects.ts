import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'

/*
 * Objects of Stripe's API as its published specification has them. The SDK's declarations are generated from that
 * specification, so a field that is missing here, or that does not exist there, does not compile.
 */

/** What a request may contain, of everything the specification knows: what we send, and nothing else. */
export const KNOWN_FIELDS = {
  create: [
    'amount',
    'currency',
    'description',
    'automatic_payment_methods',
    'metadata',
  ] satisfies Field<Stripe.PaymentIntentCreateParams>[],
  confirm: ['payment_method', 'return_url'] satisfies Field<Stripe.PaymentIntentConfirmParams>[],
  cancel: [] satisfies Field<Stripe.PaymentIntentCancelParams>[],
  refund: ['payment_intent'] satisfies Field<Stripe.RefundCreateParams>[],
  listRefunds: ['payment_intent', 'limit'] satisfies Field<Stripe.RefundListParams>[],
} as const
type Field<Params> = keyof Params & string

/** What a request must contain. */
export const NEEDED_FIELDS = {
  create: ['amount', 'currency'],
  confirm: ['payment_method', 'return_url'],
  cancel: [],
  refund: ['payment_intent'],
  listRefunds: ['payment_intent'],
} as const satisfies { [Act in keyof typeof KNOWN_FIELDS]: readonly string[] }

export type Act = keyof typeof KNOWN_FIELDS

const EMPTY_INTENT = {
  object: 'payment_intent',
  allowed_payment_method_types: null,
  amount_capturable: 0,
  amount_received: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: { enabled: true },
  canceled_at: null,
  cancellation_reason: null,
  capture_method: 'automatic_async',
  confirmation_method: 'automatic',
  customer: null,
  customer_account: null,
  excluded_payment_method_types: null,
  last_payment_error: null,
  latest_charge: null,
  livemode: false,
  managed_payments: null,
  next_action: null,
  on_behalf_of: null,
  payment_method: null,
  payment_method_configuration_details: null,
  payment_method_options: {},
  payment_method_types: ['card'],
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: null,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: 'requires_payment_method',
  transfer_group: null,
} as const satisfies Partial<Stripe.PaymentIntent>

export function newIntent(form: URLSearchParams): Stripe.PaymentIntent {
  const id = `pi_${randomUUID().replaceAll('-', '')}`
  const metadata = [...form].flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  return {
    ...EMPTY_INTENT,
    payment_method_types: [...EMPTY_INTENT.payment_method_types],
    id,
    amount: Number(form.get('amount')),
    client_secret: `${id}_secret_${randomUUID()}`,
    created: Math.floor(Date.now() / 1_000),
    currency: form.get('currency') ?? '',
    description: form.get('description'),
    metadata: Object.fromEntries(metadata),
  }
}

export function newRefund(intent: Stripe.PaymentIntent, amount: number, status: string): Stripe.Refund {
  return {
    id: `re_${randomUUID().replaceAll('-', '')}`,
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: typeof intent.latest_charge === 'string' ? intent.latest_charge : null,
    created: Math.floor(Date.now() / 1_000),
    currency: intent.currency,
    customer: null,
    customer_account: null,
    metadata: {},
    payment_intent: intent.id,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  }
}

/** An error as the API words it. */
export function apiError(type: string, code: string, message: string, more: object = {}) {
  return { error: { type, code, message, doc_url: `https://stripe.com/docs/error-codes/${code}`, ...more } }
}
