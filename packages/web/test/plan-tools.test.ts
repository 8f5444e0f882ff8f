import { readSeatType, requireOutline, type SeatSpot } from '@seatwise/domain'
import { testSeed } from '@seatwise/testbench'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addBlock,
  type Chosen,
  type PlanRow,
  type PlanType,
  planFrom,
  seatSpots,
} from '../src/browser/console/edit/plan/plan.ts'
import { linesOf, snapMove } from '../src/browser/console/edit/plan/plan-snap.ts'
import { exportPlan, importPlan, writePlan, writeShapes } from '../src/browser/console/edit/plan/plan-wire.ts'
import { READY_PLANS, readyPlan } from '../src/browser/console/edit/plan/ready-plans.ts'
import {
  bendRows,
  boundsOf,
  copyRows,
  mirrorRows,
  moveRows,
  nameSection,
  numberRows,
  removeRows,
  turnRows,
} from '../src/browser/console/edit/plan/row-tools.ts'
import {
  addArea,
  addShape,
  copyAll,
  mirrorAll,
  moveAll,
  onlyBounds,
  pickAll,
  piecesOf,
  removeAll,
  type Sketch,
  sketchBounds,
  turnAll,
} from '../src/browser/console/edit/plan/sketch.ts'
import { WORDS } from '../src/words/index.ts'

const EMPTY = planFrom([{ name: 'Stalls', price: 100, currency: 'EUR', rows: [{ label: 'Z', seats: 1 }] }])
const key = EMPTY[0]?.key ?? ''

function blockOf(rows: number, seats: number): { plan: PlanType[]; chosen: Chosen[] } {
  const plan = addBlock(removeRows(EMPTY, [{ key, label: 'Z' }]), key, { rows, seats, first: 'A', at: { x: 0, y: 0 } })
  return { plan, chosen: rowsIn(plan).map(({ label }) => ({ key, label })) }
}

const rowsIn = (plan: readonly PlanType[]): PlanRow[] => plan.flatMap(({ rows }) => [...rows])
const distance = (one: SeatSpot, other: SeatSpot): number => Math.hypot(one.x - other.x, one.y - other.y)
const spotsBySeat = (plan: readonly PlanType[]): SeatSpot[] => rowsIn(plan).flatMap((row) => [...seatSpots(row)])

function expectSameSpots(one: readonly SeatSpot[], other: readonly SeatSpot[]): void {
  expect(one.length).toBe(other.length)
  for (const [index, spot] of one.entries())
    expect(distance(spot, other[index] ?? { x: NaN, y: NaN })).toBeLessThan(1e-6)
}

