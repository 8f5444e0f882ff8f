import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type Stripe from 'stripe'
import { type PageDeed, PageStandIn, type ProviderBook } from '../page-stand-in.ts'
import { StripeAccounts } from './stripe-accounts.ts'
import {
  type Act,
  apiError,
  type Destination,
  KNOWN_FIELDS,
  KNOWN_OF_PAYMENT,
  metadataOf,
  NEEDED_FIELDS,
  newBooking,
  newIntent,
  newRefund,
  newSession,
} from './stripe-objects.ts'

export const STRIPE_KEY = 'sk_test_of_the_stand_in'
export const STRIPE_WEBHOOK_SECRET = 'whsec_of_the_stand_in'
const API_VERSION = '2026-10-28.endive'
/** Stripe's own limits of a session's life. */
const LIFE_SECONDS = { min: 30 * 60, max: 24 * 60 * 60 }

interface Reply {
  readonly status: number
  readonly body: object
}

/** Stripe's API as far as we use it, and as strict: unknown and missing fields, keys and versions are refused. */
export class StripeStandIn extends PageStandIn {
  readonly sessions = new Map<string, Stripe.Checkout.Session>()
  readonly refunds: Stripe.Refund[] = []
  /** Who has how much. */
  readonly accounts = new StripeAccounts()
  /** The status that new refunds have. */
  refundStatus = 'succeeded'
  /** Whether charges are booked at once, or not yet. */
  isBooking = true
  readonly #destinations = new Map<string, Destination>()
  readonly #replies = new Map<string, { readonly form: string; readonly reply: Reply }>()

  static open(): Promise<StripeStandIn> {
    return new StripeStandIn().listen()
  }

  constructor() {
    super((serve) => createServer(serve))
  }

  get url(): string {
    return `http://127.0.0.1:${this.apiPort}`
  }

  get settings() {
    return {
      SEATWISE_PAYMENTS: 'stripe',
      SEATWISE_STRIPE_KEY: STRIPE_KEY,
      SEATWISE_STRIPE_WEBHOOK_SECRET: STRIPE_WEBHOOK_SECRET,
      SEATWISE_STRIPE_URL: this.url,
    }
  }

  session(ref: string): Stripe.Checkout.Session {
    const session = this.sessions.get(ref)
    if (session === undefined) throw new Error(`There is no ${ref}`)
    return session
  }

  /** The payment that the buyer tried on the page of a session. */
  intent(ref: string): Stripe.PaymentIntent {
    const { payment_intent: intent } = this.session(ref)
    if (intent === null || typeof intent === 'string') throw new Error(`No payment was tried for ${ref}`)
    return intent
  }

  books(): ProviderBook[] {
    return [...this.sessions.values()].map(({ id, metadata, payment_intent }) => {
      const intent = payment_intent === null || typeof payment_intent === 'string' ? null : payment_intent
      const back = intent === null ? [] : this.#refundsOf(intent.id).filter(({ status }) => status === 'succeeded')
      return {
        purchaseId: metadata?.purchase_id ?? id,
        captured: intent?.amount_received ?? 0,
        refunded: back.reduce((sum, { amount }) => sum + amount, 0),
      }
    })
  }

  refOf(purchaseId: string): string {
    const found = [...this.sessions.values()].findLast(({ metadata }) => metadata?.purchase_id === purchaseId)
    if (found === undefined) throw new Error(`Stripe knows no purchase ${purchaseId}`)
    return found.id
  }

  /** On Stripe's page a buyer can try one card after the other; only its own way back leads out. */
  act(ref: string, deed: PageDeed): string {
    const session = this.session(ref)
    const page = this.pageOf(ref)
    if (session.status !== 'open') return page
    if (deed === 'back') return session.cancel_url ?? page
    session.payment_intent ??= newIntent(session, this.#destinations.get(ref) ?? null)
    if (deed === 'decline') {
      fail(this.intent(ref))
      return page
    }
    Object.assign(session, { status: 'complete', url: null })
    if (deed === 'slow') Object.assign(this.intent(ref), { status: 'processing' })
    else this.#succeed(session)
    this.#tell('checkout.session.completed', session)
    return session.success_url ?? page
  }

  finish(ref: string, isPaid: boolean): void {
    const session = this.session(ref)
    if (isPaid) this.#succeed(session)
    else fail(this.intent(ref))
    this.#tell(`checkout.session.async_payment_${isPaid ? 'succeeded' : 'failed'}`, session)
  }

  #succeed(session: Stripe.Checkout.Session): void {
    const intent = this.intent(session.id)
    succeed(session, intent)
    this.accounts.capture(intent)
  }

  closePages(): void {
    for (const session of this.sessions.values()) if (session.status === 'open') this.#expire(session)
  }

  /** A webhook, and its signature. */
  webhook(type: string, object: object, secret = STRIPE_WEBHOOK_SECRET, now = Date.now()): [string, string] {
    const time = Math.floor(now / 1_000)
    const event = {
      id: `evt_${randomUUID()}`,
      object: 'event',
      api_version: API_VERSION,
      created: time,
      livemode: false,
    }
    const body = JSON.stringify({ ...event, pending_webhooks: 1, request: null, type, data: { object } })
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
    return [body, `t=${time},v1=${signature}`]
  }

