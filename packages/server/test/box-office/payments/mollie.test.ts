import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { mollieAmount, ourAmount } from '../../../src/box-office/payments/mollie/mollie-amount.ts'
import { NOT_PAID, OrderRefused } from '../../../src/box-office/payments/provider.ts'
import { type MollieAtWork, mollieWith, openMollie, SITE } from '../../support/stand-ins.ts'
import { orderOf } from './provider-contract.ts'

/** Everything that was captured, under one key for each payment. */
const all = (ref: string) => ({ refundId: ref, amount: 9_000, currency: 'EUR' })

/** What the contract of all providers (providers.test.ts) leaves to Mollie's own ways. */
let mollie: MollieAtWork
beforeAll(async () => {
  mollie = await openMollie()
})
afterAll(() => mollie.close())
beforeEach(() => {
  mollie.standIn.refundStatus = 'refunded'
})

it('[B73] a payment says what is bought, where the buyer returns and where its news goes', async () => {
  const { provider, standIn } = mollie
  const order = orderOf()
  const { ref, url } = await provider.prepare(order)
  expect(url).toBe(standIn.pageOf(ref))
  expect(standIn.payment(ref)).toMatchObject({
    amount: { currency: 'EUR', value: '90.00' },
    lines: [{ description: 'Stalls', quantity: 2, totalAmount: { currency: 'EUR', value: '90.00' } }],
    redirectUrl: `${SITE}/checkout/${order.reservationId}`,
    webhookUrl: `${SITE}/api/payments/webhooks/mollie`,
    metadata: { purchaseId: order.purchaseId, reservationId: order.reservationId },
    ...{ locale: 'en_GB', billingEmail: 'ada@example.com' },
  })
  expect(standIn.payment(ref).method).not.toContain('banktransfer')
  const korean = await provider.prepare(orderOf({ language: 'ko', email: null }))
  expect(standIn.payment(korean.ref)).toMatchObject({ locale: null, billingEmail: null })
})

it('[B73] a discount is a line of its own', async () => {
  const lines = [
    { name: 'Stalls', quantity: 2, unitPrice: 4_500 },
    { name: 'SPRING', quantity: 1, unitPrice: -905 },
  ]
  const { ref } = await mollie.provider.prepare(orderOf({ lines, amount: 8_095 }))
  expect(mollie.standIn.payment(ref).lines[1]).toMatchObject({ totalAmount: { value: '-9.05' } })
})

it('[B73] money is written with the decimals of its currency, and read without rounding', () => {
  for (const [amount, currency, value] of [
    [9_000, 'EUR', '90.00'],
    [5, 'EUR', '0.05'],
    [-905, 'EUR', '-9.05'],
    [9_000, 'JPY', '9000'],
    [9_000, 'ISK', '9000'],
    [900_719_925_474_099, 'EUR', '9007199254740.99'],
  ] as const) {
    expect(mollieAmount(amount, currency)).toEqual({ currency, value })
    expect(ourAmount({ currency, value })).toBe(amount)
  }
  for (const value of ['', '90', '90.0', '90.000', '9e3', '1,000.00']) {
    expect(() => ourAmount({ currency: 'EUR', value }), value).toThrow()
  }
})

it('[B73] an order that Mollie never takes, and another key, are told apart from a Mollie that is away', async () => {
  await expect(mollie.provider.prepare(orderOf({ currency: 'XAU' }))).rejects.toThrow(OrderRefused)
  await expect(mollie.provider.prepare(orderOf({ amount: 8_000 }))).rejects.toThrow(/total of the lines/)
  const stranger = await mollieWith(mollie.standIn, 'test_anotherKeyThatMollieDoesNotKnow1')
  await expect(stranger.prepare(orderOf())).rejects.not.toThrow(OrderRefused)
})

it('[B73] a buyer who goes back is told apart from a bad card', async () => {
  const { provider, standIn } = mollie
  const [left, declined] = [await provider.prepare(orderOf()), await provider.prepare(orderOf())]
  standIn.act(left.ref, 'back')
  standIn.act(declined.ref, 'decline')
  expect(await provider.status(left.ref)).toEqual({ status: 'declined', reason: NOT_PAID })
  expect(await provider.status(declined.ref)).toEqual({ status: 'declined', reason: 'insufficient_funds' })
})

it('[B34] a refund that waits for the balance is on its way, a lost one is asked for again', async () => {
  const { provider, standIn } = mollie
  const captured = async () => {
    const { ref } = await provider.prepare(orderOf())
    standIn.act(ref, 'pay')
    return ref
  }
  const queued = await captured()
  standIn.refundStatus = 'queued'
  expect(await provider.refund(queued, all(queued))).toBe('pending')
  expect(await provider.refund(queued, all(queued))).toBe('pending')
  Object.assign(standIn.refunds.at(-1) ?? {}, { status: 'pending' })
  expect(await provider.refund(queued, all(queued))).toBe('refunded')
  const lost = await captured()
  standIn.refundStatus = 'failed'
  expect(await provider.refund(lost, all(lost))).toBe('refused')
  standIn.refundStatus = 'refunded'
  expect(await provider.refund(lost, all(lost))).toBe('refunded')
  expect(standIn.refunds.filter(({ paymentId }) => paymentId === lost)).toHaveLength(2)
})

it('[B32] an unsigned webhook names a payment and says nothing else', () => {
  const read = (body: string) => mollie.provider.readWebhook(Buffer.from(body), {})
  expect(read('id=tr_1')).toEqual({ ref: 'tr_1' })
  expect(read('id=tr_1&status=paid')).toEqual({ ref: 'tr_1' })
  expect(read('id=ord_1')).toBe('none')
  expect(read('{"id":"tr_1"}')).toBe('none')
})
