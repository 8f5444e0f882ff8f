import { randomUUID } from 'node:crypto'
import { type Ledger, readPurchasesOf } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { concludeFromProvider } from '../../../src/box-office/payments/conclude-from-provider.ts'
import type { PaymentProvider } from '../../../src/box-office/payments/provider.ts'
import { createStripe } from '../../../src/box-office/payments/stripe/stripe-provider.ts'
import { compareProvider } from '../../../src/operators/reconcile/compare-provider.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier, type WirePurchase } from '../../support/payment.ts'
import { letDecidedAge } from '../../support/payment-time.ts'
import { Buyer, seatIdsOf } from '../../support/reservation.ts'
import { openRoomServer, RoomBench, type RoomServer } from '../../support/room.ts'
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET, StripeStandIn } from './stripe-stand-in.ts'

const SITE = 'https://tickets.example.com'

let standIn: StripeStandIn
beforeAll(async () => {
  standIn = await StripeStandIn.open()
})
afterAll(() => standIn.close())
beforeEach(() => {
  standIn.refundStatus = 'succeeded'
  standIn.troubles.length = 0
  standIn.requests.length = 0
})

const orderOf = (change: object = {}) => ({
  purchaseId: randomUUID(),
  reservationId: randomUUID(),
  amount: 9_000,
  currency: 'EUR',
  description: 'Reservation',
  ...change,
})

describe('the adapter for Stripe', () => {
  let stripe: PaymentProvider
  beforeAll(async () => {
    stripe = await openStripe()
  })
  const openStripe = (key = STRIPE_KEY) =>
    createStripe({ key, webhookSecret: STRIPE_WEBHOOK_SECRET, url: standIn.url, site: SITE })

  it('[B28] prepares a payment once for each purchase, and says what it is for', async () => {
    const order = orderOf()
    const ref = await stripe.prepare(order)
    expect(await stripe.prepare(order)).toBe(ref)
    expect(standIn.intent(ref)).toMatchObject({
      amount: 9_000,
      currency: 'eur',
      metadata: { purchase_id: order.purchaseId, reservation_id: order.reservationId },
    })
    expect(await stripe.status(ref)).toEqual({ status: 'unpaid' })
  })

  it('[B28] [B30] [B32] pays, declines, waits and asks for more, as the card says', async () => {
    const pay = async (method: string) => {
      const ref = await stripe.prepare(orderOf())
      return { ref, state: await stripe.pay(ref, method) }
    }
    expect((await pay('pm_card_visa')).state).toEqual({ status: 'captured', amount: 9_000 })
    expect((await pay('pm_card_chargeDeclined')).state).toEqual({ status: 'declined', reason: 'card_declined' })
    expect((await pay('pm_card_nobodyHas')).state).toEqual({ status: 'declined', reason: 'resource_missing' })
    expect((await pay('pm_sepaDebit_processing')).state).toEqual({ status: 'pending' })
    const { ref, state } = await pay('pm_card_authenticationRequired')
    expect(state).toEqual({ status: 'requires_action', url: `https://hooks.stripe.com/3ds/${ref}` })
    standIn.finish(ref, true)
    expect(await stripe.status(ref)).toEqual({ status: 'captured', amount: 9_000 })
  })

  it('[B28] counts currencies without a minor unit as Stripe does', async () => {
    for (const [currency, sent] of [
      ['JPY', 9_000],
      ['ISK', 900_000],
    ] as const) {
      const ref = await stripe.prepare(orderOf({ currency }))
      expect(standIn.intent(ref).amount).toBe(sent)
      expect(await stripe.pay(ref, 'pm_card_visa')).toEqual({ status: 'captured', amount: 9_000 })
    }
  })

  it('[B28] canceling tells whether it was too late', async () => {
    const unpaid = await stripe.prepare(orderOf())
    expect(await stripe.cancel(unpaid)).toMatchObject({ status: 'declined' })
    expect(await stripe.cancel(unpaid)).toMatchObject({ status: 'declined' })
    expect(await stripe.pay(unpaid, 'pm_card_visa')).toMatchObject({ status: 'declined' })
    expect(standIn.intent(unpaid).amount_received).toBe(0)
    const paid = await stripe.prepare(orderOf())
    await stripe.pay(paid, 'pm_card_visa')
    expect(await stripe.cancel(paid)).toEqual({ status: 'captured', amount: 9_000 })
  })

  it('[B28] a lost answer is asked for again under the same key, and charges once', async () => {
    const ref = await stripe.prepare(orderOf())
    standIn.troubles.push('after')
    expect(await stripe.pay(ref, 'pm_card_visa')).toEqual({ status: 'captured', amount: 9_000 })
    expect(standIn.intent(ref).amount_received).toBe(9_000)
    standIn.troubles.push('before', 'before')
    await expect(stripe.status(ref)).rejects.toThrow(/connection/i)
  })

  it('[B33] a confirmation that is refused because the bank still works on it decides nothing', async () => {
    const ref = await stripe.prepare(orderOf())
    Object.assign(standIn.intents.get(ref) ?? {}, { status: 'processing' })
    expect(await stripe.pay(ref, 'pm_card_visa')).toEqual({ status: 'pending' })
  })

  it('[B34] gives everything back once, and knows what is on its way', async () => {
    const captured = async () => {
      const ref = await stripe.prepare(orderOf())
      await stripe.pay(ref, 'pm_card_visa')
      return ref
    }
    const ref = await captured()
    expect(await stripe.refund(ref)).toBe('refunded')
    expect(await stripe.refund(ref)).toBe('refunded')
    expect(standIn.refunds.filter(({ payment_intent }) => payment_intent === ref)).toHaveLength(1)

    const slow = await captured()
    standIn.refundStatus = 'pending'
    expect(await stripe.refund(slow)).toBe('pending')
    expect(await stripe.refund(slow)).toBe('pending')
    Object.assign(standIn.refunds.at(-1) ?? {}, { status: 'succeeded' })
    expect(await stripe.refund(slow)).toBe('refunded')

    const odd = await captured()
    standIn.refundStatus = 'failed'
    expect(await stripe.refund(odd)).toBe('refused')
    // A failed refund returned no money: asked again, Stripe makes another one.
    standIn.refundStatus = 'succeeded'
    expect(await stripe.refund(odd)).toBe('refunded')
    const made = standIn.refunds.filter(({ payment_intent }) => payment_intent === odd)
    expect(made.map(({ status }) => status)).toEqual(['failed', 'succeeded'])
  })

  it('[B32] believes webhooks that Stripe signed just now', () => {
    const about = { id: 'pi_1', object: 'payment_intent' }
    const read = (body: string, signature: string | undefined) =>
      stripe.readWebhook(Buffer.from(body), { 'stripe-signature': signature })
    const [body, signature] = standIn.webhook('payment_intent.succeeded', about)
    expect(read(body, signature)).toEqual({ ref: 'pi_1' })
    expect(read(...standIn.webhook('customer.created', about))).toBe('none')
    expect(read(...standIn.webhook('charge.refunded', { object: 'charge', payment_intent: 'pi_2' }))).toEqual({
      ref: 'pi_2',
    })
    expect(read(body, undefined)).toBeNull()
    expect(read(body, 't=1,v1=00')).toBeNull()
    expect(read(body.replace('pi_1', 'pi_3'), signature)).toBeNull()
    expect(read(...standIn.webhook('payment_intent.succeeded', about, 'whsec_other'))).toBeNull()
    expect(
      read(...standIn.webhook('payment_intent.succeeded', about, STRIPE_WEBHOOK_SECRET, Date.now() - 301_000)),
    ).toBeNull()
  })

  it('[B28 control] the stand-in refuses unknown and missing fields, and another key', async () => {
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
      return ((await answer.json()) as { error?: { code: string } }).error?.code
    }
    expect(await post('/v1/payment_intents', 'amount=1&currency=eur&seat=7')).toBe('parameter_unknown')
    expect(await post('/v1/payment_intents', 'amount=1')).toBe('parameter_missing')
    expect(await post('/v1/refunds', '')).toBe('parameter_missing')
    expect(await post('/v1/payment_intents', 'amount=1&currency=eur', 'sk_other')).toBe('api_key_invalid')
    await expect((await openStripe('sk_other')).prepare(orderOf())).rejects.toThrow(/API Key/)
  })
})

