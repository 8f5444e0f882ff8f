import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import { expectFields, shape } from '../../expect-fields.ts'
import { CERTIFICATE } from '../certificate.ts'
import { type PageDeed, PageStandIn, type ProviderBook } from '../page-stand-in.ts'
import {
  CREATE_FIELDS,
  type MolliePayment,
  type MollieRefund,
  minorUnits,
  moneyOf,
  newPayment,
} from './mollie-objects.ts'

export const MOLLIE_KEY = 'test_ofTheStandInOfMollieOfTheBench1'

const METADATA = shape.fields({ refundId: shape.text })
const MONEY = shape.fields({ currency: shape.text, value: shape.text })

interface Reply {
  readonly status: number
  readonly body: object
}

/** Mollie's API as far as we use it. A payment has one attempt: a bad card or the way back end it. */
export class MollieStandIn extends PageStandIn {
  readonly payments = new Map<string, MolliePayment>()
  readonly refunds: MollieRefund[] = []
  /** The status that new refunds have. */
  refundStatus = 'refunded'
  /** Whether payments can be ended by us: at Mollie few can. */
  isCancelable = false
  readonly #replies = new Map<string, Reply>()

  static open(): Promise<MollieStandIn> {
    return new MollieStandIn().listen()
  }

  constructor() {
    super((serve) => createServer(CERTIFICATE, serve))
  }

  get url(): string {
    return `https://127.0.0.1:${this.apiPort}`
  }

  get settings() {
    return {
      SEATWISE_PAYMENTS: 'mollie',
      SEATWISE_MOLLIE_KEY: MOLLIE_KEY,
      SEATWISE_MOLLIE_URL: this.url,
      // The SDK trusts its own list of authorities, to which none can be added.
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    }
  }

  payment(ref: string): MolliePayment {
    const payment = this.payments.get(ref)
    if (payment === undefined) throw new Error(`There is no ${ref}`)
    return payment
  }

  books(): ProviderBook[] {
    return [...this.payments.values()].map((payment) => {
      const back = this.#refundsOf(payment.id).filter(({ status }) => status !== 'failed' && status !== 'canceled')
      return {
        purchaseId: payment.metadata.purchaseId,
        captured: payment.status === 'paid' ? minorUnits(payment.amount) : 0,
        refunded: back.reduce((sum, { amount }) => sum + minorUnits(amount), 0),
      }
    })
  }

  refOf(purchaseId: string): string {
    const found = [...this.payments.values()].findLast(({ metadata }) => metadata.purchaseId === purchaseId)
    if (found === undefined) throw new Error(`Mollie knows no purchase ${purchaseId}`)
    return found.id
  }

  act(ref: string, deed: PageDeed): string {
    const payment = this.payment(ref)
    if (payment.status !== 'open') return this.pageOf(ref)
    payment.status = ({ pay: 'paid', decline: 'failed', slow: 'pending', back: 'canceled' } as const)[deed]
    if (deed !== 'slow') this.tell(ref)
    return payment.redirectUrl
  }

  finish(ref: string, isPaid: boolean): void {
    this.payment(ref).status = isPaid ? 'paid' : 'failed'
    this.tell(ref)
  }

  closePages(): void {
    for (const payment of this.payments.values()) {
      if (payment.status !== 'open') continue
      payment.status = 'expired'
      this.tell(payment.id)
    }
  }

