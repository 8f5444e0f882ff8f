import { describe, expect, it } from 'vitest'
import { boundsOf, resized, wholeMap, zoomAt } from '../src/browser/seats/camera.ts'
import { labelsOf } from '../src/browser/seats/map-labels.ts'
import { splitOf, stepSplit, sumOf, wishOf } from '../src/browser/seats/price-split.ts'
import { SeatGrid } from '../src/browser/seats/seat-grid.ts'
import { type SeatMapAnswer, SeatModel } from '../src/browser/seats/seat-model.ts'

const types = [
  { id: 'stalls', name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true },
  { id: 'floor', name: 'Floor', price: 4_500, currency: 'EUR', reservedSeating: false },
]
const numbered = ['A', 'B', 'C'].flatMap((row) =>
  Array.from({ length: 8 }, (_unused, index) => ({
    ...{ id: `${row}${index + 1}`, seatTypeId: 'stalls', row, number: index + 1, status: 'available' },
    accessible: row === 'A' && index === 0,
  })),
)
const loose = ['f1', 'f2'].map((id) => ({ id, seatTypeId: 'floor', row: null, number: null, status: 'available' }))
const answer: SeatMapAnswer = { version: 1, seatTypes: types, seats: [...numbered, ...loose] }

function modelWith(own: string[] = []) {
  const model = new SeatModel(answer, own)
  const [stalls, floor] = model.types
  if (stalls === undefined || floor === undefined) throw new Error('no types')
  return { model, stalls, floor }
}