describe('rows that are changed together', () => {
  test('[W140] bent rows have one centre: the distance between them stays, and bending back makes them straight', () => {
    const { plan, chosen } = blockOf(3, 21)
    const bent = bendRows(plan, chosen, -60)
    const [first, second, third] = rowsIn(bent).map(seatSpots)
    const middles = [first, second, third].map((spots) => Math.max(...(spots ?? []).map(({ y }) => y)))
    expect((middles[1] ?? 0) - (middles[0] ?? 0)).toBeCloseTo((middles[2] ?? 0) - (middles[1] ?? 0), 3)
    expect(rowsIn(bent)[0]?.curve).toBeCloseTo(-60)
    expect(Math.abs(rowsIn(bent)[2]?.curve ?? 0)).toBeLessThan(60)
    const ends = [first?.[0], second?.[0]] as const
    expect(ends[0]?.y).toBeLessThan(middles[0] ?? 0)
    expectSameSpots(spotsBySeat(bendRows(bent, chosen, 0)), spotsBySeat(plan))
  })

  test('[W140] whatever was done, turning back, mirroring twice and moving back lead to where the seats were', () => {
    const steps = fc.array(
      fc.tuple(fc.constantFrom('turn', 'move', 'mirror', 'bend'), fc.integer({ min: -90, max: 90 })),
      {
        maxLength: 6,
      },
    )
    fc.assert(
      fc.property(steps, fc.integer({ min: -170, max: 170 }), (done, degrees) => {
        const { plan: start, chosen } = blockOf(3, 7)
        const plan = done.reduce<PlanType[]>((now, [act, by]) => {
          if (act === 'turn') return turnRows(now, chosen, by)
          if (act === 'move') return moveRows(now, chosen, { x: by, y: -by })
          return act === 'mirror' ? mirrorRows(now, chosen) : bendRows(now, chosen, by / 2)
        }, start)
        const spots = spotsBySeat(plan)
        expectSameSpots(spotsBySeat(mirrorRows(mirrorRows(plan, chosen), chosen)), spots)
        expectSameSpots(spotsBySeat(moveRows(moveRows(plan, chosen, { x: 9, y: 4 }), chosen, { x: -9, y: -4 })), spots)
        const turned = turnRows(plan, chosen, degrees)
        for (const [index, spot] of spotsBySeat(turned).entries()) {
          const [before, next] = [spots[index], spots[index + 1]]
          const after = spotsBySeat(turned)[index + 1]
          if (before === undefined || next === undefined || after === undefined) continue
          expect(distance(spot, after)).toBeCloseTo(distance(before, next), 4)
        }
      }),
      { numRuns: 40 },
    )
  })

  test('[W140] a copy stands beside its original as a section of its own, so that no name is there twice', () => {
    const { plan, chosen } = blockOf(2, 5)
    const once = copyRows(plan, chosen)
    expect(once.copies.map(({ label }) => label)).toEqual(['2 A', '2 B'])
    const twice = copyRows(once.plan, chosen)
    expect(twice.copies.map(({ label }) => label)).toEqual(['3 A', '3 B'])
    expect(boundsOf(once.plan).right).toBeGreaterThan(boundsOf(plan).right)
    const named = nameSection(once.plan, once.copies, 'Right')
    expect(rowsIn(named).map(({ label, section }) => [label, section])).toEqual([
      ['A', ''],
      ['B', ''],
      ['Right A', 'Right'],
      ['Right B', 'Right'],
    ])
    expect(rowsIn(nameSection(named, [{ key, label: 'Right A' }], '')).map(({ label }) => label)).toContain('A')
  })

  test('[W140] seats are numbered odd, even, from the right and without 13; what was said of a seat moves with it', () => {
    const { plan, chosen } = blockOf(1, 4)
    const marked = plan.map((type) => ({
      ...type,
      rows: type.rows.map((row) => ({ ...row, blocked: [2], aisles: [1] })),
    }))
    const numbered = (numbering: Parameters<typeof numberRows>[2]) => rowsIn(numberRows(marked, chosen, numbering))[0]
    const odd = { from: 1, step: 2, isReversed: false, skipped: [] }
    expect(numbered(odd)).toMatchObject({ numbers: [1, 3, 5, 7], blocked: [3], aisles: [1] })
    expect(numbered({ ...odd, from: 2, isReversed: true })).toMatchObject({ numbers: [8, 6, 4, 2], blocked: [6] })
    expect(numbered({ ...odd, from: 12, step: 1, skipped: [13] })).toMatchObject({ numbers: [12, 14, 15, 16] })
  })
})

const isInside = (outline: readonly SeatSpot[], { x, y }: SeatSpot): boolean =>
  outline.reduce((isIn, one, index) => {
    const next = outline[(index + 1) % outline.length] ?? one
    const crosses = one.y > y !== next.y > y && x < one.x + ((y - one.y) / (next.y - one.y)) * (next.x - one.x)
    return crosses ? !isIn : isIn
  }, false)

