import { randomUUID } from 'node:crypto'
import { declinePayment, startRefund } from '@seatwise/ledger'
import { beforeAll, expect, it } from 'vitest'
import { buy } from '../../../src/box-office/payments/buy.ts'
import { concludeFromProvider } from '../../../src/box-office/payments/conclude-from-provider.ts'
import type { MethodProvider } from '../../../src/box-office/payments/provider.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier, type WirePurchase } from '../../support/payment.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

forEachMode('payments that take their time', (open) => {
  let bench: RoomBench
  let cashier: Cashier

  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
  })

  /** Pays a provider that behaves as the test says; how it was answered, and how often the provider was asked to pay. */
  async function payWith(change: Partial<MethodProvider>) {
    const { buyer, reservation } = await cashier.ready()
    const { db } = bench.server.ledger
    const { buyer_id: buyerId } = await db
      .selectFrom('reservations')
      .select('buyer_id')
      .where('id', '=', reservation.id)
      .executeTakeFirstOrThrow()
    const key = randomUUID()
    let asked = 0
    const { sandbox: provider } = cashier
    const counted: Partial<MethodProvider> = {
      pay: (...order) => {
        asked += 1
        return (change.pay ?? provider.pay)(...order)
      },
    }
    const payments = { ...cashier.payments, provider: { ...provider, ...change, ...counted } }
    const operation = { actorId: buyerId, key, fingerprint: 'test' }
    const answer = await buy(payments, {
      operation,
      buyerId,
      reservationId: reservation.id,
      paymentMethod: 'sandbox_ok',
    })
    const purchases = db.selectFrom('purchases').select('id').where('operation_key', '=', key)
    const { id } = await purchases.executeTakeFirstOrThrow()
    return { buyer, reservation, payments, answer, id, asked: () => asked }
  }

  /** An order that takes so long, while the watch does its rounds. */
  const orderIn = (seconds: number): MethodProvider['prepare'] => {
    return async (order) => {
      const ref = await cashier.sandbox.prepare(order)
      await cashier.wait(seconds)
      await cashier.watch()
      return ref
    }
  }

  it('[B64] an order that is taken after the watch gave the payment up moves no money', async () => {
    const { answer, id, asked } = await payWith({ prepare: orderIn(20) })
    expect(asked()).toBe(0)
    expect(answer).toMatchObject({ statusCode: 402, body: { code: 'PAYMENT_DECLINED' } })
    expect(await cashier.purchase(id)).toMatchObject({ status: 'DECLINED', captured: 0 })
    expect(await cashier.books(id)).toMatchObject({ captured: 0 })
  })

  it('[B64] an order that takes 5 s is not given up', async () => {
    const { answer, id, asked } = await payWith({ prepare: orderIn(5) })
    expect(asked()).toBe(1)
    expect(answer).toMatchObject({ statusCode: 201, body: { status: 'PAID' } })
    expect(await cashier.books(id)).toMatchObject({ captured: 9_000 })
  })

  it('[B65] a STUCK purchase with captured money cannot be declined, by an operator, the provider or the watch', async () => {
    const odd = { status: async () => ({ status: 'captured', amount: 1 }) as const }
    const { id, payments } = await payWith({ ...odd, pay: () => Promise.reject(new Error('no answer')) })
    await concludeFromProvider(payments, id)
    const stuck = { status: 'STUCK', captured: 1 }
    expect(await cashier.purchase(id)).toMatchObject(stuck)
    const resolved = await bench.call('POST', `/api/purchases/${id}/resolve`, {
      as: bench.organizer.authorization,
      body: { action: 'cancel' },
    })
    expectError(resolved, 409, 'PAYMENT_DECIDED')
    expect(await declinePayment(bench.server.ledger, { purchaseId: id, reason: 'a test' })).toMatchObject({
      status: 'repeated',
    })
    const declining = { ...payments.provider, status: async () => ({ status: 'declined', reason: 'a test' }) as const }
    await concludeFromProvider({ ...payments, provider: declining }, id)
    expect(await cashier.purchase(id)).toMatchObject(stuck)
  })

  it('[B34] an e-ticket shows VOID and no code while its purchase is REFUNDING', async () => {
    const { buyer, reservation } = await cashier.ready()
    const { id, etickets } = await cashier.paid(buyer, reservation.id)
    const eticket = `/api/etickets/${etickets[0]?.id}`
    expect((await buyer.read(eticket)).json()).toMatchObject({ status: 'VALID', code: expect.any(String) })
    await startRefund(bench.server.ledger, { purchaseId: id, reason: 'a test' })
    expect(await cashier.purchase(id)).toMatchObject({ status: 'REFUNDING' })
    expect((await buyer.read(eticket)).json()).toMatchObject({ status: 'VOID', code: null })
    const list = await buyer.read('/api/etickets')
    expect(list.json()).toMatchObject({ items: [{ status: 'VOID', code: null }] })
    expect(list.body).not.toContain(etickets[0]?.code ?? '')
    const page = await bench.call('GET', eticket, { as: buyer.authorization, headers: { accept: 'text/html' } })
    expect(page.body).not.toContain('<svg')
  })

  it('[B66] a buyer at the bank has until the hold is over, however long that is, and not longer', async () => {
    const { buyer, reservation } = await cashier.ready()
    const { id, action } = (await cashier.pay(buyer, reservation.id, 'sandbox_3ds')).json<WirePurchase>()
    for (const seconds of [11, 60, 60]) {
      await cashier.wait(seconds)
      await cashier.watch()
      expect(await cashier.purchase(id)).toMatchObject({ status: 'PROCESSING' })
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = action?.url ?? ''
    await bench.server.app.inject({ method: 'POST', url, headers, payload: 'decision=approve' })
    await cashier.wait(60)
    await cashier.watch()
    expect(await cashier.purchase(id)).toMatchObject({ status: 'PAID', captured: 9_000 })

    const late = await cashier.ready()
    const begun = (await cashier.pay(late.buyer, late.reservation.id, 'sandbox_3ds')).json<WirePurchase>()
    await cashier.endHold(late.reservation)
    await cashier.wait(4)
    await cashier.watch()
    expect(await cashier.purchase(begun.id)).toMatchObject({ status: 'DECLINED', captured: 0 })
    expect(await cashier.books(begun.id)).toMatchObject({ status: 'canceled' })
  })
})
