import { faults } from '@seatwise/domain'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { Payments } from '../../src/box-office/payments/payments.ts'
import { continueCancelling } from '../../src/operators/cancelling/continue-cancelling.ts'
import { registerWithRole } from '../support/accounts.ts'
import { expectError } from '../support/kernel.ts'
import { Cashier } from '../support/payment.ts'
import { query } from '../support/payment-time.ts'
import { Buyer, forEachMode, HOUSE, OPEN_FLOOR, seatIdsOf, until } from '../support/reservation.ts'
import type { RoomBench } from '../support/room.ts'

const ROUNDS_MAX = 40

forEachMode('cancelling an event', (open) => {
  let bench: RoomBench
  let cashier: Cashier

  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
  })
  afterEach(() => faults.disarm())

  const idOf = (sale: string): string => sale.split('/').at(-1) ?? ''
  const cancel = (sale: string, as = bench.organizer.authorization, message = 'The singer is ill') =>
    bench.call('POST', `${sale}/cancel`, { as, body: { message } })
  const progress = async (sale: string) =>
    (await bench.call('GET', `${sale}/cancel`, { as: bench.organizer.authorization })).json<Record<string, unknown>>()

  async function soldOrders(orders: number) {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const seatIds = await seatIdsOf(bench, sale)
    const purchases: string[] = []
    for (let index = 0; index < orders; index += 1) {
      const buyer = await Buyer.admitted(bench, sale)
      const { id } = await buyer.reserved({ seatIds: [seatIds[index]] })
      purchases.push((await cashier.paid(buyer, id)).id)
    }
    return { sale, seatIds, purchases }
  }

  /** Lets servers work until the event is done; their leases end at once. */
  async function work(sale: string, payments: Payments = cashier.payments): Promise<void> {
    const { ledger, services } = bench.server
    for (let round = 0; round < ROUNDS_MAX && (await progress(sale)).status !== 'done'; round += 1) {
      await ledger.db
        .updateTable('cancellations')
        .set({ leased_until: new Date(0) })
        .where('event_id', '=', idOf(sale))
        .execute()
      await ledger.db
        .updateTable('cancelled_orders')
        .set({ due_at: new Date(0) })
        .where('state', '=', 'WAITING')
        .execute()
      await ledger.db.updateTable('outbox').set({ handed_at: new Date() }).where('handed_at', 'is', null).execute()
      await continueCancelling(services, payments)
    }
  }

  async function expectAllBack(purchases: readonly string[]): Promise<void> {
    for (const id of purchases) {
      expect(await cashier.purchase(id)).toMatchObject({ status: 'REFUNDED', captured: 9_000, refunded: 9_000 })
      expect(await cashier.books(id)).toMatchObject({ captured: 9_000, refunded: 9_000 })
    }
  }

  it('[B140] joining and reserving are 410, the line is told, and the event is in no list', async () => {
    const { sale, seatIds } = await soldOrders(1)
    const inside = await Buyer.admitted(bench, sale)
    expectError(await bench.call('GET', `${sale}/cancel`, { as: bench.organizer.authorization }), 404, 'NOT_FOUND')
    const rival = await registerWithRole(bench.server.app, bench.server.ledger, 'organizer')
    expectError(await cancel(sale, rival.authorization), 403, 'FORBIDDEN')
    expectError(await cancel(sale, bench.organizer.authorization, ''), 400, 'BAD_REQUEST')
    const answer = await cancel(sale)
    expect(answer.statusCode).toBe(202)
    expect((await cancel(sale)).json()).toEqual(answer.json())
    expectError(await inside.reserve({ seatIds: [seatIds[5]] }), 410, 'EVENT_CANCELLED')
    const join = await bench.call('POST', `${sale}/queue/join`, { as: bench.buyer(), body: {} })
    expectError(join, 410, 'EVENT_CANCELLED')
    expect((await bench.call('GET', sale)).json()).toMatchObject({ state: 'cancelled' })
    const now = async () => (await bench.call('GET', `${sale}/queue/now`)).json<{ phase: string; message: string }>()
    await until(async () => (await now()).message === 'The singer is ill' && (await now()).phase === 'ended')
    const listed = (await bench.call('GET', '/api/events?limit=100')).body
    expect(listed).not.toContain(idOf(sale))
  })

  it('[W116] the page of a cancelled event says so with the message, and offers no tickets', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const show = async () => (await bench.call('GET', `/events/${idOf(sale)}`)).body
    expect(await show()).toContain(`/events/${idOf(sale)}/wait`)
    await cancel(sale)
    await until(async () => (await show()).includes('The singer is ill'))
    expect(await show()).toContain('This event was cancelled.')
    expect(await show()).not.toContain(`/events/${idOf(sale)}/wait`)
  })

  it('[B141] every order is refunded, used or not, partly refunded or not; its buyer is told', async () => {
    const { sale, purchases } = await soldOrders(4)
    await cancel(sale)
    expect(await progress(sale)).toMatchObject({ status: 'running', orders: 4, refunded: 0, failed: 0 })
    await work(sale)
    expect(await progress(sale)).toMatchObject({ status: 'done', orders: 4, refunded: 4, failed: 0, differences: 0 })
    await expectAllBack(purchases)
    const told = await query<{ message: string }>(
      bench.server.ledger.db,
      `select payload ->> 'message' as message
         from outbox join purchases on purchases.reservation_id::text = outbox.aggregateid
        where purchases.id = any ($1::uuid[]) and outbox.type = 'event.cancelled'`,
      [purchases],
    )
    expect(told.map(({ message }) => message)).toEqual(purchases.map(() => 'The singer is ill'))
  })

  it('[B142] a server that fails at any point: the next one continues, and no order is refunded twice', async () => {
    for (const point of ['cancel.inside-transaction', 'cancel.after-commit', 'cancel.after-line'] as const) {
      const { sale, purchases } = await soldOrders(2)
      faults.arm(point, () => Promise.reject(new Error(`fault at ${point}`)), 1)
      await cancel(sale)
      faults.disarm()
      await cancel(sale)
      await work(sale)
      expect(await progress(sale), point).toMatchObject({ status: 'done', orders: 2, refunded: 2, differences: 0 })
      await expectAllBack(purchases)
    }
    for (const point of ['cancel.after-refund', 'cancel.before-done', 'refund.after-provider'] as const) {
      const { sale, purchases } = await soldOrders(2)
      await cancel(sale)
      faults.arm(point, () => Promise.reject(new Error(`fault at ${point}`)), 1)
      await work(sale).catch(() => undefined)
      faults.disarm()
      await work(sale)
      expect(await progress(sale), point).toMatchObject({ status: 'done', refunded: 2, failed: 0, differences: 0 })
      await expectAllBack(purchases)
    }
  })

  it('[B142] what the provider does not send is retried and counted, until it does', async () => {
    const { sale, purchases } = await soldOrders(2)
    await cancel(sale)
    const away = { ...cashier.payments.provider, refund: () => Promise.reject(new Error('no answer')) }
    await continueUntil(sale, { ...cashier.payments, provider: away } as Payments)
    expect(await progress(sale)).toMatchObject({ status: 'running', refunded: 0, failed: 2 })
    await work(sale)
    expect(await progress(sale)).toMatchObject({ status: 'done', refunded: 2, failed: 0 })
    await expectAllBack(purchases)
  })

  /** One round for this event, whichever others wait. */
  async function continueUntil(sale: string, payments: Payments): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX && (await progress(sale)).failed === 0; round += 1) {
      await bench.server.ledger.db
        .updateTable('cancellations')
        .set({ leased_until: new Date(0) })
        .where('event_id', '=', idOf(sale))
        .execute()
      await continueCancelling(bench.server.services, payments)
    }
  }

  it('[E28] a draft is in no list and 404 to all but its organiser and admins; PATCH publishes it', async () => {
    const as = bench.organizer.authorization
    const sale = await bench.sale(OPEN_FLOOR, { ...HOUSE, state: 'draft' })
    const rival = await registerWithRole(bench.server.app, bench.server.ledger, 'organizer')
    for (const path of [sale, `${sale}/seats`, `${sale}/seats?since=0`, `${sale}/queue/now`]) {
      expectError(await bench.call('GET', path), 404, 'NOT_FOUND')
      expectError(await bench.call('GET', path, { as: bench.buyer() }), 404, 'NOT_FOUND')
    }
    expectError(await bench.call('GET', sale, { as: rival.authorization }), 404, 'NOT_FOUND')
    expectError(await bench.call('POST', `${sale}/queue/join`, { as: bench.buyer(), body: {} }), 404, 'NOT_FOUND')
    for (const who of [as, bench.admin.authorization]) {
      expect((await bench.call('GET', sale, { as: who })).json()).toMatchObject({ state: 'draft' })
    }
    const isListed = async () => (await bench.call('GET', '/api/events?limit=100', { as })).body.includes(idOf(sale))
    expect(await isListed()).toBe(false)
    expect((await bench.call('PATCH', sale, { as, body: { state: 'published' } })).json()).toMatchObject({
      state: 'published',
    })
    expect((await bench.call('GET', sale, { as: bench.buyer() })).statusCode).toBe(200)
    expect((await Buyer.admitted(bench, sale)).pass).not.toBe('')
    expectError(await bench.call('PATCH', sale, { as, body: { state: 'draft' } }), 409, 'SALE_CONFLICT')
    expectError(await bench.call('PATCH', sale, { as, body: { state: 'cancelled' } }), 400, 'BAD_REQUEST')
  })

  it('[E29] an event is published unless it says draft, and a cancelled one stays cancelled', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const as = bench.organizer.authorization
    expect((await bench.call('GET', sale)).json()).toMatchObject({ state: 'published' })
    await cancel(sale)
    expectError(await bench.call('PATCH', sale, { as, body: { state: 'published' } }), 409, 'SALE_CONFLICT')
    const found = await bench.call('GET', '/api/events/search?q=', { as })
    expect(found.body).not.toContain(idOf(sale))
  })
})
