import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Stripe from 'stripe'
import { type Act, apiError, KNOWN_FIELDS, NEEDED_FIELDS, newIntent, newRefund } from './stripe-objects.ts'

export const STRIPE_KEY = 'sk_test_of_the_stand_in'
export const STRIPE_WEBHOOK_SECRET = 'whsec_of_the_stand_in'
const API_VERSION = '2026-10-28.endive'

interface Reply {
  readonly status: number
  readonly body: object
}

/** Stripe's API as far as we use it, and as strict: unknown and missing fields, keys and versions are refused. */
export class StripeStandIn {
  readonly intents = new Map<string, Stripe.PaymentIntent>()
  readonly refunds: Stripe.Refund[] = []
  /** Every request that came, as `METHOD path`. */
  readonly requests: string[] = []
  /** The status that new refunds have. */
  refundStatus = 'succeeded'
  /** How the next requests fail: the connection breaks before or after they take effect, or they are refused. */
  readonly troubles: ('before' | 'after' | 'none')[] = []
  readonly #replies = new Map<string, { readonly form: string; readonly reply: Reply }>()
  readonly #server: Server

  static async open(): Promise<StripeStandIn> {
    const standIn = new StripeStandIn()
    standIn.#server.listen(0, '127.0.0.1')
    await once(standIn.#server, 'listening')
    return standIn
  }

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  intent(ref: string): Stripe.PaymentIntent {
    const intent = this.intents.get(ref)
    if (intent === undefined) throw new Error(`There is no ${ref}`)
    return intent
  }

  /** A slow payment, or a buyer at the bank, comes to an end. */
  finish(ref: string, isPaid: boolean): void {
    const intent = this.intent(ref)
    if (isPaid) succeed(intent)
    else fail(intent)
  }

  /** A webhook about a payment, and its signature. */
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

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '' } = request
    this.requests.push(`${method} ${url.split('?', 1)[0]}`)
    const trouble = this.troubles.shift() ?? 'none'
    if (trouble === 'before') return void request.socket.destroy()
    const { status, body } = this.#answer(request, Buffer.concat(chunks).toString())
    if (trouble === 'after') return void request.socket.destroy()
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${randomUUID()}` })
    response.end(JSON.stringify(body))
  }

  /** The same key and parameters again give the same answer; other parameters are refused. */
  #answer(request: IncomingMessage, form: string): Reply {
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
    const [, ref = '', verb = ''] = /^\/v1\/payment_intents\/(pi_\w+)(?:\/(\w+))?$/.exec(pathname) ?? []
    const route = `${method} ${ref === '' ? pathname : verb}`
    switch (route) {
      case 'POST /v1/payment_intents':
        return checked('create', form, () => this.#create(form))
      case 'GET ':
        return this.#found(ref, (intent) => ok(intent))
      case 'POST confirm':
        return checked('confirm', form, () => this.#found(ref, (intent) => confirm(intent, form)))
      case 'POST cancel':
        return checked('cancel', form, () => this.#found(ref, cancel))
      case 'POST /v1/refunds':
        return checked('refund', form, () => this.#found(form.get('payment_intent') ?? '', (it) => this.#refund(it)))
      case 'GET /v1/refunds':
        return checked('listRefunds', searchParams, () => this.#list(searchParams.get('payment_intent')))
      default:
        return { status: 404, body: apiError('invalid_request_error', 'url_invalid', `Unrecognized ${route}`) }
    }
  }

  #create(form: URLSearchParams): Reply {
    const intent = newIntent(form)
    if (!(intent.amount > 0)) return invalid('parameter_invalid_integer', 'Invalid positive integer', 'amount')
    if (!/^[a-z]{3}$/.test(intent.currency)) return invalid('parameter_invalid', 'Invalid currency', 'currency')
    this.intents.set(intent.id, intent)
    return ok(intent)
  }

  #found(ref: string, act: (intent: Stripe.PaymentIntent) => Reply): Reply {
    const intent = this.intents.get(ref)
    if (intent !== undefined) return act(intent)
    return { ...invalid('resource_missing', `No such payment_intent: '${ref}'`, 'intent'), status: 404 }
  }

  #refund(intent: Stripe.PaymentIntent): Reply {
    const back = this.#refundsOf(intent.id).filter(({ status }) => status !== 'failed')
    const left = intent.amount_received - back.reduce((sum, { amount }) => sum + amount, 0)
    if (left <= 0) return invalid('charge_already_refunded', 'Charge has already been refunded.', 'payment_intent')
    const refund = newRefund(intent, left, this.refundStatus)
    this.refunds.push(refund)
    return ok(refund)
  }

  #list(ref: string | null): Reply {
    return ok({ object: 'list', data: this.#refundsOf(ref ?? ''), has_more: false, url: '/v1/refunds' })
  }

  #refundsOf(ref: string): Stripe.Refund[] {
    return this.refunds.filter(({ payment_intent }) => payment_intent === ref).toReversed()
  }
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

/** The API's own names of test cards. */
function confirm(intent: Stripe.PaymentIntent, form: URLSearchParams): Reply {
  if (intent.status !== 'requires_payment_method') return unexpected(intent)
  intent.payment_method = form.get('payment_method')
  switch (intent.payment_method) {
    case 'pm_card_visa':
      succeed(intent)
      return ok(intent)
    case 'pm_card_chargeDeclined':
      fail(intent)
      return {
        status: 402,
        body: apiError('card_error', 'card_declined', 'Your card was declined.', {
          decline_code: 'generic_decline',
          payment_intent: intent,
        }),
      }
    case 'pm_card_authenticationRequired':
      intent.status = 'requires_action'
      intent.next_action = {
        type: 'redirect_to_url',
        redirect_to_url: { url: `https://hooks.stripe.com/3ds/${intent.id}`, return_url: form.get('return_url') },
      }
      return ok(intent)
    case 'pm_sepaDebit_processing':
      intent.status = 'processing'
      return ok(intent)
    default:
      return invalid('resource_missing', `No such PaymentMethod: '${intent.payment_method}'`, 'payment_method')
  }
}

function cancel(intent: Stripe.PaymentIntent): Reply {
  if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing') {
    return unexpected(intent)
  }
  intent.status = 'canceled'
  intent.canceled_at = Math.floor(Date.now() / 1_000)
  return ok(intent)
}

function succeed(intent: Stripe.PaymentIntent): void {
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    next_action: null,
    latest_charge: `ch_${intent.id}`,
  } satisfies Partial<Stripe.PaymentIntent>)
}

function fail(intent: Stripe.PaymentIntent): void {
  Object.assign(intent, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_payment_error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' },
  } satisfies Partial<Stripe.PaymentIntent>)
}

const ok = (body: object): Reply => ({ status: 200, body })
const invalid = (code: string, message: string, param: string): Reply => ({
  status: 400,
  body: apiError('invalid_request_error', code, message, { param }),
})
const unexpected = (intent: Stripe.PaymentIntent): Reply =>
  invalid('payment_intent_unexpected_state', `This PaymentIntent has a status of ${intent.status}`, 'intent')
