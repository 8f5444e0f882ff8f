import { randomUUID } from 'node:crypto'
import { faults } from '@seatwise/domain'
import { acceptTransfer, numberReceipts, openTransfer, readReservation } from '@seatwise/ledger'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { concludeUndecided } from '../../../src/box-office/payments/watch-payments.ts'
import { expectError } from '../../support/kernel.ts'
import { Cashier } from '../../support/payment.ts'
import { query } from '../../support/payment-time.ts'
import { HOUSE, OPEN_FLOOR, seatsOf } from '../../support/reservation.ts'
import { forEachMode, type RoomBench } from '../../support/room.ts'

/** Each seat costs 9,000 and 111 of fees. */
const WITH_FEES = { ...HOUSE, fees: [{ name: 'Booking', perTicket: 111 }] }
const REFUND_POINTS = [
  'refund.inside-start',
  'refund.after-start',
  'refund.after-provider',
  'refund.inside-finish',
  'refund.after-finish',
] as const

forEachMode('refunds by seat', (open) => {
  let bench: RoomBench
  let cashier: Cashier

  beforeAll(async () => {
    bench = await open()
    cashier = await Cashier.open(bench)
  })
  afterEach(() => faults.disarm())

  const refund = (id: string, body: object = {}, more: { as?: string; key?: string } = {}) =>
    bench.call('POST', `/api/purchases/${id}/refund`, {
      as: more.as ?? bench.organizer.authorization,
      body,
      headers: more.key === undefined ? {} : { 'idempotency-key': more.key },
    })

  async function bought(seats: readonly number[] = [0, 1, 2]) {
    const sale = await bench.sale(OPEN_FLOOR, WITH_FEES)
    const { buyer, reservation, seatIds } = await cashier.ready(sale, [...seats])
    return { ...(await cashier.paid(buyer, reservation.id)), sale, buyer, reservation, seatIds }
  }

  /** What was captured is what is booked and what went back, in our books and in the sandbox's. */
  async function expectBooks(id: string, refunded: number): Promise<void> {
    const purchase = await cashier.purchase(id)
    expect(purchase.refunded).toBe(refunded)
    const { db } = bench.server.ledger
    const rows = await db.selectFrom('refunds').selectAll().where('purchase_id', '=', id).execute()
    expect(rows.filter(({ state }) => state === 'DONE').reduce((sum, { amount }) => sum + amount, 0)).toBe(refunded)
    expect(await cashier.books(id)).toMatchObject({ captured: purchase.captured, refunded })
  }

  it('[B130] some seats come back with their fees, others without; the last ends the purchase', async () => {
    const { sale, buyer, reservation, seatIds, id, etickets } = await bought()
    const [first = '', second = '', third = ''] = seatIds
    const one = await refund(id, { seatIds: [first] })
    expect([one.statusCode, one.json()]).toMatchObject([200, { status: 'PARTLY_REFUNDED', refundedAmount: 9_111 }])
    const statuses = async () => {
      const seats = new Map((await seatsOf(bench, sale)).map((seat) => [seat.id, seat.status]))
      return seatIds.map((seatId) => seats.get(seatId))
    }
    expect(await statuses()).toEqual(['available', 'sold', 'sold'])
    const voided = etickets.find(({ seatId }) => seatId === first)
    expect((await buyer.read(`/api/etickets/${voided?.id}`)).json()).toMatchObject({ status: 'VOID', code: null })
    const as = bench.organizer.authorization
    expectError(await bench.call('POST', '/api/checkin', { as, body: { code: voided?.code } }), 409, 'ETICKET_VOID')
    const shown = (await buyer.read(`/api/purchases/${id}`)).json<{ etickets: unknown[]; refunds: unknown[] }>()
    expect(shown).toMatchObject({
      ...{ status: 'PARTLY_REFUNDED', refundedAmount: 9_111 },
      refunds: [{ seatIds: [first], amount: 9_111, keptFees: 0, status: 'DONE' }],
    })
    expect(shown.etickets).toHaveLength(2)
    expect((await refund(id, { seatIds: [second], keepFees: true })).json()).toMatchObject({ refundedAmount: 18_111 })
    const last = await refund(id, { seatIds: [third] })
    expect(last.json()).toMatchObject({ status: 'REFUNDED', refundedAmount: 27_222 })
    expect(await statuses()).toEqual(['available', 'available', 'available'])
    expect((await buyer.read(`/api/reservations/${reservation.id}`)).json()).toMatchObject({ status: 'REFUNDED' })
    await expectBooks(id, 27_222)
    await numberReceipts(bench.server.ledger)
    const { items } = (await buyer.read(`/api/purchases/${id}/receipts`)).json<{ items: { amount: number }[] }>()
    expect(items.map(({ amount }) => amount)).toEqual([27_333, 9_111, 9_000, 9_111])
  })

  it('[B134] foreign seats are 404, refunded ones 409, used ones 409 until evenIfUsed, wrong bodies 400', async () => {
    const { id, seatIds, etickets } = await bought([0, 1])
    const other = await bought([0])
    const [first = '', second = ''] = seatIds
    expectError(await refund(id, { seatIds: other.seatIds }), 404, 'NOT_FOUND')
    expectError(await refund(id, { seatIds: [] }), 400, 'BAD_REQUEST')
    expectError(await refund(id, { seatIds: [first, first] }), 400, 'BAD_REQUEST')
    expectError(await refund(id, { keepFees: 'yes' }), 400, 'BAD_REQUEST')
    expect((await refund(id, { seatIds: [first] })).statusCode).toBe(200)
    expectError(await refund(id, { seatIds: [first, second] }), 409, 'ALREADY_REFUNDED')
    const code = etickets.find(({ seatId }) => seatId === second)?.code
    await bench.call('POST', '/api/checkin', { as: bench.organizer.authorization, body: { code } })
    expectError(await refund(id), 409, 'ALREADY_USED')
    expect((await refund(id, { evenIfUsed: true })).json()).toMatchObject({ status: 'REFUNDED' })
    await expectBooks(id, 18_222)
  })

  it('[B135] the same key and body are answered the same; another body is 422', async () => {
    const { id, seatIds } = await bought()
    const [first = '', second = ''] = seatIds
    const key = randomUUID()
    const one = await refund(id, { seatIds: [first, second] }, { key })
    expect(one.statusCode).toBe(200)
    expect((await refund(id, { seatIds: [second, first] }, { key })).json()).toEqual(one.json())
    expectError(await refund(id, { seatIds: [first] }, { key }), 422, 'KEY_REUSED')
    await expectBooks(id, 18_222)
  })

  it('[B133] a server that fails at any point of a refund: a retry or the watch finishes it, once', async () => {
    for (const point of REFUND_POINTS) {
      const { id, seatIds } = await bought()
      const key = randomUUID()
      faults.arm(point, () => Promise.reject(new Error(`fault at ${point}`)), 1)
      const broken = await refund(id, { seatIds: seatIds.slice(0, 1) }, { key })
      expect(broken.statusCode, point).toBe(500)
      faults.disarm()
      // Half of them by the watch, the others by the same call again.
      if (point === 'refund.after-start' || point === 'refund.inside-finish') {
        await cashier.wait(4)
        await concludeUndecided(cashier.payments)
        await expectBooks(id, 9_111)
      }
      const again = await refund(id, { seatIds: seatIds.slice(0, 1) }, { key })
      expect([again.statusCode, again.json()], point).toMatchObject([200, { status: 'PARTLY_REFUNDED' }])
      await expectBooks(id, 9_111)
    }
  })

  it('[B145] buyers refund themselves while the event offers it, and never decide about fees', async () => {
    const { sale, buyer, id } = await bought([0])
    const as = buyer.authorization
    expectError(await refund(id, {}, { as }), 403, 'FORBIDDEN')
    const edit = { startsAt: '2090-01-01T20:00:00Z', offerRefundUntil: '2089-01-01T00:00:00Z' }
    const edited = await bench.call('PATCH', sale, { as: bench.organizer.authorization, body: edit })
    expect(edited.json()).toMatchObject({ refundsUntil: '2089-01-01T00:00:00.000Z' })
    const told = await bench.server.ledger.db
      .selectFrom('outbox')
      .select('payload')
      .where('type', '=', 'event.moved')
      .where('aggregateid', '=', (await cashier.purchase(id)).reservation_id)
      .execute()
    expect(told).toHaveLength(1)
    expectError(await refund(id, { keepFees: false }, { as }), 403, 'FORBIDDEN')
    expectError(await refund(id, {}, { as: bench.buyer() }), 404, 'NOT_FOUND')
    expect((await refund(id, {}, { as })).json()).toMatchObject({ status: 'REFUNDED', refundedAmount: 9_111 })
  })

  it('[B146] [B148] until the time that the organiser set buyers refund themselves, less the fee that they were told', async () => {
    const { sale, buyer, id, seatIds } = await bought([0, 1])
    const as = buyer.authorization
    const offer = async () => (await bench.call('GET', `/api/purchases/${id}/refund`, { as })).json()
    const set = (after: object) => bench.call('PATCH', sale, { as: bench.organizer.authorization, body: { after } })
    expect(await offer()).toMatchObject({ until: null, amount: 0, seatIds: [] })
    const wrong = await set({ refundFee: { percent: 10.1234 } })
    expectError(wrong, 400, 'BAD_REQUEST')
    const refundFee = { perTicket: 100, percent: 10 }
    const edited = await set({ refundsUntil: '2089-01-01T00:00:00Z', refundFee })
    expect(edited.json()).toMatchObject({ after: { refundFee: { ...refundFee, keepFees: false } } })
    // 9,111 a seat: 911 and 100 stay.
    const told = { until: '2089-01-01T00:00:00.000Z', amount: 16_200, keptFees: 2_022, seatIds: seatIds.toSorted() }
    expect(await offer()).toMatchObject(told)
    expectError(await bench.call('GET', `/api/purchases/${id}/refund`, { as: bench.buyer() }), 404, 'NOT_FOUND')

    const [first = ''] = seatIds
    const other = await refund(id, { seatIds: [first], amount: 9_111 }, { as })
    expect(expectError(other, 409, 'REFUND_CHANGED')).toMatchObject({ amount: 8_100 })
    const part = await refund(id, { seatIds: [first], amount: 8_100 }, { as })
    expect(part.json()).toMatchObject({ status: 'PARTLY_REFUNDED', refundedAmount: 8_100 })
    await set({ refundsUntil: '2020-01-01T00:00:00Z' })
    expectError(await refund(id, {}, { as }), 403, 'FORBIDDEN')
    expect(await offer()).toMatchObject({ until: null, amount: 0 })
    // A moved date is the organiser's doing: nothing stays.
    const moved = { startsAt: '2090-01-01T20:00:00Z', offerRefundUntil: '2089-01-01T00:00:00Z' }
    await bench.call('PATCH', sale, { as: bench.organizer.authorization, body: moved })
    const rest = await refund(id, {}, { as })
    expect(rest.json()).toMatchObject({ status: 'REFUNDED', refundedAmount: 17_211 })
    await expectBooks(id, 17_211)
  })

  it('[B147] a buyer cannot refund an e-ticket that another holder has; the organiser can', async () => {
    const { sale, buyer, id, seatIds, etickets, reservation } = await bought([0, 1])
    const as = buyer.authorization
    const after = { refundsUntil: '2089-01-01T00:00:00Z' }
    await bench.call('PATCH', sale, { as: bench.organizer.authorization, body: { after } })
    const [given = '', own = ''] = seatIds
    const eticketId = etickets.find(({ seatId }) => seatId === given)?.id ?? ''
    const transferId = randomUUID()
    const owner = await readReservation(bench.server.ledger.db, reservation.id)
    const actorId = owner?.buyerId ?? ''
    const wish = { transferId, eticketId, actorId, email: 'friend@example.com', language: null }
    expect(await openTransfer(bench.server.ledger, wish)).toMatchObject({ status: 'opened' })
    expect(await acceptTransfer(bench.server.ledger, { transferId, actorId: null })).toMatchObject({
      status: 'accepted',
    })

    const refused = await refund(id, { seatIds: [given, own] }, { as })
    expect(expectError(refused, 409, 'ETICKET_TRANSFERRED')).toMatchObject({ seatIds: [given] })
    const offer = await bench.call('GET', `/api/purchases/${id}/refund`, { as })
    expect(offer.json()).toMatchObject({ amount: 9_111, seatIds: [own], transferredSeatIds: [given] })
    const part = await refund(id, {}, { as })
    expect(part.json()).toMatchObject({ status: 'PARTLY_REFUNDED', refundedAmount: 9_111 })
    expectError(await refund(id, {}, { as }), 409, 'ETICKET_TRANSFERRED')
    expect(
      await query(
        bench.server.ledger.db,
        'select count(*)::int as open from etickets where voided_at is null and generation = 2',
      ),
    ).toEqual([{ open: 1 }])
    expect((await refund(id)).json()).toMatchObject({ status: 'REFUNDED', refundedAmount: 18_222 })
    await expectBooks(id, 18_222)
  })
})
