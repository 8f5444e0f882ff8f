import { randomUUID } from 'node:crypto'
import { type FaultPoint, faultPointsOf, faults } from '@seatwise/domain'
import { numberReceipts, reconcileEvent } from '@seatwise/ledger'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { doorPartsOf } from '../../../src/box-office/door/routes.ts'
import { sellAtDoor } from '../../../src/box-office/door/sell-at-door.ts'
import { registerWithRole } from '../../support/accounts.ts'
import { Seller, type WireDoorSale } from '../../support/door.ts'
import { expectError } from '../../support/kernel.ts'
import { Buyer, forEachMode, HOUSE, OPEN_FLOOR, seatIdsOf, seatsOf, typeIdsOf } from '../../support/reservation.ts'
import type { RoomBench } from '../../support/room.ts'

const PRICED = {
  ...{ totalSeats: undefined, taxRate: 19, fees: [{ name: 'Booking', perTicket: 150 }] },
  seatTypes: [
    {
      ...{ name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: 20 },
      variants: [
        { name: 'Adult', price: 4_500 },
        { name: 'Child', price: 2_000 },
      ],
    },
  ],
}

const DONE = { id: expect.any(String), createdAt: expect.any(String), keptFees: 0, status: 'DONE' }

forEachMode('sales at the door', (open) => {
  let bench: RoomBench
  let seller: Seller

  beforeAll(async () => {
    bench = await open()
    seller = await Seller.hired(bench)
  })
  afterEach(() => faults.disarm())

  const sold = async (sale: string): Promise<number> =>
    (await seatsOf(bench, sale)).filter(({ status }) => status === 'sold').length
  const eventIdOf = (sale: string): string => sale.split('/').at(-1) ?? ''

  it('[B165] seats are paid, sold and have e-tickets at once, without line, pass and limit', async () => {
    const sale = await bench.sale({ ...OPEN_FLOOR, maxSeatsPerBuyer: 2 }, HOUSE)
    const seatIds = (await seatIdsOf(bench, sale)).slice(0, 4)
    const answer = await seller.sell(sale, { seatIds, method: 'terminal' })
    expect(answer.statusCode).toBe(201)
    expect(answer.headers['cache-control']).toBe('no-store')
    const purchase = answer.json<WireDoorSale>()
    expect(purchase).toMatchObject({
      ...{
        status: 'PAID',
        amount: 36_000,
        currency: 'EUR',
        refundedAmount: 0,
        receiptNumber: null,
        method: 'terminal',
      },
      reservation: { status: 'PAID', eventId: eventIdOf(sale), amount: 36_000 },
    })
    expect(purchase.reservation.items.map(({ seatId }) => seatId).sort()).toEqual([...seatIds].sort())
    expect(purchase.etickets.map(({ seatId }) => seatId).sort()).toEqual([...seatIds].sort())
    expect(await sold(sale)).toBe(4)
    const scanned = { code: purchase.etickets[0]?.code }
    const checkedIn = await bench.call('POST', '/api/checkin', { as: seller.authorization, body: scanned })
    expect(checkedIn.statusCode).toBe(200)
    const trail = await bench.call('GET', `${sale}/trail`, { as: bench.organizer.authorization })
    expect(trail.body).toContain('door.sold')
  })

  it('[B165] [B112] a code counts at the door as in the line, and a wrong one sells nothing', async () => {
    const sale = await bench.sale(OPEN_FLOOR, PRICED)
    const [standing = ''] = await typeIdsOf(bench, sale)
    const as = bench.organizer.authorization
    const code = { code: 'SPRING', percent: 50, usesMax: 1 }
    expect((await bench.call('POST', `${sale}/codes`, { as, body: code })).statusCode).toBe(201)
    const wish = { seatTypeId: standing, quantity: 2, method: 'cash' }
    expectError(await seller.sell(sale, { ...wish, code: 'SUMMER' }), 404, 'CODE_UNKNOWN')
    expect((await seller.sold(sale, { ...wish, code: 'spring' })).reservation).toMatchObject({
      amount: 4_800,
      lines: [
        { kind: 'seat', amount: 9_000 },
        { kind: 'discount', amount: -4_500 },
        { kind: 'fee', amount: 300 },
      ],
    })
    expectError(await seller.sell(sale, { ...wish, code: 'SPRING' }), 409, 'CODE_USED_UP')
    expect(await sold(sale)).toBe(2)
  })

  it('[B165] numbered seats by quantity are the best available; all or none', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const [stalls = '', standing = ''] = await typeIdsOf(bench, sale)
    const best = await seller.sold(sale, { seatTypeId: stalls, quantity: 3 })
    expect(new Set(best.reservation.items.map(({ row }) => row)).size).toBe(1)
    const [taken = ''] = best.etickets.map(({ seatId }) => seatId)
    const free = (await seatIdsOf(bench, sale, 'B'))[0] ?? ''
    const refused = await seller.sell(sale, { seatIds: [taken, free], method: 'cash' })
    expect(expectError(refused, 409, 'SEAT_TAKEN')).toMatchObject({ seatIds: [taken] })
    const tooMany = await seller.sell(sale, { seatTypeId: standing, quantity: 6, method: 'cash' })
    expect(expectError(tooMany, 409, 'NOT_ENOUGH_LEFT')).toMatchObject({ available: 5 })
    expect(await sold(sale)).toBe(3)
    // What was refused is not counted in the gate any more.
    await seller.sold(sale, { seatTypeId: standing, quantity: 5 })
  })

  it('[B165] staff, the organiser and admins sell; other organisers, buyers and strangers do not', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const [, seatTypeId] = await typeIdsOf(bench, sale)
    const body = { seatTypeId, quantity: 1, method: 'cash' }
    const sell = (as?: string, where = sale) =>
      bench.call('POST', `${where}/sales`, {
        ...(as === undefined ? {} : { as }),
        ...{ body, headers: { 'idempotency-key': randomUUID() } },
      })
    for (const { authorization } of [bench.organizer, bench.admin, seller]) {
      expect((await sell(authorization)).statusCode).toBe(201)
    }
    const rival = await registerWithRole(bench.server.app, bench.server.ledger, 'organizer')
    for (const as of [rival.authorization, bench.buyer()]) expectError(await sell(as), 403, 'FORBIDDEN')
    expectError(await sell(), 401, 'UNAUTHORIZED')
    expectError(await sell(seller.authorization, `/api/events/${randomUUID()}`), 404, 'NOT_FOUND')
    const bad = [{}, { method: 'card' }, { method: 'cash', colour: 'red' }, { method: 'cash', email: 'nonsense' }]
    for (const wish of bad) {
      expectError(await seller.sell(sale, { seatTypeId, quantity: 1, ...wish }), 400, 'BAD_REQUEST')
    }
    expectError(await seller.sell(sale, { method: 'cash' }), 400, 'BAD_REQUEST')
    expectError(await seller.sell(sale, { seatIds: [randomUUID()], method: 'cash' }), 404, 'NOT_FOUND')
    expect(await sold(sale)).toBe(3)
  })

  it('[B166] a seat that is promised to a visitor on the floor is not sold at the door', async () => {
    const sale = await bench.sale(OPEN_FLOOR, { totalSeats: 3 })
    const [seatTypeId = ''] = await typeIdsOf(bench, sale)
    const [ada, bob] = [await Buyer.admitted(bench, sale), await Buyer.admitted(bench, sale)]
    const two = await seller.sell(sale, { seatTypeId, quantity: 2, method: 'cash' })
    expect(expectError(two, 409, 'NOT_ENOUGH_LEFT')).toMatchObject({ available: 1 })
    await seller.sold(sale, { seatTypeId, quantity: 1 })
    expectError(await seller.sell(sale, { seatTypeId, quantity: 1, method: 'cash' }), 409, 'NOT_ENOUGH_LEFT')
    for (const visitor of [ada, bob]) await visitor.reserved({ seatTypeId, quantity: 1 })
    expectError(await seller.sell(sale, { seatTypeId, quantity: 1, method: 'cash' }), 409, 'NOT_ENOUGH_LEFT')
  })

  it('[B168] a retry under the same key gets the same answer and sells nothing more', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const [, seatTypeId] = await typeIdsOf(bench, sale)
    const body = { seatTypeId, quantity: 2, method: 'cash' }
    const key = randomUUID()
    const together = await Promise.all(Array.from({ length: 5 }, () => seller.sell(sale, body, key)))
    const [first] = together.filter(({ statusCode }) => statusCode === 201)
    for (const answer of together) {
      if (answer.statusCode === 201) expect(answer.json()).toEqual(first?.json())
      else expectError(answer, 409, 'IN_PROGRESS')
    }
    expect((await seller.sell(sale, body, key)).json()).toEqual(first?.json())
    const known = await bench.call('GET', `/api/operations/${key}`, { as: seller.authorization })
    expect(known.json()).toEqual({ status: 'done', result: first?.json() })
    expectError(await seller.sell(sale, { ...body, method: 'terminal' }, key), 422, 'KEY_REUSED')
    expectError(await seller.sell(sale, body, null), 400, 'KEY_REQUIRED')
    expect(await sold(sale)).toBe(2)
    // A refusal leaves the key free.
    const free = randomUUID()
    expectError(await seller.sell(sale, { ...body, quantity: 5 }, free), 409, 'NOT_ENOUGH_LEFT')
    expect((await seller.sell(sale, body, free)).statusCode).toBe(201)
  })

  it('[B167] whatever step fails: sold with e-tickets or nothing, and the same key finishes it', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const [, seatTypeId] = await typeIdsOf(bench, sale)
    const isCommitted = (point: FaultPoint) => point === 'door.after-commit' || point === 'door.after-settle'
    let sales = 0
    for (const point of faultPointsOf('door')) {
      const key = randomUUID()
      const body = { seatTypeId, quantity: 1, method: 'cash' }
      faults.arm(point, () => {
        throw new Error('The server died')
      })
      expect((await seller.sell(sale, body, key)).statusCode).toBeGreaterThanOrEqual(500)
      faults.disarm()
      expect(await sold(sale), point).toBe(sales + (isCommitted(point) ? 1 : 0))
      const again = await seller.sell(sale, body, key)
      expect(again.statusCode, point).toBe(201)
      expect(again.json<WireDoorSale>().etickets).toHaveLength(1)
      sales += 1
      expect(await sold(sale)).toBe(sales)
    }
    const { left } = await reconcileEvent(bench.server.ledger, { eventId: eventIdOf(sale), dryRun: true })
    expect(left).toEqual([])
  })

  it('[B167] a sale that gets the lock too late is given up, because its seats may be promised to others by then', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const [, seatTypeId = ''] = await typeIdsOf(bench, sale)
    const { services } = bench.server
    const times = [0, 5_000]
    const slow = { ...doorPartsOf(services, { count: () => undefined }), monotonicNow: () => times.shift() ?? 5_000 }
    const wish = {
      ...{ eventId: eventIdOf(sale), actor: { id: seller.id, role: 'staff' as const }, key: randomUUID() },
      ...{ wish: { seatTypeId, quantity: 5, accessible: false }, method: 'cash' as const, email: null },
    }
    await expect(sellAtDoor(slow, wish)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await sold(sale)).toBe(0)
    // Nothing is left in the gate, and the key is free.
    expect((await sellAtDoor(doorPartsOf(services, { count: () => undefined }), wish)).statusCode).toBe(201)
  })

  it('[B169] it costs what the lines say; complimentary seats cost nothing, fees included', async () => {
    const sale = await bench.sale(OPEN_FLOOR, PRICED)
    const event = (await bench.call('GET', sale)).json<{ seatTypes: { id: string; variants: { id: string }[] }[] }>()
    const [type] = event.seatTypes
    const [, child] = type?.variants ?? []
    const wish = { seatTypeId: type?.id, quantity: 3, variants: [{ variantId: child?.id, quantity: 3 }] }
    const paid = await seller.sold(sale, wish)
    expect(paid.amount).toBe(3 * 2_000 + 3 * 150)
    expect(paid.reservation.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['seat', 6_000],
      ['fee', 450],
    ])
    const free = await seller.sold(sale, { ...wish, method: 'complimentary' })
    expect(free).toMatchObject({ amount: 0, status: 'PAID', reservation: { lines: [], tax: 0, amount: 0 } })
    expect(free.etickets).toHaveLength(3)
    const wrong = { ...wish, variants: [{ variantId: child?.id, quantity: 2 }], method: 'cash' }
    expectError(await seller.sell(sale, wrong), 400, 'BAD_REQUEST')
    expect(await sold(sale)).toBe(6)
  })

  it('[B170] [B171] [B178] booked, numbered, paid out by hand, and counted by day, seller and method', async () => {
    const sale = await bench.sale(OPEN_FLOOR, { ...HOUSE, timeZone: 'Asia/Ho_Chi_Minh' })
    const [, seatTypeId] = await typeIdsOf(bench, sale)
    const other = await Seller.hired(bench)
    const cash = await seller.sold(sale, { seatTypeId, quantity: 2 })
    await seller.sold(sale, { seatTypeId, quantity: 1 })
    await other.sold(sale, { seatTypeId, quantity: 1, method: 'terminal' })
    const gift = await other.sold(sale, { seatTypeId, quantity: 1, method: 'complimentary' })
    await numberReceipts(bench.server.ledger)
    const refund = (id: string) =>
      bench.call('POST', `/api/purchases/${id}/refund`, { as: bench.organizer.authorization })
    for (const { id, amount, reservation } of [cash, gift]) {
      const seatIds = reservation.items.map(({ seatId }) => seatId).sort()
      const refunds = [{ ...DONE, amount, seatIds }]
      const answer = (await refund(id)).json<{ refunds: { seatIds: string[] }[] }>()
      for (const one of answer.refunds) one.seatIds.sort()
      expect(answer).toEqual({ id, status: 'REFUNDED', refundedAmount: amount, refunds })
    }
    expect(await sold(sale)).toBe(2)
    await numberReceipts(bench.server.ledger)
    const receipts = await bench.call('GET', `/api/purchases/${cash.id}/receipts`, {
      as: bench.organizer.authorization,
    })
    expect(receipts.json()).toMatchObject({
      items: [
        { kind: 'receipt', amount: 9_000 },
        { kind: 'credit_note', amount: 9_000 },
      ],
    })
    const eventId = eventIdOf(sale)
    expect((await reconcileEvent(bench.server.ledger, { eventId, dryRun: true })).left).toEqual([])

    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Ho_Chi_Minh' }).format(new Date())
    const cashUp = await bench.call('GET', `${sale}/cash-up?day=${day}`, { as: seller.authorization })
    const rows = cashUp.json<{ items: Record<string, unknown>[] }>().items
    const of = (sellerId: string, method: string) =>
      rows.find((row) => row.sellerId === sellerId && row.method === method)
    expect(of(seller.id, 'cash')).toMatchObject({ day, sales: 2, seats: 3, taken: 13_500, paidOut: 0 })
    expect(of(other.id, 'terminal')).toMatchObject({ sales: 1, seats: 1, taken: 4_500, paidOut: 0 })
    expect(of(other.id, 'complimentary')).toMatchObject({ sales: 1, seats: 1, taken: 0, paidOut: 0 })
    expect(of(bench.organizer.id, 'cash')).toMatchObject({ sales: 0, seats: 0, taken: 0, paidOut: 9_000 })
    expect(rows).toHaveLength(4)
    const csv = await bench.call('GET', `${sale}/cash-up.csv`, { as: bench.organizer.authorization })
    expect(csv.headers['content-type']).toContain('text/csv')
    expect(csv.body.split('\r\n')).toHaveLength(6)
    expect(csv.body).toContain(`${day},${seller.id}`)
    expect(csv.body).toContain(',135.00,0.00')
    const rival = await registerWithRole(bench.server.app, bench.server.ledger, 'organizer')
    expectError(await bench.call('GET', `${sale}/cash-up`, { as: rival.authorization }), 403, 'FORBIDDEN')
  })

  it('[B170 control] reconciliation finds a till that says something else', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const [, seatTypeId] = await typeIdsOf(bench, sale)
    const { id } = await seller.sold(sale, { seatTypeId, quantity: 1 })
    const { ledger } = bench.server
    await ledger.db.updateTable('door_sales').set({ amount: 4_000 }).where('purchase_id', '=', id).execute()
    const { left } = await reconcileEvent(ledger, { eventId: eventIdOf(sale), dryRun: true })
    expect(left).toMatchObject([{ kind: 'provider', subject: id, details: { ours: [4_500, 0], theirs: [4_000, 0] } }])
  })
})
