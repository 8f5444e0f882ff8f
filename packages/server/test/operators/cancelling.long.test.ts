import { beforeAll, expect, it } from 'vitest'
import { continueCancelling } from '../../src/operators/cancelling/continue-cancelling.ts'
import { Cashier } from '../support/payment.ts'
import { query } from '../support/payment-time.ts'
import { Buyer, forEachMode, OPEN_FLOOR } from '../support/reservation.ts'
import type { RoomBench } from '../support/room.ts'

const ORDERS = 1_000
/** Buyers who are served at the same time. */
const AT_ONCE = 20
const HALL = {
  totalSeats: undefined,
  seatTypes: [{ name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: ORDERS, reservedSeating: false }],
}

forEachMode('cancelling a large event', (open) => {
  let bench: RoomBench
  let cashier: Cashier
  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
  })

  it(`[B141] [B142] ${ORDERS} orders are refunded, each once, and both books agree`, { timeout: 600_000 }, async () => {
    const sale = await bench.sale(OPEN_FLOOR, HALL)
    const [type] = (await bench.call('GET', sale)).json<{ seatTypes: { id: string }[] }>().seatTypes
    const buy = async (): Promise<void> => {
      const buyer = await Buyer.admitted(bench, sale)
      const { id } = await buyer.reserved({ seatTypeId: type?.id, quantity: 1 })
      await cashier.paid(buyer, id)
    }
    for (let done = 0; done < ORDERS; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, buy))
    const as = bench.organizer.authorization
    await bench.call('POST', `${sale}/cancel`, { as, body: { message: 'Rain' } })
    const { ledger, services } = bench.server
    const progress = async () =>
      (await bench.call('GET', `${sale}/cancel`, { as })).json<{ status: string; refunded: number }>()
    // No courier works in this bench: the news counts as handed out.
    await ledger.db.updateTable('outbox').set({ handed_at: new Date() }).where('handed_at', 'is', null).execute()
    let rounds = 0
    for (; (await progress()).status !== 'done' && rounds < ORDERS; rounds += 1) {
      await continueCancelling(services, cashier.payments)
    }
    // The pace is bounded: 20 orders in a round.
    expect(rounds).toBeGreaterThanOrEqual(ORDERS / 20)
    expect(await progress()).toMatchObject({
      status: 'done',
      orders: ORDERS,
      refunded: ORDERS,
      failed: 0,
      differences: 0,
    })
    const books = await query(
      ledger.db,
      `select count(*)::int as orders, sum(purchases.refunded)::int as ours, sum(books.refunded)::int as theirs
         from purchases join sandbox_payments as books on books.purchase_id = purchases.id`,
    )
    expect(books).toEqual([{ orders: ORDERS, ours: ORDERS * 4_500, theirs: ORDERS * 4_500 }])
  })
})