forEachLedger('paying with Stripe', (open) => {
  let ledger: Ledger
  let server: RoomServer
  let cashier: Cashier
  beforeAll(async () => {
    ledger = await open()
    server = await openRoomServer(ledger, {
      env: {
        SEATWISE_PAYMENTS: 'stripe',
        SEATWISE_STRIPE_KEY: STRIPE_KEY,
        SEATWISE_STRIPE_WEBHOOK_SECRET: STRIPE_WEBHOOK_SECRET,
        SEATWISE_STRIPE_URL: standIn.url,
        SEATWISE_PUBLIC_URL: SITE,
      },
    })
    cashier = await Cashier.open(await RoomBench.open(server))
  })
  afterAll(() => server.close())

  const hear = (type: string, ref: string) => {
    const [payload, signature] = standIn.webhook(type, standIn.intent(ref))
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature, host: 'tickets.example.com' }
    return server.app.inject({ method: 'POST', url: '/api/payments/webhooks/stripe', headers, payload })
  }

  it('[B28] [B34] pays, and gives the money back', async () => {
    const { buyer, reservation } = await cashier.ready()
    expectError(await cashier.pay(buyer, reservation.id, 'sandbox_ok'), 400, 'BAD_REQUEST')
    const answer = await cashier.pay(buyer, reservation.id, 'pm_card_visa')
    expect(answer.statusCode).toBe(201)
    const { id } = answer.json<WirePurchase>()
    const { provider_ref } = await cashier.purchase(id)
    expect(standIn.intent(provider_ref ?? '')).toMatchObject({ amount_received: 9_000, metadata: { purchase_id: id } })
    const refund = await cashier.bench.call('POST', `/api/purchases/${id}/refund`, {
      as: cashier.bench.admin.authorization,
    })
    expect(refund.json()).toEqual({ id, status: 'REFUNDED' })
    expect(standIn.refunds.at(-1)).toMatchObject({ payment_intent: provider_ref, amount: 9_000 })
  })

  it('[B32] a buyer at their bank comes back, and the webhook brings the end', async () => {
    const { buyer, reservation } = await cashier.ready()
    expectError(await cashier.pay(buyer, reservation.id, 'pm_card_chargeDeclined'), 402, 'PAYMENT_DECLINED')
    const answer = await cashier.pay(buyer, reservation.id, 'pm_card_authenticationRequired')
    expect(answer.statusCode).toBe(202)
    const { id, action } = answer.json<WirePurchase>()
    const ref = (await cashier.purchase(id)).provider_ref ?? ''
    expect(action?.url).toBe(`https://hooks.stripe.com/3ds/${ref}`)
    standIn.finish(ref, true)
    expect((await hear('payment_intent.succeeded', ref)).statusCode).toBe(200)
    expect((await hear('payment_intent.requires_action', ref)).statusCode).toBe(200)
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID', captured: 9_000 })
  })

  it('[B33] after a lost answer the server asks the provider', async () => {
    const { buyer, reservation } = await cashier.ready()
    // Preparing goes well; paying takes effect twice over a connection that breaks.
    standIn.troubles.push('none', 'after', 'after')
    const answer = await cashier.pay(buyer, reservation.id, 'pm_card_visa')
    expect(answer.statusCode).toBe(202)
    await cashier.wait(4)
    await cashier.watch()
    const { id } = answer.json<WirePurchase>()
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID', captured: 9_000 })
  })

  it('[F5] [B47] while Stripe is away paying fails without a charge, all else goes on, and afterwards it is paid once', async () => {
    const before = await cashier.ready()
    const bought = (await cashier.pay(before.buyer, before.reservation.id, 'pm_card_visa')).json<WirePurchase>()
    const { buyer, reservation } = await cashier.ready()
    const sale = `/api/events/${reservation.eventId}`
    standIn.troubles.push(...Array.from({ length: 50 }, () => 'before' as const))
    expectError(await cashier.pay(buyer, reservation.id, 'pm_card_visa'), 503, 'UNAVAILABLE')
    const other = await Buyer.admitted(cashier.bench, sale)
    const { id } = await other.reserved({ seatIds: (await seatIdsOf(cashier.bench, sale)).slice(5, 6) })
    expect((await other.cancel(id)).statusCode).toBe(200)
    expect((await cashier.bench.operate(sale, { message: 'Paying takes a moment' })).statusCode).toBe(200)
    const scanned = { as: cashier.bench.admin.authorization, body: { code: bought.etickets[0]?.code } }
    expect((await cashier.bench.call('POST', '/api/checkin', scanned)).statusCode).toBe(200)
    standIn.troubles.splice(0)
    const paid = await cashier.pay(buyer, reservation.id, 'pm_card_visa')
    expect(paid.statusCode).toBe(201)
    const captured = [...standIn.intents.values()].filter(
      ({ amount_received, metadata }) => amount_received > 0 && metadata.reservation_id === reservation.id,
    )
    expect(captured).toHaveLength(1)
    expect(await cashier.purchase(paid.json<WirePurchase>().id)).toMatchObject({ status: 'PAID', captured: 9_000 })
  })

  it('[B38] reconciliation asks Stripe: what was captured after all is brought to its end, what is missing is told', async () => {
    const { db } = ledger
    const { buyer, reservation } = await cashier.ready()
    const compare = (conclude: ((id: string) => Promise<unknown>) | null) =>
      compareProvider(cashier.payments.provider, db, { eventId: reservation.eventId, max: 100, conclude })
    await cashier.pay(buyer, reservation.id, 'pm_card_chargeDeclined')
    const [declined] = await readPurchasesOf(db, reservation.id)
    const ref = declined?.providerRef ?? ''
    await letDecidedAge(db, reservation.id, 61)
    expect(await compare(null)).toEqual({ repaired: [], left: [] })
    standIn.finish(ref, true)
    const details = { status: 'DECLINED', ours: 0, theirs: 9_000 }
    const drift = { kind: 'provider', subject: declined?.id, details }
    expect(await compare(null)).toEqual({ repaired: [], left: [drift] })
    expect(await compare((id) => concludeFromProvider(cashier.payments, id))).toEqual({ repaired: [drift], left: [] })
    expect(await cashier.purchase(declined?.id ?? '')).toMatchObject({ status: 'PAID', captured: 9_000 })
    await letDecidedAge(db, reservation.id, 61)
    expect(await compare(null)).toEqual({ repaired: [], left: [] })
    standIn.finish(ref, false)
    expect((await compare((id) => concludeFromProvider(cashier.payments, id))).left).toMatchObject([
      { kind: 'provider' },
    ])
  })
})