describe('shapes and areas', () => {
  const frame = { x: 0, y: 0, width: 100, height: 40 }
  const empty: Sketch = { types: blockOf(2, 5).plan, shapes: [] }
  const withBoth = (): Sketch => {
    const { sketch } = addShape(empty, { key: 's', kind: 'stage', frame, form: 'half' })
    return addArea(sketch, { key: 'a', name: 'Standing', frame: { ...frame, y: 200 }, form: 'rectangle' }).sketch
  }

  test('[W240] an area is that of a category without numbers, which is made where there is none', () => {
    const sketch = withBoth()
    expect(sketch.types.at(-1)).toMatchObject({ name: 'Standing', isNumbered: false, quantity: 100 })
    const again = addArea(removeAll(sketch, { rows: [], pieces: ['area a'] }), {
      key: 'b',
      name: 'x',
      frame,
      form: 'ellipse',
    })
    expect(again.sketch.types).toHaveLength(sketch.types.length)
    expect(again.sketch.types.at(-1)?.area).toHaveLength(32)
    expect(piecesOf(sketch).map(({ name }) => name)).toEqual(['area a', 'shape s'])
  })

  test('[W240] rows, shapes and areas are moved, turned, mirrored and copied together', () => {
    const sketch = withBoth()
    const all = pickAll(sketch)
    const { left, right, top, bottom } = sketchBounds(sketch)
    expect(sketchBounds(moveAll(sketch, all, { x: 5, y: -7 }))).toEqual({
      ...{ left: left + 5, right: right + 5, top: top - 7, bottom: bottom - 7 },
    })
    const close = (one: Sketch, other: Sketch): void => {
      const corners = (of: Sketch) => piecesOf(of).flatMap(({ outline }) => outline)
      expectSameSpots(spotsBySeat(one.types), spotsBySeat(other.types))
      for (const [index, corner] of corners(one).entries())
        expect(distance(corner, corners(other)[index] ?? corner)).toBeLessThan(0.05)
    }
    close(turnAll(turnAll(sketch, all, 90), all, -90), sketch)
    close(mirrorAll(mirrorAll(sketch, all), all), sketch)
    const { sketch: copied, picked } = copyAll(sketch, all, () => 'copy')
    expect(picked.pieces).toEqual(['shape copy'])
    expect(onlyBounds(copied, picked).left).toBeGreaterThan(right)
  })

  test('[W240] what is moved snaps to a line that is near, else to the grid', () => {
    const sketch = withBoth()
    const moved = { rows: [], pieces: ['shape s'] }
    const lines = linesOf(sketch, moved)
    const from = onlyBounds(sketch, moved)
    expect(lines.x).toContain(100)
    expect(snapMove({ x: 101.5, y: 30 }, from, lines, 3)).toEqual({
      by: { x: 100, y: 32 },
      guides: { x: 100, y: null },
    })
    expect(snapMove({ x: 131, y: 61 }, from, lines, -1).by).toEqual({ x: 132, y: 60 })
  })

  test('[W79][W240] any plan is the same after it was exported and imported', () => {
    const coordinate = fc.integer({ min: -50_000, max: 50_000 }).map((number) => number / 100)
    const box = fc.record({
      x: coordinate,
      y: coordinate,
      width: fc.integer({ min: 1, max: 900 }),
      height: fc.integer({ min: 1, max: 900 }),
    })
    const step = fc.record({
      ...{ frame: box, form: fc.constantFrom('rectangle' as const, 'ellipse' as const, 'half' as const) },
      kind: fc.constantFrom('stage' as const, 'aisle' as const, 'other' as const, 'area' as const),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const sketch = steps.reduce((before, { kind, ...more }, index) => {
          const added = { ...more, key: String(index), name: `Area ${index}` }
          return kind === 'area' ? addArea(before, added).sketch : addShape(before, { ...added, kind }).sketch
        }, empty)
        const again = importPlan(exportPlan(sketch))
        expect(JSON.parse(exportPlan(again))).toEqual(JSON.parse(exportPlan(sketch)))
        expect(writeShapes(again.shapes)).toEqual(writeShapes(sketch.shapes))
      }),
      { seed: testSeed(), numRuns: 60 },
    )
    const broken = (change: object): string => JSON.stringify({ ...JSON.parse(exportPlan(withBoth())), ...change })
    expect(() => importPlan(broken({ shapes: [{ kind: 'stage', outline: [[0, 0]] }] }))).toThrow(/shapes\[0\]/)
    expect(() => importPlan(broken({ shapes: 'none' }))).toThrow(/shapes/)
  })
})

