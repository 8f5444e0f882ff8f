import { randomUUID } from 'node:crypto'
import { type House, pickFromRuns, pickSeats } from '@seatwise/domain'
import type { PlannedSeat, SeatPlan, SeatStatus } from '@seatwise/ledger'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FreeRuns } from '../../../src/box-office/seat-map/free-runs.ts'
import { planHouses } from '../../../src/box-office/seat-map/plan-houses.ts'
import { SeatMapCopy } from '../../../src/box-office/seat-map/seat-map-copy.ts'

const TYPE = randomUUID()
const NO_COUNTS = { available: 1, held: 0, sold: 0, blocked: 0 }

function planOf(rows: readonly (readonly { status: SeatStatus; accessible: boolean }[])[]): SeatPlan {
  const seats = rows.flatMap((row, place) =>
    row.map((one, index): PlannedSeat => {
      return { ...one, id: randomUUID(), seatTypeId: TYPE, row: `R${place}`, along: index + 1 }
    }),
  )
  return { version: 1, counts: NO_COUNTS, seats, seatTypes: [{ id: TYPE, isNumbered: true, isHidden: false }] }
}

function houseOf({ seats, seatTypes }: SeatPlan): House {
  const house = planHouses(seats, seatTypes).types.get(TYPE)?.house
  if (house === undefined || house === null) throw new Error('The type has numbers')
  return house
}

describe('best available in a copy of a seat map', () => {
  it('[B20][B67] picks after any changes what a look at every seat picks', () => {
    const seat = fc.record({
      status: fc.constantFrom<SeatStatus>('available', 'available', 'sold'),
      accessible: fc.constantFrom(false, false, false, true),
    })
    const step = fc.record({
      seat: fc.nat(),
      status: fc.constantFrom<SeatStatus>('available', 'held', 'sold'),
      quantity: fc.integer({ min: 1, max: 5 }),
      accessible: fc.boolean(),
      seed: fc.integer(),
      own: fc.array(fc.nat(), { maxLength: 2 }),
      /** What is picked stays pencilled in until the next step. */
      isKept: fc.boolean(),
    })
    const rows = fc.array(fc.array(seat, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 })
    const property = fc.property(rows, fc.array(step, { minLength: 1, maxLength: 12 }), (plan, steps) => {
      const event = planOf(plan)
      const house = houseOf(event)
      const copy = new SeatMapCopy(event)
      const statuses = event.seats.map(({ status }) => status)
      const pencilled = new Set<string>()
      let rubOut = (): void => undefined
      for (const [version, { seat: at, status, seed, own: theirs, isKept, ...asked }] of steps.entries()) {
        const index = at % event.seats.length
        statuses[index] = status
        copy.apply(version + 2, NO_COUNTS, [{ seatId: event.seats[index]?.id ?? '', status }])
        const mine = new Set(theirs.map((one) => one % event.seats.length))
        const isFree = (one: number) => statuses[one] === 'available' || mine.has(one)
        const isKeptForOthers = (one: number) => pencilled.has(event.seats[one]?.id ?? '')
        const wish = { ...asked, seed }
        const expected =
          pickSeats(house, (one) => isFree(one) && !isKeptForOthers(one), wish) ?? pickSeats(house, isFree, wish)
        const own = [...mine].map((one) => event.seats[one]?.id ?? '')
        const picked = copy.pick({ seatTypeId: TYPE, ...asked }, seed, own)
        expect(picked?.seatIds ?? null).toEqual(expected?.map((one) => event.seats[one]?.id) ?? null)
        const free = statuses.filter((one, place) => one === 'available' && !house.accessible[place]).length
        expect(copy.freeFor({ seatTypeId: TYPE, accessible: false })).toBe(free)
        for (const id of picked?.seatIds ?? []) pencilled.add(id)
        rubOut()
        rubOut = () => {
          picked?.rubOut()
          for (const id of picked?.seatIds ?? []) pencilled.delete(id)
        }
        if (!isKept) rubOut()
      }
    })
    fc.assert(property, { numRuns: 300 })
  })

  it('[B67] a pick in a house of 98,000 looks at the seats of rows that changed, and at no others', () => {
    const every = Array.from({ length: 200 }, () => ({ status: 'available' as const, accessible: false }))
    const house = houseOf(planOf(Array.from({ length: 490 }, () => every)))
    let looked = 0
    // Every second seat is taken: no two are side by side anywhere.
    const isAvailable = (index: number): boolean => {
      looked += 1
      return index % 2 === 0
    }
    const runs = new FreeRuns(house, { isAvailable, isPencilled: () => false })
    const pick = (seed: number) => {
      looked = 0
      const wish = { quantity: 6, accessible: false, seed }
      return pickFromRuns(house, (row, place) => runs.at(row, place, wish.accessible), wish)
    }
    expect(pick(1)).toHaveLength(6)
    expect(looked).toBe(98_000)
    expect(pick(2)).toHaveLength(6)
    expect(looked).toBe(0)
    runs.touch(17)
    expect(pick(3)).toHaveLength(6)
    expect(looked).toBe(200)
  })
})
