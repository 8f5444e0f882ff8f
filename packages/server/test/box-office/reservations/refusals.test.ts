import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { expectError } from '../../support/kernel.ts'
import { Buyer, forEachMode, HOUSE, OPEN_FLOOR, seatIdsOf, seatsOf, typeIdsOf } from '../../support/reservation.ts'
import type { RoomBench } from '../../support/room.ts'

forEachMode('refusals', (open) => {
  let bench: RoomBench

  beforeAll(async () => {
    bench = await open()
  })

  it('[B9] unknown seats, seats of another event and unknown types are not found; blocked seats are taken', async () => {
    const blocked = [{ label: 'A', seats: 3, blocked: [2] }]
    const stalls = { name: 'Stalls', price: 0, currency: 'EUR', reservedSeating: true, rows: blocked }
    const sale = await bench.sale(OPEN_FLOOR, { totalSeats: undefined, seatTypes: [stalls] })
    const elsewhere = await bench.sale(OPEN_FLOOR, HOUSE)
    const [a1 = '', a2 = ''] = await seatIdsOf(bench, sale)
    const [foreign = ''] = await seatIdsOf(bench, elsewhere)
    const [foreignType = ''] = await typeIdsOf(bench, elsewhere)
    const ada = await Buyer.admitted(bench, sale)
    expectError(await ada.reserve({ seatIds: [a1, foreign] }), 404, 'NOT_FOUND')
    expectError(await ada.reserve({ seatIds: [a1, randomUUID()] }), 404, 'NOT_FOUND')
    expectError(await ada.reserve({ seatTypeId: randomUUID(), quantity: 1 }), 404, 'NOT_FOUND')
    expectError(await ada.reserve({ seatTypeId: foreignType, quantity: 1 }), 404, 'NOT_FOUND')
    expect(expectError(await ada.reserve({ seatIds: [a1, a2] }), 409, 'SEAT_TAKEN').seatIds).toEqual([a2])
    expect((await seatsOf(bench, sale)).filter(({ status }) => status === 'held')).toEqual([])
  })

  it('[B6] more than maxSeatsPerBuyer is refused, in one reservation and in several', async () => {
    const sale = await bench.sale({ ...OPEN_FLOOR, maxSeatsPerBuyer: 2 }, HOUSE)
    const [, standing = ''] = await typeIdsOf(bench, sale)
    const ada = await Buyer.admitted(bench, sale)
    expect(expectError(await ada.reserve({ seatTypeId: standing, quantity: 3 }), 409, 'LIMIT_REACHED').left).toBe(2)
    // Replacing is not adding.
    expect((await ada.reserve({ seatTypeId: standing, quantity: 2 })).statusCode).toBe(201)
    expect((await ada.reserve({ seatTypeId: standing, quantity: 1 })).statusCode).toBe(201)
    expect((await seatsOf(bench, sale)).filter(({ status }) => status === 'held')).toHaveLength(1)
  })

  it('[B11] the last seats are promised to the others on the floor: NOT_ENOUGH_LEFT with what is available', async () => {
    const sale = await bench.sale(OPEN_FLOOR, { totalSeats: 5 })
    const [general = ''] = await typeIdsOf(bench, sale)
    const ada = await Buyer.admitted(bench, sale)
    const bob = await Buyer.admitted(bench, sale)
    const cem = await Buyer.admitted(bench, sale)
    const refused = expectError(await ada.reserve({ seatTypeId: general, quantity: 4 }), 409, 'NOT_ENOUGH_LEFT')
    expect(refused.available).toBe(3)
    expect((await ada.reserve({ seatTypeId: general, quantity: 3 })).statusCode).toBe(201)
    expect(expectError(await bob.reserve({ seatTypeId: general, quantity: 2 }), 409, 'NOT_ENOUGH_LEFT').available).toBe(
      1,
    )
    expect((await bob.reserve({ seatTypeId: general, quantity: 1 })).statusCode).toBe(201)
    expect((await cem.reserve({ seatTypeId: general, quantity: 1 })).statusCode).toBe(201)
  })

  it('[B14] all held is not sold out: NOT_ENOUGH_LEFT with nothing available', async () => {
    const sale = await bench.sale({ ...OPEN_FLOOR, stockAware: false }, { totalSeats: 1 })
    const [general = ''] = await typeIdsOf(bench, sale)
    const ada = await Buyer.admitted(bench, sale)
    const bob = await Buyer.admitted(bench, sale)
    await ada.reserved({ seatTypeId: general, quantity: 1 })
    const refused = expectError(await bob.reserve({ seatTypeId: general, quantity: 1 }), 409, 'NOT_ENOUGH_LEFT')
    expect(refused.available).toBe(0)
  })

  it('[B25] bad bodies and missing keys are 400, and change nothing', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const [stalls = ''] = await typeIdsOf(bench, sale)
    const seatIds = await seatIdsOf(bench, sale)
    const ada = await Buyer.admitted(bench, sale)
    expectError(await ada.reserve({ seatIds }, null), 400, 'KEY_REQUIRED')
    expectError(await ada.reserve({ seatIds }, 'with blanks'), 400, 'KEY_REQUIRED')
    expectError(await ada.reserve({ seatIds }, 'x'.repeat(201)), 400, 'KEY_REQUIRED')
    const bodies = [
      {},
      { seatIds: [] },
      { seatIds: ['nonsense'] },
      { seatIds: [seatIds[0], seatIds[0]] },
      { seatIds, seatTypeId: stalls },
      { seatTypeId: stalls },
      { quantity: 1 },
      { seatTypeId: stalls, quantity: 0 },
      { seatTypeId: stalls, quantity: -1 },
      { seatTypeId: stalls, quantity: 1.5 },
      { seatTypeId: stalls, quantity: '1' },
      { seatTypeId: stalls, quantity: 1_000_000_000 },
      { seatTypeId: stalls, quantity: 1, price: 0 },
    ]
    for (const body of bodies) expectError(await ada.reserve(body), 400, 'BAD_REQUEST')
    expect((await seatsOf(bench, sale)).every(({ status }) => status === 'available')).toBe(true)
  })

  it('[B1] an event that does not exist is 404', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const ada = await Buyer.admitted(bench, sale)
    for (const id of [randomUUID(), 'nonsense']) {
      const nowhere = new Buyer(bench, `/api/events/${id}`, ada.authorization, ada.ticket)
      expectError(await nowhere.reserve({ seatIds: [randomUUID()] }, randomUUID(), ada.pass), 404, 'NOT_FOUND')
    }
  })
})