describe('seats in a browser', () => {
  it('[W226] rows have their letter at both ends, without the section, and none lies on a seat', () => {
    const rowOf = (row: string, y: number, from: number, count: number) =>
      Array.from({ length: count }, (_unused, index) => ({
        ...{ id: `${row}${index}`, seatTypeId: 'stalls', row, number: index + 1, status: 'available' },
        ...{ x: from + index, y },
      }))
    // Two blocks side by side without an aisle: between them there is no room for letters.
    const seats = [...rowOf('Left A', 0, 0, 4), ...rowOf('Right A', 0, 4, 4), ...rowOf('B', 3, 0, 1)]
    const model = new SeatModel({ version: 1, seatTypes: types, seats }, [])
    const grid = new SeatGrid(model.seats)
    const { rows, sections } = labelsOf(model.seats, { stalls: ['Left', 'Right'] }, grid)
    expect(rows.map(({ text }) => text).sort()).toEqual(['A', 'A', 'B', 'B'])
    for (const { x, y } of rows) expect(grid.at(x, y, 0.5)).toBeNull()
    expect(sections.map(({ text }) => text)).toEqual(['Left', 'Right'])
    const [left, right] = sections
    expect((right?.x ?? 0) - (left?.x ?? 0)).toBeCloseTo(4)
  })

  it('[W226] a map that is turned keeps its middle and its size, and the whole stays whole', () => {
    const { model } = modelWith()
    const bounds = boundsOf(model.seats)
    const [upright, across] = [
      { width: 300, height: 500 },
      { width: 500, height: 300 },
    ]
    const near = zoomAt(wholeMap(bounds, upright), 2, { x: 150, y: 250 }, bounds, upright)
    const turned = resized(near, upright, across, bounds)
    expect(turned.scale).toBe(near.scale)
    expect(turned.x + 250 / turned.scale).toBeCloseTo(near.x + 150 / near.scale)
    expect(turned.y + 150 / turned.scale).toBeCloseTo(near.y + 250 / near.scale)
    expect(resized(wholeMap(bounds, upright), upright, across, bounds)).toEqual(wholeMap(bounds, across))
  })

  it('[W241] seats have the first price of their type until others are chosen, and fewer seats give those up first', () => {
    const variants = [
      { id: 'adult', name: 'Adult', price: 9_000 },
      { id: 'child', name: 'Child', price: 4_500 },
      { id: 'student', name: 'Student', price: 6_000 },
    ]
    const type = { price: 9_000, variants }
    const counts = (seats: number, reduced: ReadonlyMap<string, number>) =>
      splitOf(type, seats, reduced).map(({ count }) => count)
    let reduced: ReadonlyMap<string, number> = new Map()
    const step = (id: string, by: 1 | -1) => {
      reduced = stepSplit(splitOf(type, 3, reduced), reduced, id, by)
      return counts(3, reduced)
    }
    expect(counts(3, reduced)).toEqual([3, 0, 0])
    expect(step('child', 1)).toEqual([2, 1, 0])
    expect(step('student', 1)).toEqual([1, 1, 1])
    expect(step('student', 1)).toEqual([0, 1, 2])
    expect(step('child', 1)).toEqual([0, 1, 2])
    expect(step('student', -1)).toEqual([1, 1, 1])
    expect(counts(1, reduced)).toEqual([0, 1, 0])
    expect(sumOf(type, 3, splitOf(type, 3, reduced))).toBe(9_000 + 4_500 + 6_000)
    expect(wishOf(splitOf(type, 3, reduced))).toEqual(variants.map(({ id }) => ({ variantId: id, quantity: 1 })))
    expect(sumOf({ price: 700 }, 3, splitOf({ variants: [] }, 3, reduced))).toBe(2_100)
    expect(wishOf(splitOf({ variants: [] }, 3, reduced))).toEqual([])
  })

  it('[W19] offers as many side by side, nearest to those that were lost', () => {
    const { model } = modelWith()
    const lost = model.apply(['B4', 'B5'].map((id) => ({ id, status: 'held' })))
    expect(lost.map(({ id }) => id)).toEqual(['B4', 'B5'])
    const offered = model.nearest(lost)?.map(({ id }) => id) ?? []
    expect(offered).toHaveLength(2)
    expect(['B2,B3', 'B6,B7', 'A4,A5', 'C4,C5']).toContain(offered.join())
  })

  it('[W19] offers nothing where there is nothing as good', () => {
    const { model } = modelWith()
    const lost = model.apply(numbered.map(({ id }) => ({ id, status: 'sold' })))
    expect(model.nearest(lost.slice(0, 2))).toBeNull()
  })

  it('[W20] takes the best together, accessible seats only for those who ask', () => {
    const { model, stalls } = modelWith()
    const best = model.best(stalls, 8, false)
    expect(best?.every(({ row }) => row === 'B')).toBe(true)
    expect(model.best(stalls, 1, true)?.[0]?.isAccessible).toBe(true)
    expect(model.best(stalls, 25, false)).toBeNull()
  })

  it('[W20] counts places without a number, and names free ones', () => {
    const { model, floor } = modelWith()
    expect(model.freeOf(floor)).toBe(2)
    model.apply([{ id: 'f1', status: 'held' }])
    expect(model.looseIds(floor, 1)).toEqual(['f2'])
    model.apply([{ id: 'f1', status: 'available' }])
    expect(model.freeOf(floor)).toBe(2)
  })

  it('[W20] one’s own reserved seats are free to choose again', () => {
    const { model } = modelWith(['A2'])
    model.apply([{ id: 'A2', status: 'held' }])
    expect(model.find('A2')?.look).toBe('free')
    model.apply([{ id: 'A2', status: 'sold' }])
    expect(model.find('A2')?.look).toBe('taken')
  })

  it('[W20] the keyboard reaches the seat beside, before and behind', () => {
    const { model } = modelWith()
    const grid = new SeatGrid(model.seats)
    const from = model.find('B4')
    if (from === undefined) throw new Error('no seat')
    const next = (dx: number, dy: number) => grid.towards(from, dx, dy, model.seats)?.id
    expect([next(1, 0), next(-1, 0), next(0, -1), next(0, 1)]).toEqual(['B5', 'B3', 'A4', 'C4'])
    expect(grid.at(from.x + 0.2, from.y - 0.2, 0.1)).toBe(from)
  })

  it('[W20] zooming keeps what is under the finger there, and the map in sight', () => {
    const { model } = modelWith()
    const bounds = boundsOf(model.seats)
    const size = { width: 800, height: 600 }
    const whole = wholeMap(bounds, size)
    const at = { x: 500, y: 320 }
    const closer = zoomAt({ ...whole, scale: whole.scale / 2 }, 1.2, at, bounds, size)
    expect(closer.scale).toBeGreaterThanOrEqual(whole.scale)
    const far = zoomAt(whole, 1e-9, at, bounds, size)
    expect(far.scale).toBeCloseTo(whole.scale)
  })
})