  #tell(type: string, object: object): void {
    const [body, signature] = this.webhook(type, object)
    this.send({ body, headers: { 'content-type': 'application/json', 'stripe-signature': signature } })
  }

  protected stand(ref: string) {
    const session = this.session(ref)
    const { payment_intent: intent } = session
    const isDeclined = intent !== null && typeof intent !== 'string' && intent.last_payment_error !== null
    const isOpen = session.status === 'open'
    const notice = !isOpen ? 'This page has expired' : isDeclined ? 'Your card was declined' : ''
    return { isOpen, notice, amount: `${session.amount_total} ${session.currency}` }
  }

  /** The same key and parameters again give the same answer; other parameters are refused. */
  protected answer(request: IncomingMessage, form: string): Reply {
    const refusal = refuseHeaders(request)
    if (refusal !== null) return refusal
    const key = request.headers['idempotency-key']
    if (request.method !== 'POST' || typeof key !== 'string') return this.#act(request, form)
    const earlier = this.#replies.get(key)
    if (earlier !== undefined && earlier.form !== `${request.url} ${form}`) {
      return { status: 400, body: apiError('idempotency_error', 'idempotency_error', 'Keys are for one request') }
    }
    const reply = earlier?.reply ?? this.#act(request, form)
    this.#replies.set(key, { form: `${request.url} ${form}`, reply: structuredClone(reply) })
    return reply
  }

  #act({ method, url = '' }: IncomingMessage, body: string): Reply {
    const { pathname, searchParams } = new URL(url, 'http://stripe')
    const form = new URLSearchParams(body)
    const [, ref = '', verb = ''] = /^\/v1\/checkout\/sessions\/(cs_\w+)(?:\/(\w+))?$/.exec(pathname) ?? []
    const route = `${method} ${ref === '' ? pathname : verb}`
    const [isExpanded, isExpandedInForm] = [searchParams, form].map(
      (from) => from.get('expand[0]') === 'payment_intent',
    )
    switch (route) {
      case 'POST /v1/checkout/sessions':
        return checked('create', form, () => this.#create(form))
      case 'GET ':
        return checked('retrieve', searchParams, () => this.#found(ref, (session) => ok(shown(session, isExpanded))))
      case 'POST expire':
        return checked('expire', form, () => this.#found(ref, (session) => this.#expire(session, isExpandedInForm)))
      case 'POST /v1/refunds':
        return checked('refund', form, () => this.#refund(form))
      case 'GET /v1/refunds':
        return checked('listRefunds', searchParams, () => this.#list(searchParams.get('payment_intent')))
      case 'GET /v1/balance_transactions':
        return checked('listBooked', searchParams, () => this.#listBooked(searchParams.get('source') ?? ''))
      default:
        return { status: 404, body: apiError('invalid_request_error', 'url_invalid', `Unrecognized ${route}`) }
    }
  }

  #create(form: URLSearchParams): Reply {
    const session = newSession(form, (id) => this.pageOf(id))
    if (session === null) return invalid('parameter_invalid_integer', 'Invalid non-negative integer', 'line_items')
    if (!/^[a-z]{3}$/.test(session.currency ?? '')) return invalid('parameter_invalid', 'Invalid currency', 'currency')
    if ((session.amount_total ?? 0) < 50) return invalid('amount_too_small', 'The amount is too small', 'line_items')
    const life = session.expires_at - Date.now() / 1_000
    if (life < LIFE_SECONDS.min || life > LIFE_SECONDS.max) {
      return invalid(
        'parameter_invalid',
        'The `expires_at` timestamp must be between 30 minutes and 24 hours',
        'expires_at',
      )
    }
    const destination = destinationOf(form)
    if (typeof destination === 'string') return invalid('parameter_unknown', `Received ${destination}`, destination)
    if (destination !== null) {
      const { account, fee } = destination
      if (!this.accounts.connected.has(account))
        return invalid('resource_missing', `No such destination`, 'destination')
      const isFee = fee === null || (Number.isSafeInteger(fee) && fee > 0 && fee <= (session.amount_total ?? 0))
      if (!isFee) return invalid('parameter_invalid_integer', 'Invalid application fee', 'application_fee_amount')
      this.#destinations.set(session.id, destination)
    }
    this.sessions.set(session.id, session)
    return ok(shown(session, false))
  }

  #found(ref: string, act: (session: Stripe.Checkout.Session) => Reply): Reply {
    const session = this.sessions.get(ref)
    if (session !== undefined) return act(session)
    return { ...invalid('resource_missing', `No such checkout.session: ${ref}`, 'session'), status: 404 }
  }

  #expire(session: Stripe.Checkout.Session, isExpanded = false): Reply {
    if (session.status !== 'open') {
      return invalid('resource_invalid', `Only Checkout Sessions with a status in ["open"] can be expired.`, 'session')
    }
    Object.assign(session, { status: 'expired', url: null })
    this.#tell('checkout.session.expired', session)
    return ok(shown(session, isExpanded))
  }

  /** Without an amount, what is left. */
  #refund(form: URLSearchParams): Reply {
    const intentId = form.get('payment_intent') ?? ''
    const wish = {
      reverseTransfer: form.get('reverse_transfer') === 'true',
      refundFee: form.get('refund_application_fee') === 'true',
    }
    const intent = [...this.sessions.values()]
      .map(({ payment_intent }) => payment_intent)
      .find((one) => one !== null && typeof one !== 'string' && one.id === intentId) as Stripe.PaymentIntent | undefined
    if (intent === undefined) return invalid('resource_missing', `No such payment_intent: '${intentId}'`, 'intent')
    const back = this.#refundsOf(intent.id).filter(({ status }) => status !== 'failed')
    const left = intent.amount_received - back.reduce((sum, { amount }) => sum + amount, 0)
    if (left <= 0) return invalid('charge_already_refunded', 'Charge has already been refunded.', 'payment_intent')
    const refusal = this.accounts.refusalOf(intent.id, wish)
    if (refusal !== null) return invalid(refusal, 'Nothing of that kind can be taken back', 'payment_intent')
    const amount = form.has('amount') ? Number(form.get('amount')) : left
    if (!Number.isSafeInteger(amount) || amount < 1) return invalid('parameter_invalid_integer', 'Invalid', 'amount')
    if (amount > left) return invalid('amount_too_large', 'Refund amount is greater than unrefunded amount', 'amount')
    const refund = newRefund(intent, { amount, status: this.refundStatus, metadata: metadataOf(form) })
    this.refunds.push(refund)
    if (this.refundStatus !== 'failed') this.accounts.refund(intent.id, amount, wish)
    return ok(refund)
  }

  #list(ref: string | null): Reply {
    return ok({ object: 'list', data: this.#refundsOf(ref ?? ''), has_more: false, url: '/v1/refunds' })
  }

  #listBooked(source: string): Reply {
    const paid = [...this.sessions.values()].flatMap(({ payment_intent: intent }) =>
      intent !== null && typeof intent !== 'string' && intent.latest_charge === source ? [intent] : [],
    )
    const data = this.isBooking ? paid.map((intent) => newBooking(intent, source)) : []
    return ok({ object: 'list', data, has_more: false, url: '/v1/balance_transactions' })
  }

  #refundsOf(intentId: string): Stripe.Refund[] {
    return this.refunds.filter(({ payment_intent }) => payment_intent === intentId).toReversed()
  }
}

