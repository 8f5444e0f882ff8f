import type { Outline } from '@seatwise/domain'
import { testSeed } from '@seatwise/testbench'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { boundsOf, type Camera, type Size, wholeMap, zoomAt } from '../src/browser/seats/camera.ts'
import { areaAt } from '../src/browser/seats/map-shapes.ts'
import { SeatGrid } from '../src/browser/seats/seat-grid.ts'
import { type Seat, SeatModel } from '../src/browser/seats/seat-model.ts'

interface RowOfPlan {
  readonly seats: number
  readonly x: number
  readonly y: number
  readonly pitch: number
}

/** The seats of a plan as the API tells them. */
function modelOf(rows: readonly RowOfPlan[], outlines: readonly Outline[] = []): SeatModel {
  const seats = rows.flatMap(({ seats: count, x, y, pitch }, row) =>
    Array.from({ length: count }, (_unused, index) => ({
      ...{ id: `${row}-${index}`, seatTypeId: 'one', row: String(row), number: index + 1, status: 'available' },
      ...{ x: Math.fround(x + index * pitch), y: Math.fround(y) },
    })),
  )
  const seatTypes = [{ id: 'one', name: 'One', price: 1, currency: 'EUR', reservedSeating: true }]
  const standing = {
    id: 'two',
    name: 'Two',
    price: 1,
    currency: 'EUR',
    reservedSeating: false,
    area: outlines[0] ?? null,
  }
  const shapes = outlines.slice(1).map((outline) => ({ kind: 'stage' as const, outline }))
  return new SeatModel({ version: 1, seatTypes: [...seatTypes, standing], seats }, [], shapes)
}

const seatsOf = (rows: readonly RowOfPlan[]): readonly Seat[] => modelOf(rows).seats

const EDGES = [-100_000, -1, -1e-30, 0, 1e-9, 0.5, 1, 20, 99_999.99, 100_000]
const number = fc.oneof(fc.constantFrom(...EDGES), fc.double({ min: -100_000, max: 100_000, noNaN: true }))
const row = fc.record({ seats: fc.integer({ min: 1, max: 30 }), x: number, y: number, pitch: number })
const plan = fc.array(row, { minLength: 1, maxLength: 12 })
const size = fc.record({ width: fc.integer({ min: 0, max: 4_000 }), height: fc.integer({ min: 0, max: 3_000 }) })

/** Steps are lookups of a cell: more than a view may need means that it walks over empty space. */
function countSteps<Value>(stepsMax: number, work: () => Value): { value: Value; steps: number } {
  let steps = 0
  const { get } = Map.prototype
  const spy = vi.spyOn(Map.prototype, 'get').mockImplementation(function (this: Map<unknown, unknown>, key) {
    steps += 1
    if (steps > stepsMax) throw new Error(`More than ${stepsMax} steps`)
    return get.call(this, key)
  })
  try {
    return { value: work(), steps }
  } finally {
    spy.mockRestore()
  }
}

function isSeen({ x, y }: Seat, camera: Camera, { width, height }: Size): boolean {
  return x >= camera.x && x <= camera.x + width / camera.scale && y >= camera.y && y <= camera.y + height / camera.scale
}

describe('a map of any plan', () => {
  it('[W37] finds what is in view with at most one step for each seat, however wide the plan', () => {
    const seed = testSeed()
    fc.assert(
      fc.property(
        plan,
        size,
        fc.array(fc.double({ min: 0.1, max: 40, noNaN: true }), { maxLength: 6 }),
        (rows, at, zooms) => {
          const seats = seatsOf(rows)
          const grid = new SeatGrid(seats)
          const bounds = boundsOf(seats)
          const middle = { x: at.width / 2, y: at.height / 2 }
          let camera = wholeMap(bounds, at)
          for (const factor of [1, ...zooms]) {
            camera = zoomAt(camera, factor, middle, bounds, at)
            const { value } = countSteps(seats.length + 16, () => grid.inView(camera, at))
            expect(new Set(value).size).toBe(value.length)
            const missed = seats.filter((seat) => isSeen(seat, camera, at) && !value.includes(seat))
            expect(missed).toEqual([])
          }
        },
      ),
      { seed, numRuns: 150 },
    )
  })

  it('[W37] every seat has a place of finite numbers, and is found there', () => {
    const seed = testSeed()
    fc.assert(
      fc.property(plan, (rows) => {
        const seats = seatsOf(rows)
        const grid = new SeatGrid(seats)
        for (const seat of seats) {
          expect([seat.x, seat.y].every(Number.isFinite)).toBe(true)
          const found = grid.at(seat.x, seat.y, 0.1)
          expect(found === null ? null : Math.hypot(found.x - seat.x, found.y - seat.y)).toBe(0)
        }
      }),
      { seed, numRuns: 100 },
    )
  })

  it('[W37] stage and areas of any plan keep where they are among the seats, and are found there', () => {
    const outline = fc.record({ x: number, y: number, side: fc.double({ min: 0.01, max: 50_000, noNaN: true }) })
    fc.assert(
      fc.property(fc.oneof(plan, fc.constant([])), fc.array(outline, { minLength: 1, maxLength: 4 }), (rows, boxes) => {
        const outlines = boxes.map(
          ({ x, y, side }): Outline => [
            [x, y],
            [x + side, y],
            [x + side, y + side],
            [x, y + side],
          ],
        )
        const { seats, shapes, types } = modelOf(rows, outlines)
        const all = [...seats, ...shapes.flatMap((shape) => shape.outline)]
        expect(all.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true)
        const camera = wholeMap(boundsOf(all), { width: 800, height: 600 })
        expect(Number.isFinite(camera.scale) && camera.scale > 0).toBe(true)
        const area = shapes.find(({ kind }) => kind === 'area')?.outline ?? []
        const [low, high] = [area[0] ?? { x: 0, y: 0 }, area[2] ?? { x: 0, y: 0 }]
        const middle = { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2 }
        // A box too small for the numbers of a far corner has no inside.
        const isReal = middle.x > low.x && middle.x < high.x && middle.y > low.y && middle.y < high.y
        expect(areaAt(shapes, middle)).toBe(isReal ? types[1] : areaAt(shapes, middle))
        expect(areaAt(shapes, { x: high.x + 1, y: middle.y })).toBeNull()
      }),
      { seed: testSeed(), numRuns: 150 },
    )
  })

  it('[W37] seats in one spot are stepped through in the order of the plan', () => {
    const seats = seatsOf([{ seats: 4, x: 7, y: 7, pitch: 0 }])
    const grid = new SeatGrid(seats)
    const [first] = seats
    if (first === undefined) throw new Error('no seats')
    const second = grid.towards(first, 1, 0, seats)
    expect(second?.number).toBe(2)
    expect(second && grid.towards(second, 0, -1, seats)?.number).toBe(1)
  })

  it('[W37] a seat is as large on the map whatever unit its plan has', () => {
    const plain = seatsOf([0, 1, 2].map((y) => ({ seats: 10, x: 0, y, pitch: 1 })))
    const drawn = seatsOf([0, 1, 2].map((y) => ({ seats: 10, x: -9_000, y: 500 + y * 20, pitch: 20 })))
    expect(drawn.map(({ x, y }) => [x, y])).toEqual(plain.map(({ x, y }) => [x, y]))
  })
})
