import { randomUUID } from 'node:crypto'
import { readOperation } from '@seatwise/ledger'
import { firingAlerts } from '@seatwise/testbench'
import { Registry } from 'prom-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { buy } from '../../../src/box-office/payments/buy.ts'
import { concludeFromProvider } from '../../../src/box-office/payments/conclude-from-provider.ts'
import { openPayments } from '../../../src/box-office/payments/open-payments.ts'
import type { MethodProvider } from '../../../src/box-office/payments/provider.ts'
import { refundPurchase } from '../../../src/box-office/payments/refund-purchase.ts'
import { registerWithRole } from '../../support/accounts.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier, type Ready } from '../../support/payment.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

interface StuckList {
  items: { id: string; status: string; reason: string | null }[]
}

forEachMode('payments that do not decide themselves', (open) => {
  let bench: RoomBench
  let cashier: Cashier

  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
  })

  const stuck = (sale: string, as = bench.organizer.authorization) =>
    bench.call('GET', `${sale}/payments/stuck`, { as })
  const resolve = (id: string, action: string, as = bench.organizer.authorization) =>
    bench.call('POST', `/api/purchases/${id}/resolve`, { as, body: { action } })

  /** A buyer about to pay a provider that behaves as the test says. */
  async function readyToPay(change: Partial<MethodProvider>, ready?: Ready) {
    const { buyer, reservation, seatIds } = ready ?? (await cashier.ready())
    const payments = { ...cashier.payments, provider: { ...cashier.sandbox, ...change } }
    const buyerId = (
      await bench.server.ledger.db
        .selectFrom('reservations')
        .select('buyer_id')
        .where('id', '=', reservation.id)
        .executeTakeFirstOrThrow()
    ).buyer_id
    const key = randomUUID()
    const operation = { actorId: buyerId, key, fingerprint: 'test' }
    const wish = { operation, buyerId, reservationId: reservation.id, paymentMethod: 'sandbox_ok' }
    return { buyer, reservation, seatIds, payments, wish }
  }

  async function payWith(change: Partial<MethodProvider>, ready?: Ready) {
    const { wish, ...rest } = await readyToPay(change, ready)
    const answer = await buy(rest.payments, wish)
    const purchase = await bench.server.ledger.db
      .selectFrom('purchases')
      .select('id')
      .where('operation_key', '=', wish.operation.key)
      .executeTakeFirstOrThrow()
    return { ...rest, answer, id: purchase.id }
  }

  const silent = () => Promise.reject(new Error('no answer'))

  describe('a provider that does not answer', () => {
    it('[B47] before an order was taken: nothing was charged, the hold stays, and the same key pays later', async () => {
      const { payments, wish } = await readyToPay({ prepare: silent })
      const away = expect.objectContaining({ code: 'UNAVAILABLE', retryAfterSeconds: 2 })
      await expect(buy(payments, wish)).rejects.toEqual(away)
      const { actorId, key } = wish.operation
      expect(await readOperation(bench.server.ledger.db, actorId, key)).toBeNull()
      await expect(buy(payments, wish)).rejects.toEqual(away)
      const paid = await buy(cashier.payments, wish)
      expect(paid).toMatchObject({ statusCode: 201, body: { status: 'PAID' } })
      expect(await buy(payments, wish)).toEqual(paid)
    })

    it('[B47] before the order was accepted, and the watch was faster: the watch’s decision is the answer', async () => {
      const late = async () => {
        await cashier.wait(20)
        await cashier.watch()
        throw new Error('no answer')
      }
      const { payments, wish } = await readyToPay({ prepare: late })
      const declined = await buy(payments, wish)
      expect(declined).toMatchObject({ statusCode: 402, body: { code: 'PAYMENT_DECLINED' } })
      expect(await buy(cashier.payments, wish)).toEqual(declined)
    })

    it('[B33] to a payment: it is 202, and the watch finds out', async () => {
      const { answer, id } = await payWith({
        async pay(ref, method) {
          await cashier.sandbox.pay(ref, method)
          throw new Error('the answer is lost')
        },
      })
      expect(answer.statusCode).toBe(202)
      await cashier.wait(4)
      await cashier.watch()
      expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID', captured: 9_000 })
    })

    it('[B33] to a payment that never reached it: it is canceled for good, and another card pays', async () => {
      const { id, buyer, reservation } = await payWith({ pay: silent })
      await cashier.wait(4)
      await cashier.watch()
      expect(await cashier.purchase(id)).toMatchObject({ status: 'PROCESSING' })
      await cashier.wait(20)
      await cashier.watch()
      expect(await cashier.purchase(id)).toMatchObject({ status: 'DECLINED' })
      expect(await cashier.books(id)).toMatchObject({ status: 'canceled', captured: 0 })
      expect((await cashier.paid(buyer, reservation.id)).status).toBe('PAID')
    })

    it('[B33] to a refund: the money is on its way until it answers', async () => {
      const { id, payments } = await payWith({ refund: silent })
      expect(await refundPurchase(payments, { purchaseId: id, reason: 'a test' })).toMatchObject({
        status: 'refunding',
      })
      expect(await cashier.purchase(id)).toMatchObject({ status: 'REFUNDING', refunded: 0 })
      await cashier.wait(4)
      await cashier.watch()
      expect(await cashier.purchase(id)).toMatchObject({ status: 'REFUNDED', refunded: 9_000 })
    })
  })

  it('[B33] another amount than was asked for is stuck, listed, and refunded by the operator', async () => {
    const odd = { status: async () => ({ status: 'captured', amount: 1 }) as const, pay: silent }
    const { id, payments, buyer } = await payWith(odd)
    await concludeFromProvider(payments, id)
    expect(await cashier.purchase(id)).toMatchObject({ status: 'STUCK', captured: 1 })
    const { items } = (await stuck(buyer.sale)).json<StuckList>()
    expect(items).toMatchObject([{ id, status: 'STUCK', reason: '1 was captured instead of 9000' }])
    const allOf = async (as: string) => (await bench.call('GET', '/api/payments/stuck', { as })).json<StuckList>().items
    expect((await allOf(bench.organizer.authorization)).map((one) => one.id)).toContain(id)
    expect((await allOf(bench.admin.authorization)).map((one) => one.id)).toContain(id)
    const { app, ledger } = bench.server
    expect(await allOf((await registerWithRole(app, ledger, 'organizer')).authorization)).toEqual([])
    // The sandbox itself has captured nothing; it has to, before it can give back.
    await cashier.sandbox.pay((await cashier.books(id))?.ref ?? '', 'sandbox_ok')
    expect((await resolve(id, 'refund')).json()).toEqual({ id, status: 'REFUNDED' })
    expect((await stuck(buyer.sale)).json<StuckList>().items).toEqual([])
  })

  it('[Y133] the first stuck payment fires SeatwisePaymentsStuck', async () => {
    const metrics = new Registry()
    const counted = await openPayments({ ...bench.server.services, metrics })
    const scrape = async (atSeconds: number) => ({ atSeconds, text: await metrics.metrics() })
    const before = [await scrape(0), await scrape(15)]
    expect(firingAlerts(before)).toEqual([])
    const odd = { status: async () => ({ status: 'captured', amount: 1 }) as const, pay: silent }
    const { id, payments } = await payWith(odd)
    await concludeFromProvider({ ...payments, count: counted.count }, id)
    expect(firingAlerts([...before, await scrape(30)])).toEqual(['SeatwisePaymentsStuck'])
  })

  it('[B33] what takes too long is listed; asking again or canceling decides it', async () => {
    const one = await payWith({ pay: silent })
    const other = await payWith({ pay: silent }, await cashier.ready(one.buyer.sale, [1]))
    expect((await stuck(one.buyer.sale)).json<StuckList>().items).toEqual([])
    await cashier.wait(601)
    const { items } = (await stuck(one.buyer.sale)).json<StuckList>()
    expect(items.map(({ id }) => id).sort()).toEqual([one.id, other.id].sort())
    expect((await resolve(one.id, 'cancel')).json()).toEqual({ id: one.id, status: 'DECLINED' })
    await cashier.sandbox.pay((await cashier.books(other.id))?.ref ?? '', 'sandbox_ok')
    expect((await resolve(other.id, 'ask')).json()).toEqual({ id: other.id, status: 'PAID' })
    expect((await stuck(one.buyer.sale)).json<StuckList>().items).toEqual([])
    expectError(await resolve(other.id, 'cancel'), 409, 'PAYMENT_DECIDED')
    expectError(await resolve(one.id, 'refund'), 409, 'NOT_PAID')
  })

  it('[B33] canceling what was paid meanwhile counts the money', async () => {
    const { id } = await payWith({ pay: silent })
    await cashier.sandbox.pay((await cashier.books(id))?.ref ?? '', 'sandbox_ok')
    expect((await resolve(id, 'cancel')).json()).toEqual({ id, status: 'PAID' })
  })

  it('[B33] the list and the decision are the organiser’s and the admins’', async () => {
    const { id, buyer } = await payWith({ pay: silent })
    const { app, ledger } = bench.server
    const other = (await registerWithRole(app, ledger, 'organizer')).authorization
    for (const as of [other, buyer.authorization]) {
      expectError(await stuck(buyer.sale, as), 403, 'FORBIDDEN')
      expectError(await resolve(id, 'ask', as), 404, 'NOT_FOUND')
    }
    expect((await stuck(buyer.sale, bench.admin.authorization)).statusCode).toBe(200)
    expectError(await resolve(id, 'shrug'), 400, 'BAD_REQUEST')
    expectError(await stuck(`/api/events/${randomUUID()}`), 404, 'NOT_FOUND')
  })
})