/** The text is a field that Stripe does not know. */
function destinationOf(form: URLSearchParams): Destination | null | string {
  for (const name of form.keys()) {
    const field = /^payment_intent_data\[(\w+)\]/.exec(name)?.[1]
    if (field !== undefined && !KNOWN_OF_PAYMENT.includes(field)) return field
  }
  const account = form.get('payment_intent_data[transfer_data][destination]')
  const fee = form.get('payment_intent_data[application_fee_amount]')
  if (account === null) return fee === null ? null : 'application_fee_amount without a destination'
  return { account, fee: fee === null ? null : Number(fee) }
}

/** A session comes with its payment only when that is asked for. */
function shown(session: Stripe.Checkout.Session, isExpanded = false): object {
  const { payment_intent: intent } = session
  if (isExpanded || intent === null || typeof intent === 'string') return session
  return { ...session, payment_intent: intent.id }
}

function refuseHeaders({ headers, method }: IncomingMessage): Reply | null {
  if (headers.authorization !== `Bearer ${STRIPE_KEY}`) {
    return { status: 401, body: apiError('invalid_request_error', 'api_key_invalid', 'Invalid API Key provided') }
  }
  if (headers['stripe-version'] !== API_VERSION) return invalid('version_invalid', 'Another API version', 'version')
  const type = headers['content-type'] ?? ''
  if (method === 'POST' && !type.startsWith('application/x-www-form-urlencoded')) {
    return invalid('content_type', `Content-Type ${type}`, 'content-type')
  }
  return null
}

function checked(act: Act, form: URLSearchParams, work: () => Reply): Reply {
  const names = [...form.keys()].map((name) => name.split('[', 1)[0] ?? '')
  const known: readonly string[] = KNOWN_FIELDS[act]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) return invalid('parameter_unknown', `Received unknown parameter: ${unknown}`, unknown)
  const missing = NEEDED_FIELDS[act].find((name) => !names.includes(name))
  if (missing !== undefined) return invalid('parameter_missing', `Missing required param: ${missing}.`, missing)
  return work()
}

function succeed(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent): void {
  Object.assign(session, { payment_status: 'paid' } satisfies Partial<Stripe.Checkout.Session>)
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: `ch_${intent.id}`,
  } satisfies Partial<Stripe.PaymentIntent>)
}

function fail(intent: Stripe.PaymentIntent): void {
  Object.assign(intent, {
    status: 'requires_payment_method',
    last_payment_error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' },
  } satisfies Partial<Stripe.PaymentIntent>)
}

const ok = (body: object): Reply => ({ status: 200, body })
const invalid = (code: string, message: string, param: string): Reply => ({
  status: 400,
  body: apiError('invalid_request_error', code, message, { param }),
})
