import { expectFields, STRIPE_KEY, STRIPE_WEBHOOK_SECRET, shape } from '@seatwise/testbench'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { NOT_PAID, OrderRefused } from '../../../src/box-office/payments/provider.ts'
import { openStripe, SITE, type StripeAtWork, stripeWith } from '../../support/stand-ins.ts'
import { orderOf } from './provider-contract.ts'

/** Everything that was captured, under one key for each payment. */
const all = (ref: string) => ({ refundId: ref, amount: 9_000, currency: 'EUR' })

/** What the contract of all providers (providers.test.ts) leaves to Stripe's own ways. */
let stripe: StripeAtWork
beforeAll(async () => {
  stripe = await openStripe()
})
afterAll(() => stripe.close())
beforeEach(() => {
  stripe.standIn.refundStatus = 'succeeded'
})

const captured = async (): Promise<string> => {
  const { ref } = await stripe.provider.prepare(orderOf())
  stripe.standIn.act(ref, 'pay')
  return ref
}

it('[B73] a session says what is bought, by whom, in which language, for how long, and where the buyer returns', async () => {
  const { provider, standIn } = stripe
  const order = orderOf({ language: 'ko' })
  const { ref, url } = await provider.prepare(order)
  const session = standIn.session(ref)
  expect(url).toBe(standIn.pageOf(ref))
  expect(session).toMatchObject({
    ...{ amount_total: 9_000, currency: 'eur', customer_email: 'ada@example.com', locale: 'ko' },
    ...{
      success_url: `${SITE}/checkout/${order.reservationId}`,
      cancel_url: `${SITE}/checkout/${order.reservationId}`,
    },
    metadata: { purchase_id: order.purchaseId, reservation_id: order.reservationId },
  })
  // Stripe's minimum is 30 minutes.
  expect(session.expires_at).toBe(Math.floor(Date.parse(order.orderedAt) / 1_000) + 31 * 60)
  expect(session.excluded_payment_method_types).toEqual(expect.arrayContaining(['sepa_debit', 'customer_balance']))
})

it('[B73] with a discount one item has the total, because Stripe’s items cannot be negative', async () => {
  const lines = [
    { name: 'Stalls', quantity: 2, unitPrice: 4_500 },
    { name: 'SPRING', quantity: 1, unitPrice: -900 },
  ]
  const { ref } = await stripe.provider.prepare(orderOf({ lines, amount: 8_100 }))
  expect(stripe.standIn.session(ref).amount_total).toBe(8_100)
})

it('[B73] counts currencies without a minor unit as Stripe does', async () => {
  const { provider, standIn } = stripe
  for (const [currency, sent] of [
    ['JPY', 9_000],
    ['ISK', 900_000],
  ] as const) {
    const { ref } = await provider.prepare(orderOf({ currency }))
    expect(standIn.session(ref).amount_total).toBe(sent)
    standIn.act(ref, 'pay')
    expect(await provider.status(ref)).toEqual({ status: 'captured', amount: 9_000 })
  }
})

it('[B73] an order that Stripe never takes is told apart from a Stripe that is away', async () => {
  const tiny = orderOf({ amount: 10, lines: [{ name: 'Stalls', quantity: 1, unitPrice: 10 }] })
  await expect(stripe.provider.prepare(tiny)).rejects.toThrow(OrderRefused)
  await expect(stripe.provider.prepare(tiny)).rejects.toThrow('amount_too_small')
  stripe.standIn.troubles.push('before', 'before')
  await expect(stripe.provider.prepare(orderOf())).rejects.not.toThrow(OrderRefused)
})

it('[B73] after a bad card the page stays open; closing it is told apart from a decline', async () => {
  const { provider, standIn } = stripe
  const { ref } = await provider.prepare(orderOf())
  standIn.act(ref, 'decline')
  expect(await provider.status(ref)).toEqual({ status: 'requires_action', url: standIn.pageOf(ref) })
  expect(await provider.cancel(ref)).toEqual({ status: 'declined', reason: NOT_PAID })
})

