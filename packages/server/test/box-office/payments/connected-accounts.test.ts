import { randomUUID } from 'node:crypto'
import { payeeOf } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buy } from '../../../src/box-office/payments/buy.ts'
import type { PaymentProvider } from '../../../src/box-office/payments/provider.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier } from '../../support/payment.ts'
import { openRoomServer, RoomBench, type RoomServer } from '../../support/room.ts'
import { openStripe, SITE, type StripeAtWork } from '../../support/stand-ins.ts'
import { orderOf } from './provider-contract.ts'

describe('connected accounts at Stripe', () => {
  let stripe: StripeAtWork
  beforeAll(async () => {
    stripe = await openStripe()
  })
  afterAll(() => stripe.close())
  let accounts = 0
  const connect = (): string => stripe.standIn.accounts.connect(`acct_test${accounts++}`)

  it('[B209] the fee is a percentage of the amount, rounded once', () => {
    expect(payeeOf('acct_1', 9_000, 2.5)).toEqual({ account: 'acct_1', fee: 225 })
    expect(payeeOf('acct_1', 999, 0)).toMatchObject({ fee: 0 })
    expect(payeeOf('acct_1', 100, 0.5)).toMatchObject({ fee: 1 })
    expect(payeeOf('acct_1', 99, 0.5)).toMatchObject({ fee: 0 })
    expect(payeeOf('acct_1', 1_000_000_000_000, 33.333)).toMatchObject({ fee: 333_330_000_000 })
  })

  it('[B209] a payment with a payee is a destination charge with our fee, in Stripe’s units', async () => {
    const { provider, standIn } = stripe
    for (const [currency, fee, sent] of [
      ['EUR', 225, 225],
      ['ISK', 225, 22_500],
      ['EUR', 0, null],
    ] as const) {
      const account = connect()
      const { ref } = await provider.prepare(orderOf({ currency, payee: { account, fee } }))
      standIn.act(ref, 'pay')
      expect(standIn.intent(ref)).toMatchObject({
        ...{ application_fee_amount: sent, transfer_data: { destination: account } },
      })
      expect(await provider.status(ref)).toEqual({ status: 'captured', amount: 9_000 })
    }
    await expect(provider.prepare(orderOf({ payee: { account: 'acct_gone', fee: 1 } }))).rejects.toThrow(
      'resource_missing',
    )
  })

  it('[B211] whatever is paid and refunded, each account has its part of what is left, to the cent', async () => {
    const { provider, standIn } = stripe
    const deed = fc.record({
      amount: fc.integer({ min: 50, max: 5_000_000 }),
      percent: fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 1_000),
      isConnected: fc.boolean(),
      isRefunded: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 4 }), async (deeds) => {
        const account = connect()
        const before = standIn.accounts.platform
        const [ours, theirs] = [{ left: 0 }, { left: 0 }]
        let kept = 0
        for (const { amount, percent, isConnected, isRefunded } of deeds) {
          const payee = isConnected ? payeeOf(account, amount, percent) : null
          const lines = [{ name: 'Stalls', quantity: 1, unitPrice: amount }]
          const { ref } = await provider.prepare(orderOf({ amount, lines, payee }))
          standIn.act(ref, 'pay')
          if (isRefunded)
            expect(await provider.refund(ref, { refundId: randomUUID(), amount, currency: 'EUR' })).toBe('refunded')
          const left = isRefunded ? 0 : amount
          const fee = isRefunded ? 0 : (payee?.fee ?? amount)
          kept += left
          ours.left += fee
          theirs.left += left - fee
          expect(standIn.accounts.balanceOf(account)).toBe(theirs.left)
          expect(standIn.accounts.platform - before).toBe(ours.left)
        }
        expect(standIn.accounts.platform - before + standIn.accounts.balanceOf(account)).toBe(kept)
      }),
      { numRuns: 25 },
    )
  })

  it('[B211 control] a refund that does not take the transfer back leaves the house out of pocket', async () => {
    const { provider, standIn } = stripe
    const account = connect()
    const before = standIn.accounts.platform
    const { ref } = await provider.prepare(orderOf({ payee: { account, fee: 225 } }))
    standIn.act(ref, 'pay')
    standIn.accounts.refund(standIn.intent(ref).id, 9_000, { reverseTransfer: false, refundFee: false })
    expect(standIn.accounts.platform - before).toBe(225 - 9_000)
    expect(standIn.accounts.balanceOf(account)).toBe(9_000 - 225)
  })
})