describe('plans that are there already', () => {
  test.each(READY_PLANS)(
    '[W141] the ready plan of a %s is one that the API takes, and no two seats are in one spot',
    (name) => {
      for (const language of ['en', 'ko', 'vi'] as const) {
        const plan = readyPlan(name, { currency: 'EUR', words: WORDS[language].console.plan.parts })
        const types = writePlan(plan.types, []).map(({ rows, ...type }, index) =>
          readSeatType({ ...type, ...(rows ? { rows } : {}) }, `seatTypes/${index}`, 'EUR'),
        )
        const outlines = [
          ...writeShapes(plan.shapes).map(({ outline }) => outline),
          ...types.flatMap(({ area }) => (area ? [area] : [])),
        ]
        for (const outline of outlines) expect(requireOutline('outline', outline)).toBe(outline)
        expect(plan.shapes.filter(({ kind }) => kind === 'stage')).toHaveLength(1)
        expect(types.reduce((sum, { totalQuantity }) => sum + totalQuantity, 0)).toBeGreaterThan(100)
      }
      const plan = readyPlan(name, { currency: 'EUR', words: WORDS.en.console.plan.parts })
      const spots = spotsBySeat(plan.types)
      const cells = Map.groupBy(spots, ({ x, y }) => `${Math.round(x / 10)} ${Math.round(y / 10)}`)
      expect(Math.max(...[...cells.values()].map(({ length }) => length))).toBe(1)
      for (const { name: piece, kind, outline } of piecesOf(plan)) {
        if (kind !== 'aisle')
          expect(
            spots.filter((spot) => isInside(outline, spot)),
            piece,
          ).toEqual([])
      }
    },
  )

  const pretix = {
    name: 'Small hall',
    categories: [{ name: 'Stalls', color: '#7f4a91' }],
    size: { width: 300, height: 200 },
    zones: [
      {
        name: 'Ground',
        position: { x: 10, y: 100 },
        rows: [
          {
            ...{ row_number: 'A', row_number_position: 'both', position: { x: 5, y: 1 } },
            seats: [0, 20, 80].map((x, index) => ({
              ...{
                seat_number: String(2 * index + 1),
                seat_guid: `g${x}`,
                category: 'Stalls',
                position: { x, y: index },
              },
            })),
          },
        ],
        areas: [
          {
            ...{ shape: 'rectangle', position: { x: 0, y: -60 }, rotation: 0, rectangle: { width: 100, height: 20 } },
            ...{
              color: '#eee',
              border_color: '#000',
              text: { text: 'Stage', color: '#000', position: { x: 50, y: 10 } },
            },
          },
          {
            ...{ shape: 'polygon', position: { x: 10, y: 0 }, color: '#eee', border_color: '#000' },
            polygon: {
              points: [
                { x: 0, y: 0 },
                { x: 10, y: 0 },
                { x: 10, y: 20 },
              ],
            },
          },
        ],
      },
      {
        name: 'Circle',
        position: { x: 0, y: 0 },
        rows: [
          {
            ...{ row_number: 'A', row_number_position: 'start', position: { x: 0, y: 0 } },
            seats: [{ seat_number: '1', seat_guid: 'c1', category: 'Circle', position: { x: 1, y: 2 } }],
          },
        ],
      },
    ],
  }

  test('[W142] a seating plan of pretix keeps every seat with its number, its category and its spot', () => {
    const { types, shapes } = importPlan(JSON.stringify(pretix))
    const [stalls, circle] = types
    expect(stalls).toMatchObject({ name: 'Stalls', isNumbered: true })
    const [row] = stalls?.rows ?? []
    expect(row).toMatchObject({ label: 'Ground A', section: 'Ground', seats: 3, numbers: [1, 3, 5], aisles: [3] })
    expect(row && seatSpots(row)).toEqual([
      { x: 15, y: 101 },
      { x: 35, y: 102 },
      { x: 95, y: 103 },
    ])
    expect(circle?.rows[0]).toMatchObject({ label: 'Circle A', seats: 1 })
    expect(writeShapes(shapes)).toEqual([
      {
        kind: 'stage',
        label: 'Stage',
        outline: [
          [10, 40],
          [110, 40],
          [110, 60],
          [10, 60],
        ],
      },
      {
        kind: 'other',
        outline: [
          [20, 100],
          [30, 100],
          [30, 120],
        ],
      },
    ])
    expect(() =>
      readSeatType({ name: 'x', rows: writePlan([stalls as PlanType], [])[0]?.rows ?? [] }, 't', 'EUR'),
    ).not.toThrow()
  })

  test('[W142] what cannot be kept is refused with its place', () => {
    const broken = (change: (plan: typeof pretix) => void): string => {
      const plan = structuredClone(pretix)
      change(plan)
      return JSON.stringify(plan)
    }
    const seatOf = (plan: typeof pretix) => plan.zones[0]?.rows[0]?.seats[1] ?? expect.unreachable('there is one')
    expect(() => importPlan(broken((plan) => Object.assign(seatOf(plan), { seat_number: '12a' })))).toThrow(
      /zones\[0\]\.rows\[0\]\.seats\[1\]\.seat_number: 12a/,
    )
    expect(() => importPlan(broken((plan) => Object.assign(seatOf(plan), { seat_number: '1' })))).toThrow(/two seats 1/)
    expect(() => importPlan(broken((plan) => Object.assign(seatOf(plan), { position: {} })))).toThrow(/position/)
    const areaOf = (plan: typeof pretix) => plan.zones[0]?.areas?.[1] ?? expect.unreachable('there is one')
    expect(() => importPlan(broken((plan) => Object.assign(areaOf(plan), { polygon: { points: [] } })))).toThrow(
      /zones\[0\]\.areas\[1\]\.polygon\.points/,
    )
    expect(() => importPlan('{"zones":[]}')).toThrow(/no seat/)
  })
})
