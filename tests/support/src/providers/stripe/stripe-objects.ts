import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'

/*
 * Objects of Stripe's API as its published specification has them. The SDK's declarations are generated from that
 * specification, so a field that is missing here, or that does not exist there, does not compile.
 */

/** What a request may contain, of everything the specification knows: what we send, and nothing else. */
export const KNOWN_FIELDS = {
  create: [
    'mode',
    'line_items',
    'success_url',
    'cancel_url',
    'client_reference_id',
    'expires_at',
    'excluded_payment_method_types',
    'adaptive_pricing',
    'metadata',
    'payment_intent_data',
    'customer_email',
    'locale',
  ] satisfies Field<Stripe.Checkout.SessionCreateParams>[],
  retrieve: ['expand'] satisfies Field<Stripe.Checkout.SessionRetrieveParams>[],
  expire: ['expand'] satisfies Field<Stripe.Checkout.SessionExpireParams>[],
  refund: [
    'payment_intent',
    'amount',
    'metadata',
    'reverse_transfer',
    'refund_application_fee',
  ] satisfies Field<Stripe.RefundCreateParams>[],
  listRefunds: ['payment_intent', 'limit'] satisfies Field<Stripe.RefundListParams>[],
  listBooked: ['source', 'limit'] satisfies Field<Stripe.BalanceTransactionListParams>[],
} as const
type Field<Params> = keyof Params & string

/** The same for the payment that a session makes. */
export const KNOWN_OF_PAYMENT: readonly string[] = [
  'description',
  'metadata',
  'transfer_data',
  'application_fee_amount',
] satisfies Field<Stripe.Checkout.SessionCreateParams.PaymentIntentData>[]

/** What a request must contain. */
export const NEEDED_FIELDS = {
  create: ['mode', 'line_items', 'success_url'],
  retrieve: [],
  expire: [],
  refund: ['payment_intent'],
  listRefunds: ['payment_intent'],
  listBooked: ['source'],
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

const EMPTY_SESSION = {
  object: 'checkout.session',
  livemode: false,
  mode: 'payment',
  payment_status: 'unpaid',
  status: 'open',
  adaptive_pricing: null,
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  customer: null,
  customer_account: null,
  customer_creation: null,
  customer_details: null,
  discounts: null,
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  managed_payments: null,
  origin_context: null,
  payment_link: null,
  payment_method_collection: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  submit_type: null,
  subscription: null,
  total_details: null,
  ui_mode: null,
  wallet_options: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
} as const satisfies Partial<Stripe.Checkout.Session>

/** Null when a price is not a whole number from 0 up. */
export function newSession(form: URLSearchParams, pageOf: (id: string) => string): Stripe.Checkout.Session | null {
  const items = itemsOf(form)
  if (items.length === 0 || items.some(({ price, quantity }) => !isWhole(price) || !isWhole(quantity))) return null
  const id = `cs_test_${randomUUID().replaceAll('-', '')}`
  const total = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
  return {
    ...EMPTY_SESSION,
    id,
    url: pageOf(id),
    amount_subtotal: total,
    amount_total: total,
    cancel_url: form.get('cancel_url'),
    client_reference_id: form.get('client_reference_id'),
    created: Math.floor(Date.now() / 1_000),
    currency: form.get('line_items[0][price_data][currency]'),
    custom_fields: [],
    customer_email: form.get('customer_email'),
    expires_at: Number(form.get('expires_at')),
    excluded_payment_method_types: valuesOf(form, 'excluded_payment_method_types'),
    locale: form.get('locale') as Stripe.Checkout.Session['locale'],
    metadata: metadataOf(form),
    payment_intent: null,
    payment_method_types: ['card'],
    shipping_options: [],
    success_url: form.get('success_url'),
  }
}

const isWhole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

function itemsOf(form: URLSearchParams): { price: number; quantity: number }[] {
  const items: { price: number; quantity: number }[] = []
  for (let at = 0; form.has(`line_items[${at}][quantity]`); at += 1) {
    const price = Number(form.get(`line_items[${at}][price_data][unit_amount]`))
    items.push({ price, quantity: Number(form.get(`line_items[${at}][quantity]`)) })
  }
  return items
}

const valuesOf = (form: URLSearchParams, name: string): string[] =>
  [...form].flatMap(([key, value]) => (key.startsWith(`${name}[`) ? [value] : []))

export function metadataOf(form: URLSearchParams): Record<string, string> {
  const metadata = [...form].flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(metadata)
}

/** To whom the payment of a session is transferred, and which part of it comes back. */
export interface Destination {
  readonly account: string
  readonly fee: number | null
}

/** What the page of a session makes when the buyer tries to pay. */
export function newIntent(session: Stripe.Checkout.Session, destination: Destination | null): Stripe.PaymentIntent {
  const { amount_total, currency, metadata } = session
  const id = `pi_${randomUUID().replaceAll('-', '')}`
  return {
    ...EMPTY_INTENT,
    payment_method_types: [...EMPTY_INTENT.payment_method_types],
    id,
    amount: amount_total ?? 0,
    client_secret: `${id}_secret_${randomUUID()}`,
    created: Math.floor(Date.now() / 1_000),
    currency: currency ?? '',
    description: null,
    metadata: metadata ?? {},
    application_fee_amount: destination?.fee ?? null,
    ...(destination === null ? {} : { transfer_data: { destination: destination.account } }),
  }
}

export function newRefund(
  intent: Stripe.PaymentIntent,
  { amount, status, metadata }: Pick<Stripe.Refund, 'amount' | 'status' | 'metadata'>,
): Stripe.Refund {
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
    metadata,
    payment_intent: intent.id,
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  }
}

/** Stripe's entry about a charge: it keeps 2.9 % and 30 of it. */
export function newBooking(intent: Stripe.PaymentIntent, source: string): Stripe.BalanceTransaction {
  const fee = Math.round(intent.amount_received * 0.029) + 30
  return {
    id: `txn_${source}`,
    object: 'balance_transaction',
    amount: intent.amount_received,
    available_on: intent.created,
    balance_type: 'payments',
    created: intent.created,
    currency: intent.currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details: [{ amount: fee, application: null, currency: intent.currency, description: null, type: 'stripe_fee' }],
    net: intent.amount_received - fee,
    reporting_category: 'charge',
    source,
    status: 'pending',
    type: 'charge',
  }
}

/** An error as the API words it. */
export function apiError(type: string, code: string, message: string, more: object = {}) {
  return { error: { type, code, message, doc_url: `https://stripe.com/docs/error-codes/${code}`, ...more } }
}
