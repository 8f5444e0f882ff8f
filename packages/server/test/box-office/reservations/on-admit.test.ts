import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import {
  Buyer,
  forEachMode,
  HOUSE,
  heldSeats,
  OPEN_FLOOR,
  seatIdsOf,
  until,
  type WireReservation,
} from '../../support/reservation.ts'
import type { RoomBench } from '../../support/room.ts'

const RESERVING = { ...OPEN_FLOOR, reserveOnAdmit: true, claimSeconds: 60 } as const

forEachMode('rooms that reserve on admission', (open) => {
  let bench: RoomBench

  beforeAll(async () => {
    bench = await open()
    bench.server.services.boxOffice.start()
  })

  it('[B39] an admitted visitor has a seat by the time they are told, and the visit ends with the hold', async () => {
    const sale = await bench.sale(RESERVING, HOUSE)
    const { ticketToken } = await bench.join(sale)
    const states = new Set<string>()
    await until(async () => {
      const { status } = await bench.status(sale, ticketToken)
      states.add(status)
      return status !== 'waiting'
    })
    const status = await bench.status(sale, ticketToken)
    // No claim window: they are active at once.
    await until(async () => (await bench.status(sale, ticketToken)).status === 'active')
    const { reservation, expiresAt } = await bench.status(sale, ticketToken)
    expect(status.reservation).toBeDefined()
    expect(reservation).toMatchObject({ status: 'PENDING_PAYMENT', expiresAt, items: [{ row: null, number: null }] })
    expect(await heldSeats(bench, sale)).toBe(1)
  })

  it('[B39] as many are admitted as there are seats, also numbered ones; no visitor gets two', async () => {
    const rows = [{ label: 'A', seats: 3 }]
    const stalls = { name: 'Stalls', price: 100, currency: 'EUR', reservedSeating: true, rows }
    const sale = await bench.sale(RESERVING, { totalSeats: undefined, seatTypes: [stalls] })
    const tickets = await Promise.all(Array.from({ length: 5 }, () => bench.join(sale)))
    const states = async () =>
      await Promise.all(tickets.map(async ({ ticketToken }) => await bench.status(sale, ticketToken)))
    await until(async () => (await states()).filter(({ status }) => status === 'active').length === 3)
    const seats = (await states()).flatMap(({ reservation }) => {
      const { items } = (reservation ?? { items: [] }) as WireReservation
      return items.map(({ seatId }) => seatId)
    })
    expect(new Set(seats).size).toBe(3)
    expect(await heldSeats(bench, sale)).toBe(3)
  })

  it('[B51] a visitor who is let into two rooms under the same number has a seat in each', async () => {
    const visitor = bench.buyer()
    const sales = [await bench.sale(RESERVING, HOUSE), await bench.sale(RESERVING, HOUSE)]
    const tickets = await Promise.all(sales.map((sale) => bench.join(sale, visitor)))
    for (const [index, sale] of sales.entries()) {
      const { ticketToken = '' } = tickets[index] ?? {}
      await until(async () => (await bench.status(sale, ticketToken)).status === 'active')
      const { reservation } = await bench.status(sale, ticketToken)
      expect(reservation).toMatchObject({ eventId: sale.split('/').at(-1), status: 'PENDING_PAYMENT' })
      expect(await heldSeats(bench, sale)).toBe(1)
    }
  })

  it('[B39] no seat: expired as sold out, and the slot is free', async () => {
    const sale = await bench.sale({ ...RESERVING, capacity: 2, stockAware: false }, { totalSeats: 1 })
    const first = await bench.join(sale)
    await until(async () => (await bench.status(sale, first.ticketToken)).status === 'active')
    const second = await bench.join(sale)
    await until(async () => (await bench.status(sale, second.ticketToken)).status === 'expired')
    expect((await bench.status(sale, second.ticketToken)).reason).toBe('sold_out')
  })

  it('[B39] a visitor who cancels the seat or chooses another one is not given one again', async () => {
    const sale = await bench.sale(RESERVING, HOUSE)
    const authorization = bench.buyer()
    const { ticketToken } = await bench.join(sale, authorization)
    const ada = new Buyer(bench, sale, authorization, ticketToken)
    await ada.look()
    const chosen = await ada.reserved({ seatIds: (await seatIdsOf(bench, sale)).slice(0, 1) }, randomUUID())
    expect(await heldSeats(bench, sale)).toBe(1)
    expect((await ada.cancel(chosen.id)).statusCode).toBe(200)
    const other = await Buyer.admitted(bench, sale)
    // A round has passed: another visitor was served.
    await until(async () => (await bench.status(sale, other.ticket)).reservation !== undefined)
    expect(await heldSeats(bench, sale)).toBe(1)
    expect((await bench.status(sale, ticketToken)).status).toBe('active')
  })
})
