import { cornersIn, type Form, type Frame } from './outline.ts'
import { addBlock, type Chosen, type PlanType } from './plan.ts'
import { bendRows, boundsOf, copyRows, moveRows, nameSection, rowsOf, turnRows } from './row-tools.ts'
import type { Sketch } from './sketch.ts'

export const READY_PLANS = ['club', 'theatre', 'arena', 'church', 'cinema'] as const
/** Between the floor of an arena and its stands, on the map. */
const FLOOR_GAP = 60
/** Of a stage, and from it to the first row. */
const STAGE_DEPTH = 70
const STAGE_GAP = 50

export type ReadyPlan = (typeof READY_PLANS)[number]

/** What the parts of a house are called, in the operator's language. */
export interface PartWords {
  readonly standing: string
  readonly seated: string
  readonly stalls: string
  readonly balcony: string
  readonly floor: string
  readonly stand: string
  readonly nave: string
  readonly left: string
  readonly right: string
  /** What a cinema has for a stage. */
  readonly screen: string
}

interface House {
  readonly currency: string
  readonly words: PartWords
}

/** A plan to begin with. Prices are 0 until the operator names them. */
export function readyPlan(name: ReadyPlan, house: House): Sketch {
  return HOUSES[name](house)
}

const HOUSES: Record<ReadyPlan, (house: House) => Sketch> = { club, theatre, arena, church, cinema }

/** Standing in front of the stage, and a few rows of seats behind. */
function club(house: House): Sketch {
  const { standing, seated } = house.words
  const seats = block([category(house, seated)], seated, { rows: 3, seats: 16 })
  const { left, right, top } = boundsOf(seats)
  const width = right - left
  const area = { x: left, y: top - 40 - 180, width, height: 180 }
  const stage = { x: left + width / 6, y: area.y - 20 - 60, width: (width * 2) / 3, height: 60 }
  return { types: [heap(house, standing, 250, area), ...seats], shapes: [shape('stage', stage, 'rectangle')] }
}

/** Two curved levels. */
function theatre(house: House): Sketch {
  const { stalls, balcony } = house.words
  let plan = bent(block([category(house, stalls)], stalls, { rows: 14, seats: 24 }), stalls, -40)
  plan = block([...plan, category(house, balcony)], balcony, { rows: 5, seats: 28 })
  return withStage(bent(plan, balcony, -40), 'half')
}

/** A floor to stand on, and a stand of seats on three sides of it, each with its first row at the floor. */
function arena(house: House): Sketch {
  const { floor, stand, left, right } = house.words
  const plan = block([heap(house, floor, 1_200), category(house, stand)], stand, { rows: 10, seats: 40 })
  const back = rowsIn(plan, stand)
  const { left: leftEnd, right: rightEnd, top } = boundsOf(plan)
  const side = (before: readonly PlanType[], name: string, degrees: number, edge: number): PlanType[] => {
    const { plan: copied, copies } = copyRows(before, back)
    const turned = turnRows(copied, copies, degrees)
    const now = boundsOf(rowsOf(turned, copies))
    const inner = degrees > 0 ? now.right : now.left
    const placed = moveRows(turned, copies, { x: edge - inner, y: top - FLOOR_GAP - now.bottom })
    return nameSection(placed, copies, name)
  }
  const seats = side(side(plan, left, 90, leftEnd - FLOOR_GAP), right, -90, rightEnd + FLOOR_GAP)
  // The floor is what the stands enclose; the stage is at its open end.
  const { top: farEnd } = boundsOf(seats)
  const inside = { x: leftEnd, width: rightEnd - leftEnd }
  const stage = { ...inside, y: farEnd, height: 100 }
  const ground = { ...inside, y: farEnd + 120, height: top - FLOOR_GAP / 2 - farEnd - 120 }
  const types = seats.map((type) => (type.key === floor ? { ...type, area: cornersIn(ground, 'rectangle') } : type))
  return { types, shapes: [shape('stage', stage, 'rectangle')] }
}

/** Two blocks of benches with an aisle between. */
function church(house: House): Sketch {
  const { nave, left, right } = house.words
  const plan = block([category(house, nave)], nave, { rows: 18, seats: 7 })
  const one = rowsIn(plan, nave)
  const { plan: both, copies } = copyRows(plan, one)
  const types = nameSection(nameSection(both, copies, right), one, left)
  const { left: leftEnd, right: rightEnd, top, bottom } = boundsOf(types)
  const aisle = { x: (leftEnd + rightEnd) / 2 - 18, y: top - 8, width: 36, height: bottom - top + 16 }
  const { shapes } = withStage(types, 'half')
  return { types, shapes: [...shapes, shape('aisle', aisle, 'rectangle')] }
}

/** Straight rows with two aisles. */
function cinema(house: House): Sketch {
  const { seated } = house.words
  const plan = block([category(house, seated)], seated, { rows: 10, seats: 18 })
  const types = plan.map((type) => ({
    ...type,
    rows: type.rows.map((row) => ({ ...row, aisles: [4, 14], x: row.x - 20 })),
  }))
  const { left, right, top } = boundsOf(types)
  const screen = { x: left, y: top - 70, width: right - left, height: 14 }
  return { types, shapes: [{ ...shape('stage', screen, 'rectangle'), label: house.words.screen }] }
}

/** Above everything, as wide as half of it. */
function withStage(types: readonly PlanType[], form: Form): Sketch {
  const { left, right, top } = boundsOf(types)
  const width = (right - left) / 2
  const frame = { x: (left + right - width) / 2, y: top - STAGE_GAP - STAGE_DEPTH, width, height: STAGE_DEPTH }
  return { types, shapes: [shape('stage', frame, form)] }
}

const shape = (kind: 'stage' | 'aisle', frame: Frame, form: Form) => ({
  ...{ key: kind, kind, label: '' },
  outline: cornersIn(frame, form),
})

function category({ currency }: House, name: string): PlanType {
  return {
    key: name,
    id: null,
    name,
    price: 0,
    currency,
    isNumbered: true,
    isHidden: false,
    quantity: 0,
    rows: [],
    area: null,
  }
}

function heap(house: House, name: string, quantity: number, area: Frame | null = null): PlanType {
  const outline = area === null ? null : cornersIn(area, 'rectangle')
  return { ...category(house, name), isNumbered: false, quantity, area: outline }
}

function block(plan: readonly PlanType[], key: string, size: { rows: number; seats: number }): PlanType[] {
  return addBlock(plan, key, { ...size, first: 'A' })
}

function rowsIn(plan: readonly PlanType[], key: string): Chosen[] {
  return plan.filter((type) => type.key === key).flatMap(({ rows }) => rows.map(({ label }) => ({ key, label })))
}

function bent(plan: readonly PlanType[], key: string, degrees: number): PlanType[] {
  return bendRows(plan, rowsIn(plan, key), degrees)
}