it('[B33] a page that cannot be closed any more decides nothing: Stripe is asked how it was paid', async () => {
  const { provider, standIn } = stripe
  const [paid, slow] = [await captured(), (await provider.prepare(orderOf())).ref]
  standIn.act(slow, 'slow')
  expect(await provider.cancel(paid)).toEqual({ status: 'captured', amount: 9_000 })
  expect(await provider.cancel(slow)).toEqual({ status: 'pending' })
})

it('[B34] gives everything back once, and knows what is on its way', async () => {
  const { provider, standIn } = stripe
  const slow = await captured()
  standIn.refundStatus = 'pending'
  expect(await provider.refund(slow, all(slow))).toBe('pending')
  expect(await provider.refund(slow, all(slow))).toBe('pending')
  Object.assign(standIn.refunds.at(-1) ?? {}, { status: 'succeeded' })
  expect(await provider.refund(slow, all(slow))).toBe('refunded')
  const odd = await captured()
  standIn.refundStatus = 'failed'
  expect(await provider.refund(odd, all(odd))).toBe('refused')
  // A failed refund returned no money: asked again, Stripe makes another one.
  standIn.refundStatus = 'succeeded'
  expect(await provider.refund(odd, all(odd))).toBe('refunded')
  const { id } = standIn.intent(odd)
  const made = standIn.refunds.filter(({ payment_intent }) => payment_intent === id)
  expect(made.map(({ status }) => status)).toEqual(['failed', 'succeeded'])
})

it('[B32] believes webhooks that Stripe signed just now', () => {
  const { provider, standIn } = stripe
  const about = { id: 'cs_1', object: 'checkout.session' }
  const done = 'checkout.session.completed'
  const read = (body: string, signature: string | undefined) =>
    provider.readWebhook(Buffer.from(body), { 'stripe-signature': signature })
  const [body, signature] = standIn.webhook(done, about)
  expect(read(body, signature)).toEqual({ ref: 'cs_1' })
  expect(read(...standIn.webhook('checkout.session.expired', about))).toEqual({ ref: 'cs_1' })
  expect(read(...standIn.webhook('customer.created', about))).toBe('none')
  expect(read(body, undefined)).toBeNull()
  expect(read(body, 't=1,v1=00')).toBeNull()
  expect(read(body.replace('cs_1', 'cs_3'), signature)).toBeNull()
  expect(read(...standIn.webhook(done, about, 'whsec_other'))).toBeNull()
  expect(read(...standIn.webhook(done, about, STRIPE_WEBHOOK_SECRET, Date.now() - 301_000))).toBeNull()
})

it('[B73 control] the stand-in refuses unknown and missing fields, a session that is too short, and another key', async () => {
  const { standIn } = stripe
  const post = async (path: string, form: string, key = STRIPE_KEY) => {
    const answer = await fetch(`${standIn.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'stripe-version': '2026-10-28.endive',
        'content-type': 'application/x-www-form-urlencoded',
        connection: 'close',
      },
      body: form,
    })
    const refusal = shape.fields({ code: shape.text })
    return expectFields(await answer.json(), { error: shape.optional(refusal) }).error?.code
  }
  const item = 'line_items[0][quantity]=1&line_items[0][price_data][unit_amount]=900'
  const good = `mode=payment&success_url=x&${item}&line_items[0][price_data][currency]=eur`
  expect(await post('/v1/checkout/sessions', `${good}&seat=7`)).toBe('parameter_unknown')
  expect(await post('/v1/checkout/sessions', 'mode=payment')).toBe('parameter_missing')
  expect(await post('/v1/checkout/sessions', `${good}&expires_at=${Math.floor(Date.now() / 1_000) + 900}`)).toBe(
    'parameter_invalid',
  )
  expect(await post('/v1/refunds', '')).toBe('parameter_missing')
  expect(await post('/v1/checkout/sessions', good, 'sk_other')).toBe('api_key_invalid')
  await expect((await stripeWith(standIn, 'sk_other')).prepare(orderOf())).rejects.toThrow(/API Key/)
})
