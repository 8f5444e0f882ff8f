import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { LineKeeper } from '../../../src/box-office/reservations/keep-in-step.ts'
import { expectError } from '../../support/kernel.ts'
import {
  Buyer,
  forEachMode,
  HOUSE,
  OPEN_FLOOR,
  seatIdsOf,
  seatsOf,
  typeIdsOf,
  until,
} from '../../support/reservation.ts'
import type { RoomBench } from '../../support/room.ts'

interface Changes {
  version: number
  changes?: { id: string; status: string }[]
  seats?: unknown[]
}

forEachMode('the gate of a server', (open) => {
  let bench: RoomBench

  beforeAll(async () => {
    bench = await open()
    bench.server.services.boxOffice.start()
  })

  const turnedAway = async (): Promise<number> => {
    const metric = bench.server.services.metrics.getSingleMetric('seatwise_claims_turned_away_total')
    return (await metric?.get())?.values[0]?.value ?? 0
  }

  const pay = (buyer: Buyer, reservationId: string) =>
    bench.call('POST', '/api/purchases', {
      as: buyer.authorization,
      headers: { 'idempotency-key': randomUUID() },
      body: { reservationId, paymentMethod: 'sandbox_ok' },
    })

  it('[B10] refuses claims for a taken seat from memory, and accepts them when the seat returns', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const seatIds = (await seatIdsOf(bench, sale)).slice(0, 1)
    const ada = await Buyer.admitted(bench, sale)
    const bob = await Buyer.admitted(bench, sale)
    const { id } = await ada.reserved({ seatIds })
    const before = await turnedAway()
    await until(async () => {
      expectError(await bob.reserve({ seatIds }), 409, 'SEAT_TAKEN')
      return (await turnedAway()) > before
    })
    await ada.cancel(id)
    const key = randomUUID()
    await until(async () => (await bob.reserve({ seatIds }, key)).statusCode === 201)
    // A visitor with a reservation is not refused from memory: an old key must be answered as before.
    expect((await bob.reserve({ seatIds }, key)).statusCode).toBe(201)
    expect((await ada.reserve({ seatIds }, 'ada-was-here')).statusCode).toBe(409)
  })

  it('[B11] no visitor is promised a second seat because more people hold some than are compared at once', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const seatIds = await seatIdsOf(bench, sale)
    const buyers = await Promise.all(Array.from({ length: 5 }, () => Buyer.admitted(bench, sale)))
    for (const [index, buyer] of buyers.entries()) await buyer.reserved({ seatIds: [seatIds[index]] })
    const { ledger, rooms, log, boxOffice, now } = bench.server.services
    const keeper = new LineKeeper({ ledger, rooms, log, seatMaps: boxOffice.seatMaps, now, floorMax: 3 })
    const change = await buyers[0]?.reserve({ seatIds: [seatIds[7]] })
    expect(change?.statusCode).toBe(201)
    await keeper.bringNews()
    await keeper.compareAll()
    const floor = await (await rooms.ofEvent(sale.split('/').at(-1) ?? '')).floor(10)
    expect(floor.map(({ reservedSeats }) => reservedSeats)).toEqual([1, 1, 1, 1, 1])
  })

  it('[B46] a floor that takes long to compare, or that changes its seats often, is compared seldom', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const seatIds = await seatIdsOf(bench, sale)
    const buyer = await Buyer.admitted(bench, sale)
    const { ledger, rooms, log, roomTokens, boxOffice } = bench.server.services
    const room = await rooms.ofEvent(sale.split('/').at(-1) ?? '')
    let [now, compared] = [0, 0]
    const slow: Pick<typeof room, 'id' | 'row' | 'floor'> = {
      ...{ id: room.id, row: room.row },
      async floor(max) {
        compared += 1
        now += 100
        return await room.floor(max)
      },
    }
    // All that the keeper needs of them.
    const watched = { ...rooms, ofEvent: rooms.ofEvent, openRooms: () => [slow as typeof room] }
    const parts = { ledger, rooms: watched, log, roomTokens, seatMaps: boxOffice.seatMaps, now: () => now }
    const keeper = new LineKeeper(parts)
    const compareAt = async (time: number) => {
      now = time
      await keeper.bringNews()
      await keeper.compareAll()
      return compared
    }
    const changeAndCompareAt = async (time: number, seat: number) => {
      await buyer.reserved({ seatIds: [seatIds[seat]] })
      return await compareAt(time)
    }
    expect(await changeAndCompareAt(0, 0)).toBe(1)
    expect(await changeAndCompareAt(4_999, 1)).toBe(1)
    expect(await compareAt(5_000)).toBe(2)
    expect(await changeAndCompareAt(12_000, 2)).toBe(2)
    expect(await changeAndCompareAt(24_999, 3)).toBe(2)
    expect(await changeAndCompareAt(25_000, 4)).toBe(3)
    expect(await compareAt(60_000)).toBe(3)
  })

  it('[B14] [P6] when all is sold, visitors on the floor get SOLD_OUT, and waiting tickets end', async () => {
    const sale = await bench.sale({ ...OPEN_FLOOR, capacity: 4, stockAware: false }, { totalSeats: 2 })
    const [general = ''] = await typeIdsOf(bench, sale)
    const buyers = await Promise.all(Array.from({ length: 4 }, () => Buyer.admitted(bench, sale)))
    const waiting = await bench.join(sale, bench.buyer('Late'))
    // No visitor takes the places of those who are done, however fast they are.
    await bench.operate(sale, { paused: true })
    const answers = await Promise.all(buyers.map((buyer) => buyer.reserve({ seatTypeId: general, quantity: 1 })))
    const winners = buyers.filter((_, index) => answers[index]?.statusCode === 201)
    const losers = buyers.filter((buyer) => !winners.includes(buyer))
    expect([winners.length, losers.length]).toEqual([2, 2])
    for (const winner of winners) {
      const { items } = (await winner.read('/api/reservations')).json<{ items: { id: string }[] }>()
      expect((await pay(winner, items[0]?.id ?? '')).statusCode).toBe(201)
    }
    for (const loser of losers) {
      await until(async () => (await loser.reserve({ seatTypeId: general, quantity: 1 })).json().code === 'SOLD_OUT')
      const refused = expectError(await loser.reserve({ seatTypeId: general, quantity: 1 }), 409, 'SOLD_OUT')
      expect(refused.message).toBe('Event is sold out')
    }
    await until(async () => (await bench.status(sale, waiting.ticketToken)).status === 'expired')
    expect((await bench.status(sale, waiting.ticketToken)).reason).toBe('sold_out')
    const event = await bench.call('GET', sale, { as: bench.organizer.authorization })
    expect(event.json()).toMatchObject({ remainingSeats: 0 })
  })

  it('[B19] paying ends the visit and frees the slot', async () => {
    const sale = await bench.sale({ ...OPEN_FLOOR, capacity: 1 }, HOUSE)
    const ada = await Buyer.admitted(bench, sale)
    const { ticketToken } = await bench.join(sale, bench.buyer('Bob'))
    const { id } = await ada.reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 1) })
    expect((await pay(ada, id)).statusCode).toBe(201)
    await until(async () => (await bench.status(sale, ticketToken)).status === 'active')
    expect((await bench.status(sale, ada.ticket)).status).toBe('completed')
    expectError(await ada.cancel(id), 409, 'RESERVATION_ENDED')
  })

  it('[B15] a client that has a version of the seat map gets what changed since, or the whole map', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const changes = async (since: number) => (await bench.call('GET', `${sale}/seats?since=${since}`)).json<Changes>()
    const whole = (await bench.call('GET', `${sale}/seats`)).json<Changes>()
    expect(await changes(whole.version)).toEqual({ version: whole.version, changes: [] })
    const seatIds = (await seatIdsOf(bench, sale)).slice(0, 2)
    const ada = await Buyer.admitted(bench, sale)
    await ada.reserved({ seatIds })
    const first = await changes(whole.version)
    expect(first.changes?.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(
      seatIds.map((id) => `${id} held`).sort(),
    )
    expect(await changes(first.version)).toEqual({ version: first.version, changes: [] })
    for (const version of [0, first.version + 1_000]) expect((await changes(version)).seats).toHaveLength(25)
    const edit = { seatTypes: [{ name: 'Balcony', price: 100, currency: 'EUR', totalQuantity: 1 }] }
    expect((await bench.call('PATCH', sale, { as: bench.organizer.authorization, body: edit })).statusCode).toBe(200)
    await until(async () => (await changes(first.version)).seats?.length === 26)
    expectError(await bench.call('GET', `${sale}/seats?since=-1`), 400, 'BAD_REQUEST')
    expectError(await bench.call('GET', `/api/events/${randomUUID()}/seats?since=1`), 404, 'NOT_FOUND')
  })

  it('[P7] a visitor who is not active gets 403, whatever they hold and ask for', async () => {
    const sale = await bench.sale({ ...OPEN_FLOOR, capacity: 3 }, HOUSE)
    const elsewhere = await bench.sale(OPEN_FLOOR, HOUSE)
    const [stalls = '', standing = ''] = await typeIdsOf(bench, sale)
    const seatIds = await seatIdsOf(bench, sale)
    const [active, gone] = [await Buyer.admitted(bench, sale), await Buyer.admitted(bench, sale)]
    const foreign = await Buyer.admitted(bench, elsewhere)
    await bench.call('DELETE', `${sale}/queue`, { ticket: gone.ticket })
    const waiting = bench.buyer('Waiting')
    const passes = [null, '', 'x', active.pass.slice(0, -1), gone.pass, foreign.pass]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(waiting, gone.authorization, foreign.authorization, bench.buyer('Nobody')),
        fc.oneof(fc.constantFrom(...passes, active.pass), fc.base64String({ maxLength: 300 })),
        fc.oneof(
          fc.record({ seatIds: fc.subarray(seatIds, { minLength: 1 }) }),
          fc.record({ seatTypeId: fc.constantFrom(stalls, standing), quantity: fc.integer({ min: 1, max: 9 }) }),
        ),
        async (as, pass, body) => {
          const headers = { 'idempotency-key': randomUUID() }
          const options = { as, body, headers, ...(pass === null ? {} : { pass }) }
          expectError(await bench.call('POST', `${sale}/reservations`, options), 403, 'NOT_ACTIVE')
        },
      ),
      { numRuns: 100 },
    )
    expect((await seatsOf(bench, sale)).every(({ status }) => status === 'available')).toBe(true)
  })
})
