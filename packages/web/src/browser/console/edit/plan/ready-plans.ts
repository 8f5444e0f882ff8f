import { addBlock, type Chosen, type PlanType } from './plan.ts'
import { bendRows, boundsOf, copyRows, moveRows, nameSection, rowsOf, turnRows } from './row-tools.ts'

export const READY_PLANS = ['club', 'theatre', 'arena', 'church', 'cinema'] as const
/** Between the floor of an arena and its stands, on the map. */
const FLOOR_GAP = 60

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
}

interface House {
  readonly currency: string
  readonly words: PartWords
}

/** A plan to begin with. Prices are 0 until the operator names them. */
export function readyPlan(name: ReadyPlan, house: House): PlanType[] {
  return HOUSES[name](house)
}

const HOUSES: Record<ReadyPlan, (house: House) => PlanType[]> = { club, theatre, arena, church, cinema }

/** Standing in front of the stage, and a few rows of seats behind. */
function club(house: House): PlanType[] {
  const { standing, seated } = house.words
  return [heap(house, standing, 250), ...block([category(house, seated)], seated, { rows: 3, seats: 16 })]
}

/** Two curved levels. */
function theatre(house: House): PlanType[] {
  const { stalls, balcony } = house.words
  let plan = bent(block([category(house, stalls)], stalls, { rows: 14, seats: 24 }), stalls, -40)
  plan = block([...plan, category(house, balcony)], balcony, { rows: 5, seats: 28 })
  return bent(plan, balcony, -40)
}

/** A floor to stand on, and a stand of seats on three sides of it, each with its first row at the floor. */
function arena(house: House): PlanType[] {
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
  return side(side(plan, left, 90, leftEnd - FLOOR_GAP), right, -90, rightEnd + FLOOR_GAP)
}

/** Two blocks of benches with an aisle between. */
function church(house: House): PlanType[] {
  const { nave, left, right } = house.words
  const plan = block([category(house, nave)], nave, { rows: 18, seats: 7 })
  const one = rowsIn(plan, nave)
  const { plan: both, copies } = copyRows(plan, one)
  return nameSection(nameSection(both, copies, right), one, left)
}

/** Straight rows with two aisles. */
function cinema(house: House): PlanType[] {
  const { seated } = house.words
  const plan = block([category(house, seated)], seated, { rows: 10, seats: 18 })
  return plan.map((type) => ({ ...type, rows: type.rows.map((row) => ({ ...row, aisles: [4, 14], x: row.x - 20 })) }))
}

function category({ currency }: House, name: string): PlanType {
  return { key: name, id: null, name, price: 0, currency, isNumbered: true, isHidden: false, quantity: 0, rows: [] }
}

function heap(house: House, name: string, quantity: number): PlanType {
  return { ...category(house, name), isNumbered: false, quantity }
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