  /** Mollie's webhooks say only which payment has changed, and are not signed. */
  tell(ref: string): void {
    this.send({ body: `id=${ref}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  }

  protected stand(ref: string) {
    const { status, amount } = this.payment(ref)
    const isOpen = status === 'open'
    return { isOpen, notice: isOpen ? '' : `This payment is ${status}`, amount: `${amount.value} ${amount.currency}` }
  }

  /** The first answer under a key is the answer to all later requests under it. */
  protected answer(request: IncomingMessage, body: string): Reply {
    if (request.headers.authorization !== `Bearer ${MOLLIE_KEY}`) return problem(401, 'Missing authentication')
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string') return this.#act(request, body)
    const reply = this.#replies.get(key) ?? this.#act(request, body)
    this.#replies.set(key, structuredClone(reply))
    return reply
  }

  #act({ method, url = '' }: IncomingMessage, body: string): Reply {
    const { pathname } = new URL(url, 'https://mollie')
    const [, ref = '', more = ''] = /^\/v2\/payments\/(tr_\w+)(\/refunds)?$/.exec(pathname) ?? []
    if (`${method} ${pathname}` === 'POST /v2/payments') return this.#create(JSON.parse(body))
    const payment = this.payments.get(ref)
    if (payment === undefined) return problem(404, 'No payment exists with token')
    switch (`${method} ${more}`) {
      case 'GET ':
        return ok(this.#shown(payment))
      case 'DELETE ':
        return this.#cancel(payment)
      case 'GET /refunds':
        return ok({ count: 1, _embedded: { refunds: this.#refundsOf(ref) }, _links: {} })
      case 'POST /refunds':
        return this.#refund(payment, expectFields(JSON.parse(body), { amount: MONEY, metadata: METADATA }))
      default:
        return problem(405, 'Method not allowed')
    }
  }

  #create(fields: Record<string, unknown>): Reply {
    const unknown = Object.keys(fields).find((name) => !CREATE_FIELDS.has(name))
    if (unknown !== undefined) return problem(422, `Non-existent body parameter "${unknown}" for this API call`)
    const payment = newPayment(fields)
    if (typeof payment === 'string') return problem(422, payment)
    this.payments.set(payment.id, payment)
    return { status: 201, body: this.#shown(payment) }
  }

  #cancel(payment: MolliePayment): Reply {
    if (!this.isCancelable || payment.status !== 'open') return problem(422, 'The payment cannot be canceled')
    payment.status = 'canceled'
    this.tell(payment.id)
    return ok(this.#shown(payment))
  }

  #refund(payment: MolliePayment, { amount, metadata }: Pick<MollieRefund, 'amount' | 'metadata'>): Reply {
    const back = this.#refundsOf(payment.id).filter(({ status }) => status !== 'failed')
    const left = minorUnits(payment.amount) - back.reduce((sum, one) => sum + minorUnits(one.amount), 0)
    if (payment.status !== 'paid' || minorUnits(amount) > left)
      return problem(422, 'The amount is higher than the maximum')
    const refund: MollieRefund = {
      ...{ resource: 'refund', id: `re_${randomUUID().replaceAll('-', '')}`, mode: 'test', paymentId: payment.id },
      ...{ amount, status: this.refundStatus, createdAt: new Date().toISOString(), description: '', metadata },
      _links: {},
    }
    this.refunds.push(refund)
    return { status: 201, body: refund }
  }

  #refundsOf(ref: string): MollieRefund[] {
    return this.refunds.filter(({ paymentId }) => paymentId === ref)
  }

  #shown(payment: MolliePayment): object {
    const isOpen = payment.status === 'open'
    const checkout = isOpen ? { checkout: { href: this.pageOf(payment.id), type: 'text/html' } } : {}
    const failed = payment.status === 'failed' ? { statusReason: { code: 'insufficient_funds', message: 'No' } } : {}
    return {
      ...payment,
      ...failed,
      isCancelable: isOpen && this.isCancelable,
      amountRemaining: moneyOf(payment.amount.currency, minorUnits(payment.amount)),
      _links: { ...checkout, self: { href: `${this.url}/v2/payments/${payment.id}`, type: 'application/hal+json' } },
    }
  }
}

const ok = (body: object): Reply => ({ status: 200, body })
const problem = (status: number, detail: string): Reply => ({
  status,
  body: { status, title: 'Error', detail, _links: {} },
})