forEachLedger('organizations with an account at Stripe', (openLedger) => {
  let ledger: Ledger
  let stripe: StripeAtWork
  let server: RoomServer
  let bench: RoomBench
  let cashier: Cashier
  let organizationId: string
  let path: string
  beforeAll(async () => {
    ledger = await openLedger()
    stripe = await openStripe()
    const env = { ...stripe.standIn.settings, SEATWISE_PUBLIC_URL: SITE, SEATWISE_STRIPE_FEE_PERCENT: '2.5' }
    server = await openRoomServer(ledger, { env })
    bench = await RoomBench.open(server)
    cashier = await Cashier.open(bench)
    organizationId = await bench.organizationId()
    path = `/api/organizations/${organizationId}`
  })
  afterAll(async () => {
    await server.close()
    await stripe.close()
  })
  beforeEach(() => void stripe.standIn.troubles.splice(0))

  const connect = (stripeAccount: string | null, as = bench.admin.authorization) =>
    bench.call('PATCH', path, { as, body: { stripeAccount } })

  it('[B208] admins set and remove the account, the trail lists it, and other callers and values are refused', async () => {
    expect((await connect('acct_first')).json()).toEqual({
      ...{ id: organizationId, name: 'Ada', role: null, address: '', taxNumber: '', stripeAccount: 'acct_first' },
    })
    expect((await bench.call('GET', path, { as: bench.admin.authorization })).json()).toMatchObject({
      stripeAccount: 'acct_first',
    })
    const acts = ledger.db.selectFrom('operator_actions').selectAll().where('kind', '=', 'organization.edited')
    expect(await acts.execute()).toMatchObject([{ subject: organizationId, after: { stripeAccount: 'acct_first' } }])
    expectError(await connect(null, bench.organizer.authorization), 403, 'FORBIDDEN')
    expectError(await connect(null, bench.buyer()), 404, 'NOT_FOUND')
    for (const bad of ['acct_', 'cus_1', 'acct_1;drop', '']) expectError(await connect(bad), 400, 'BAD_REQUEST')
    const other = `/api/organizations/${randomUUID()}`
    expectError(
      await bench.call('PATCH', other, { as: bench.admin.authorization, body: { stripeAccount: null } }),
      404,
      'NOT_FOUND',
    )
    expect((await connect(null)).json()).toMatchObject({ stripeAccount: null })
  })

  it('[B209] [B210] a server dies before the reference is stored: a retry sends the same account and fee, although both changed', async () => {
    const { standIn } = stripe
    const { accounts } = standIn
    const [first, second] = [accounts.connect('acct_one'), accounts.connect('acct_two')]
    await connect(first)
    const { reservation } = await cashier.ready()
    const owner = ledger.db.selectFrom('reservations').select('buyer_id').where('id', '=', reservation.id)
    const { buyer_id: buyerId } = await owner.executeTakeFirstOrThrow()
    const operation = { actorId: buyerId, key: randomUUID(), fingerprint: 'test' }
    const wish = { operation, buyerId, reservationId: reservation.id, paymentMethod: undefined }
    const { payments } = cashier
    const dies = { ...payments.desk, noteRef: () => Promise.reject(new Error('the server dies')) }
    await expect(buy({ ...payments, desk: dies }, wish)).rejects.toThrow('the server dies')
    await connect(second)
    // Stripe refuses other parameters under the same key: this payment begins only because they are the same.
    const answer = await buy(
      { ...payments, provider: { ...payments.provider, feePercent: 9 } as PaymentProvider },
      wish,
    )
    expect(answer.statusCode).toBe(202)
    const { id } = answer.body as { id: string }
    const ref = standIn.refOf(id)
    standIn.act(ref, 'pay')
    await cashier.wait(4)
    await cashier.watch()
    expect(standIn.intent(ref)).toMatchObject({ application_fee_amount: 225, transfer_data: { destination: first } })
    expect([accounts.balanceOf(first), accounts.balanceOf(second)]).toEqual([9_000 - 225, 0])

    // The refund comes from the account that has the money.
    const refund = await bench.call('POST', `/api/purchases/${id}/refund`, { as: bench.organizer.authorization })
    const done = { id: expect.any(String), createdAt: expect.any(String), keptFees: 0, status: 'DONE' }
    const refunds = [{ ...done, amount: reservation.amount, seatIds: reservation.items.map(({ seatId }) => seatId) }]
    expect(refund.json()).toEqual({ id, status: 'REFUNDED', refundedAmount: reservation.amount, refunds })
    expect([accounts.balanceOf(first), accounts.balanceOf(second), accounts.platform]).toEqual([0, 0, 0])
    await connect(null)
  })

  it('[B209] an account that Stripe does not know sells nothing and charges nothing', async () => {
    await connect('acct_gone')
    const { buyer, reservation } = await cashier.ready()
    expectError(await cashier.pay(buyer, reservation.id), 402, 'PAYMENT_DECLINED')
    expect((await buyer.read(`/api/reservations/${reservation.id}`)).json()).toMatchObject({
      status: 'PENDING_PAYMENT',
    })
    await connect(null)
    expect((await cashier.pay(buyer, reservation.id)).statusCode).toBe(202)
  })
})
