import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { expectError } from '../../support/kernel.ts'
import {
  Buyer,
  forEachMode,
  HOUSE,
  OPEN_FLOOR,
  seatIdsOf,
  seatsOf,
  typeIdsOf,
  type WireReservation,
} from '../../support/reservation.ts'
import type { RoomBench } from '../../support/room.ts'

forEachMode('reservations', (open) => {
  let bench: RoomBench

  beforeAll(async () => {
    bench = await open()
  })

  it('[B1] reserves the seats asked for, with price, sum and deadline', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const [a1 = '', a2 = ''] = await seatIdsOf(bench, sale)
    const ada = await Buyer.admitted(bench, sale)
    const answer = await ada.reserve({ seatIds: [a2, a1] })
    expect(answer.statusCode).toBe(201)
    const reservation = answer.json<WireReservation>()
    expect(answer.headers.location).toBe(`/api/reservations/${reservation.id}`)
    expect(reservation).toMatchObject({ status: 'PENDING_PAYMENT', amount: 18_000, currency: 'EUR' })
    expect(sale.endsWith(reservation.eventId)).toBe(true)
    expect(reservation.items.map(({ row, number, price }) => [row, number, price])).toEqual(
      expect.arrayContaining([
        ['A', 1, 9_000],
        ['A', 2, 9_000],
      ]),
    )
    expect(Date.parse(reservation.expiresAt) - Date.now()).toBeGreaterThan(290_000)
    const held = (await seatsOf(bench, sale)).filter(({ status }) => status === 'held').map(({ id }) => id)
    expect(held.sort()).toEqual([a1, a2].sort())
    // To the letter: the ledger writes the one, the schema the other. Read alone, it also says what the buyer answered.
    const readAlone = (await ada.read(`/api/reservations/${reservation.id}`)).body
    expect(readAlone.slice(0, answer.body.length)).toBe(answer.body.replace(/\}$/, ','))
    expect(JSON.parse(readAlone)).toMatchObject({ email: null, name: null, language: null, names: [], answers: [] })
    expect((await ada.read('/api/reservations')).json()).toEqual({ items: [reservation] })
  })

  it('[B1] POST /api/events/reserve is the same thing', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const [seatId = ''] = await seatIdsOf(bench, sale)
    const ada = await Buyer.admitted(bench, sale)
    const answer = await bench.call('POST', '/api/events/reserve', {
      as: ada.authorization,
      pass: ada.pass,
      headers: { 'idempotency-key': randomUUID() },
      body: { eventId: sale.split('/').at(-1), seatIds: [seatId] },
    })
    expect(answer.statusCode).toBe(201)
  })

  it('[B1] takes all seats or none, and says which were taken', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const [a1 = '', a2 = '', a3 = ''] = await seatIdsOf(bench, sale)
    const ada = await Buyer.admitted(bench, sale)
    const bob = await Buyer.admitted(bench, sale)
    await ada.reserved({ seatIds: [a2] })
    const refused = expectError(await bob.reserve({ seatIds: [a1, a2, a3] }), 409, 'SEAT_TAKEN')
    expect(refused.seatIds).toEqual([a2])
    expect((await seatsOf(bench, sale)).filter(({ status }) => status === 'held')).toHaveLength(1)
    expect((await bob.reserve({ seatIds: [a1, a3] })).statusCode).toBe(201)
  })

  it('[B8] gives unnumbered seats of a type, and the best numbered ones side by side', async () => {
    const sale = await bench.sale(OPEN_FLOOR, HOUSE)
    const [stalls = '', standing = ''] = await typeIdsOf(bench, sale)
    const ada = await Buyer.admitted(bench, sale)
    const bob = await Buyer.admitted(bench, sale)
    const best = await ada.reserved({ seatTypeId: stalls, quantity: 3 })
    expect(new Set(best.items.map(({ row }) => row))).toEqual(new Set(['A']))
    const numbers = best.items.map(({ number }) => number ?? 0).sort((one, other) => one - other)
    expect((numbers[2] ?? 0) - (numbers[0] ?? 0)).toBe(2)
    const floor = await bob.reserved({ seatTypeId: standing, quantity: 2 })
    expect(floor).toMatchObject({ amount: 9_000 })
    expect(floor.items.map(({ row, number }) => [row, number])).toEqual([
      [null, null],
      [null, null],
    ])
  })
})
