import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alongOf, numbersOf, readSeatType, type SeatRow, type SeatSpot, spotsOf } from '../../src/index.ts'

const distance = (one: SeatSpot, other: SeatSpot): number => Math.hypot(one.x - other.x, one.y - other.y)

const draw = (row: SeatRow): readonly SeatSpot[] => {
  const spots = spotsOf(row)
  if (spots === null) throw new Error('The row has a place')
  return spots
}

function readRow(row: SeatRow): SeatRow {
  const [read] = readSeatType({ name: 'Stalls', rows: [row] }, 'seatTypes/0', 'EUR').rows ?? []
  if (read === undefined) throw new Error('A row was sent')
  return read
}

describe('the seats of a row', () => {
  it('[E43] have the numbers that the row states, and 1, 2, 3 where it states none', () => {
    expect(numbersOf({ seats: 3 })).toEqual([1, 2, 3])
    expect(numbersOf({ seats: 3, numbers: [1, 3, 5] })).toEqual([1, 3, 5])
    expect(numbersOf({ seats: 0, numbers: [] })).toEqual([])
  })

  it('[E43] are side by side along the row, whatever their numbers, but not across an aisle', () => {
    expect(alongOf({ seats: 3, numbers: [5, 3, 1] })).toEqual([1, 2, 3])
    expect(alongOf({ seats: 4, numbers: [1, 3, 5, 7], aisles: [3] })).toEqual([1, 2, 4, 5])
  })

  it('[E43] numbers are as many as seats and differ; what is blocked, accessible or beside an aisle is one of them', () => {
    const row = { label: 'A', seats: 3, numbers: [1, 3, 5] }
    expect(readRow({ ...row, blocked: [5], accessible: [1], aisles: [3] })).toMatchObject({ blocked: [5] })
    expect(() => readRow({ ...row, numbers: [1, 3] })).toThrow(/numbers must be 3/)
    expect(() => readRow({ ...row, numbers: [1, 3, 3] })).toThrow(/numbers must not name a seat twice/)
    expect(() => readRow({ ...row, blocked: [2] })).toThrow(/blocked must name numbers of the row/)
    expect(() => readRow({ ...row, aisles: [4] })).toThrow(/aisles must name numbers of the row/)
    expect(() => readRow({ label: 'A', seats: 3, accessible: [4] })).toThrow(/accessible must name seats from 1 to 3/)
  })

  it('[E43] the label of a row in a section begins with the section', () => {
    expect(readRow({ label: 'Left A', section: 'Left', seats: 1 })).toMatchObject({ section: 'Left' })
    expect(() => readRow({ label: 'A', section: 'Left', seats: 1 })).toThrow(/label must begin with the section/)
  })

  it('[E44] stand to the right of the first, as far apart as the row says, with a gap at an aisle', () => {
    expect(spotsOf({ seats: 2 })).toBeNull()
    expect(spotsOf({ seats: 3, x: 10, y: 5, seatPitch: 2, aisles: [2] })).toEqual([
      { x: 10, y: 5 },
      { x: 12, y: 5 },
      { x: 16, y: 5 },
    ])
  })

  it('[E44] a turned row begins at the same spot and leads clockwise', () => {
    const [first, second] = draw({ label: 'A', seats: 2, x: 1, y: 1, seatPitch: 1, angle: 90 })
    expect(first).toEqual({ x: 1, y: 1 })
    expect(second?.x).toBeCloseTo(1)
    expect(second?.y).toBeCloseTo(2)
  })

  it('[E44] a curved row is symmetric, its ends nearer to the top where the curve is below 0', () => {
    const spots = draw({ label: 'A', seats: 5, x: 0, y: 0, seatPitch: 1, curve: -60 })
    const [first, , middle, , last] = spots
    expect(last?.y).toBeCloseTo(first?.y ?? Number.NaN)
    expect(middle?.y).toBeGreaterThan(first?.y ?? Number.NaN)
    expect((first?.x ?? 0) + (last?.x ?? 0)).toBeCloseTo(2 * (middle?.x ?? Number.NaN))
  })

  it('[E44] neighbours of any row are equally far apart, and never further than the pitch', () => {
    const rows = fc.record({
      ...{ label: fc.constant('A'), seats: fc.integer({ min: 2, max: 40 }) },
      ...{ x: fc.integer({ min: -500, max: 500 }), y: fc.integer({ min: -500, max: 500 }) },
      seatPitch: fc.integer({ min: 1, max: 40 }),
      ...{ angle: fc.integer({ min: -360, max: 360 }), curve: fc.integer({ min: -360, max: 360 }) },
    })
    fc.assert(
      fc.property(rows, (row) => {
        const spots = draw(row)
        const gaps = spots.slice(1).map((spot, index) => distance(spot, spots[index] ?? spot))
        const [usual = 0] = gaps
        for (const gap of gaps) expect(gap).toBeCloseTo(usual, 6)
        expect(usual).toBeLessThanOrEqual(row.seatPitch + 1e-6)
      }),
    )
  })
})
