import { numberReceipts } from '@seatwise/ledger'
import { beforeAll, expect, it } from 'vitest'
import { registerWithRole } from '../../support/accounts.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier } from '../../support/payment.ts'
import { Buyer } from '../../support/reservation.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

forEachMode('receipts', (open) => {
  let bench: RoomBench
  let cashier: Cashier

  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
  })

  it('[B100] [B101] a purchase has the number of its receipt, and a refund its credit note', async () => {
    const { buyer, reservation } = await cashier.ready(undefined, [0, 1])
    const { id } = await cashier.paid(buyer, reservation.id)
    const path = `/api/purchases/${id}`
    expect((await buyer.read(path)).json()).toMatchObject({ receiptNumber: null, refundedAmount: 0 })
    expect((await buyer.read(`${path}/receipts`)).json()).toEqual({ items: [] })
    await numberReceipts(bench.server.ledger)
    const { receiptNumber } = (await buyer.read(path)).json<{ receiptNumber: number }>()
    expect(receiptNumber).toBeGreaterThan(0)

    const refunded = await bench.call('POST', `${path}/refund`, { as: bench.organizer.authorization })
    expect(refunded.statusCode).toBe(200)
    await numberReceipts(bench.server.ledger)
    expect((await buyer.read(path)).json()).toMatchObject({ receiptNumber, refundedAmount: 18_000 })
    const receipts = await buyer.read(`${path}/receipts`)
    expect(receipts.headers['cache-control']).toBe('no-store')
    expect(receipts.json()).toMatchObject({
      items: [
        { number: receiptNumber, kind: 'receipt', amount: 18_000, currency: 'EUR', seller: { name: 'Ada' } },
        { number: receiptNumber + 1, kind: 'credit_note', amount: 18_000 },
      ],
    })
  })

  it('[B103] its buyer, its organiser and admins read the receipts; for others there is no such purchase', async () => {
    const { buyer, reservation } = await cashier.ready()
    const { id } = await cashier.paid(buyer, reservation.id)
    await numberReceipts(bench.server.ledger)
    const read = (as: string) => bench.call('GET', `/api/purchases/${id}/receipts`, { as })
    for (const { authorization } of [buyer, bench.organizer, bench.admin]) {
      expect((await read(authorization)).json<{ items: unknown[] }>().items).toHaveLength(1)
    }
    const stranger = await Buyer.admitted(bench, buyer.sale)
    const rival = await registerWithRole(bench.server.app, bench.server.ledger, 'organizer')
    for (const { authorization } of [stranger, rival]) expectError(await read(authorization), 404, 'NOT_FOUND')
    expectError(
      await bench.call('GET', '/api/purchases/nonsense/receipts', { as: buyer.authorization }),
      404,
      'NOT_FOUND',
    )
  })
})
