import { randomUUID } from 'node:crypto'
import { pickSeats, type SaleEvent, type SeatRow } from '@seatwise/domain'
import { type EditOutcome, editEvent, type Ledger, readSeatMap, readSeatPlan } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { makeEvent, seatsIn, takeSeats, type WireSeat } from './events-kit.ts'

forEachLedger('rows of seats', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  const withRow = (row: SeatRow): Promise<SaleEvent> =>
    makeEvent(ledger, { seatTypes: [{ name: 'Stalls', rows: [row] }] })

  const seatsOf = async (event: SaleEvent): Promise<WireSeat[]> => {
    const map = await readSeatMap(ledger.db, event.id, null)
    return map === 'unchanged' ? [] : seatsIn(map)
  }

  const redraw = (event: SaleEvent, row: SeatRow): Promise<EditOutcome> => {
    const seatTypes = event.seatTypes.map(({ id }) => ({ id, rows: [row] }))
    return editEvent(ledger, { eventId: event.id, body: { seatTypes }, newId: randomUUID })
  }

  const odd: SeatRow = { label: 'A', seats: 4, numbers: [1, 3, 5, 7], aisles: [3], blocked: [7] }

  it('[E43] seats get the numbers of their row, and say how far along it they stand', async () => {
    const seats = await seatsOf(await withRow({ ...odd, accessible: [1] }))
    expect(seats.map(({ number, along, status }) => [number, along ?? number, status])).toEqual([
      [1, 1, 'available'],
      [3, 2, 'available'],
      [5, 4, 'available'],
      [7, 5, 'blocked'],
    ])
    expect(seats.filter(({ accessible }) => accessible).map(({ number }) => number)).toEqual([1])
  })

  it('[E43] the plan that servers follow tells neighbours from seats across an aisle', async () => {
    const event = await withRow({ ...odd, blocked: [] })
    const plan = await readSeatPlan(ledger.db, event.id)
    const along = plan?.seats.map((seat) => seat.along ?? 0) ?? []
    expect(along).toEqual([1, 2, 4, 5])
    const row = { along, indexes: along.map((_, index) => index), focus: 3 }
    const house = { rows: [row], accessible: along.map(() => false) }
    expect(pickSeats(house, (index) => index > 0, { quantity: 2, accessible: false, seed: 1 })).toEqual([2, 3])
  })

  it('[E43] a row that is numbered anew keeps the seats whose numbers it keeps; what is sold must keep its number', async () => {
    const event = await withRow(odd)
    const [first] = await seatsOf(event)
    await takeSeats(ledger, event, [first?.id ?? ''], 'sold')
    expect(await redraw(event, { ...odd, numbers: [9, 3, 5, 7] })).toMatchObject({
      status: 'conflict',
      details: { seats: [{ row: 'A', number: 1, status: 'sold' }] },
    })
    expect(await redraw(event, { label: 'A', seats: 3, numbers: [11, 3, 1], aisles: [11] })).toMatchObject({
      status: 'edited',
    })
    const after = await seatsOf(event)
    expect(Object.fromEntries(after.map(({ number, along, status }) => [number, [along ?? number, status]]))).toEqual({
      1: [4, 'sold'],
      3: [3, 'available'],
      11: [1, 'available'],
    })
    expect(after.find(({ number }) => number === 1)?.id).toBe(first?.id)
  })

  it('[E44] seats of a turned and curved row are where the row puts them, also after it was moved', async () => {
    const drawn = { label: 'A', seats: 3, x: 0, y: 0, seatPitch: 10 }
    const event = await withRow({ ...drawn, angle: 90 })
    expect((await seatsOf(event)).map(({ x, y }) => [Math.round(x ?? -1), Math.round(y ?? -1)])).toEqual([
      [0, 0],
      [0, 10],
      [0, 20],
    ])
    await redraw(event, { ...drawn, y: 100, curve: -60 })
    const [first, middle, last] = await seatsOf(event)
    expect(first).toMatchObject({ x: 0, y: 100 })
    expect(last?.y).toBeCloseTo(100, 3)
    expect(middle?.y).toBeGreaterThan(100)
  })
})
