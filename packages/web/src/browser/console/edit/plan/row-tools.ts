import { alongOf, type SeatSpot } from '@seatwise/domain'
import { turnAround } from './outline.ts'
import {
  type Chosen,
  fitted,
  geometryOf,
  nextLabel,
  PITCH,
  type PlanRow,
  type PlanType,
  plainLabel,
  seatNumbers,
  spotsIn,
} from './plan.ts'

/** What can be done with several rows at once. Every function returns a new plan. */

const isIn = (chosen: readonly Chosen[], { key }: PlanType, { label }: PlanRow): boolean =>
  chosen.some((one) => one.key === key && one.label === label)

/** The chosen rows alone, as a plan. */
export function rowsOf(plan: readonly PlanType[], chosen: readonly Chosen[]): PlanType[] {
  return plan.map((type) => ({ ...type, rows: type.rows.filter((row) => isIn(chosen, type, row)) }))
}

function withRows(plan: readonly PlanType[], chosen: readonly Chosen[], change: (row: PlanRow) => PlanRow): PlanType[] {
  return plan.map((type) => ({
    ...type,
    rows: type.rows.map((row) => (isIn(chosen, type, row) ? fitted(change(row)) : row)),
  }))
}

export function removeRows(plan: readonly PlanType[], chosen: readonly Chosen[]): PlanType[] {
  return plan.map((type) => ({ ...type, rows: type.rows.filter((row) => !isIn(chosen, type, row)) }))
}

export function moveRows(plan: readonly PlanType[], chosen: readonly Chosen[], by: SeatSpot): PlanType[] {
  const moved = ({ x, y }: SeatSpot): SeatSpot => ({ x: x + by.x, y: y + by.y })
  return withRows(plan, chosen, (row) => ({ ...row, ...moved(row), spots: row.spots?.map(moved) ?? null }))
}

/** Turns the rows together, clockwise. */
export function turnRows(
  plan: readonly PlanType[],
  chosen: readonly Chosen[],
  degrees: number,
  middle: SeatSpot = middleOf(boundsOf(rowsOf(plan, chosen))),
): PlanType[] {
  const turned = (spot: SeatSpot): SeatSpot => turnAround(spot, middle, degrees)
  return withRows(plan, chosen, (row) => ({
    ...row,
    ...turned(row),
    angle: wholeTurn(row.angle + degrees),
    spots: row.spots?.map(turned) ?? null,
  }))
}

/** Left becomes right: seat 1 of a block is then at its other end, as on the other side of an aisle. */
export function mirrorRows(
  plan: readonly PlanType[],
  chosen: readonly Chosen[],
  middle: SeatSpot = middleOf(boundsOf(rowsOf(plan, chosen))),
): PlanType[] {
  const mirrored = ({ x, y }: SeatSpot): SeatSpot => ({ x: 2 * middle.x - x, y })
  return withRows(plan, chosen, (row) => ({
    ...row,
    ...mirrored(row),
    angle: wholeTurn(180 - row.angle),
    curve: -row.curve,
    spots: row.spots?.map(mirrored) ?? null,
  }))
}

/** Copies the rows, as a section of their own, because two rows of a category cannot have one name. */
export function copyRows(
  plan: readonly PlanType[],
  chosen: readonly Chosen[],
  by: SeatSpot = besides(boundsOf(rowsOf(plan, chosen))),
): { plan: PlanType[]; copies: Chosen[] } {
  const copies: Chosen[] = []
  const copied = plan.map((type) => {
    const own = type.rows.filter((row) => isIn(chosen, type, row))
    const taken = new Set(type.rows.map(({ label }) => label))
    const sections = new Map<string, string>()
    const rows = own.map((row) => {
      const section = sections.get(row.section) ?? freeSection(own, row.section, taken)
      sections.set(row.section, section)
      const copy = inSection(row, section)
      copies.push({ key: type.key, label: copy.label })
      return copy
    })
    return { ...type, rows: [...type.rows, ...rows] }
  })
  return { plan: moveRows(copied, copies, by), copies }
}

function freeSection(rows: readonly PlanRow[], from: string, taken: ReadonlySet<string>): string {
  const own = rows.filter(({ section }) => section === from)
  let section = from === '' ? '2' : /\d$/.test(from) ? nextLabel(from) : `${from} 2`
  while (own.some((row) => taken.has(inSection(row, section).label))) section = nextLabel(section)
  return section
}

export function nameSection(plan: readonly PlanType[], chosen: readonly Chosen[], section: string): PlanType[] {
  return withRows(plan, chosen, (row) => inSection(row, section.trim()))
}

function inSection(row: PlanRow, section: string): PlanRow {
  const plain = plainLabel(row)
  return { ...row, section, label: section === '' ? plain : `${section} ${plain}` }
}

export interface Numbering {
  readonly from: number
  /** 1, or 2 for odd and even sides. */
  readonly step: number
  /** The lowest number is at the last seat of the row. */
  readonly isReversed: boolean
  /** Numbers that are left out, such as 13. */
  readonly skipped: readonly number[]
}

/** Numbers the seats of each row anew. What was said of a seat is said of it under its new number. */
export function numberRows(plan: readonly PlanType[], chosen: readonly Chosen[], numbering: Numbering): PlanType[] {
  return withRows(plan, chosen, (row) => {
    const before = seatNumbers(row)
    const numbers = numbersBy(row.seats, numbering)
    const renamed = (list: readonly number[]): number[] =>
      list.flatMap((number) => numbers[before.indexOf(number)] ?? []).sort((a, b) => a - b)
    const named = { blocked: renamed(row.blocked), accessible: renamed(row.accessible), aisles: renamed(row.aisles) }
    return { ...row, ...named, numbers }
  })
}

function numbersBy(seats: number, { from, step, isReversed, skipped }: Numbering): number[] {
  const numbers: number[] = []
  for (let number = from; numbers.length < seats; number += step) {
    if (!skipped.includes(number)) numbers.push(number)
  }
  return isReversed ? numbers.reverse() : numbers
}

/**
 * Bends the rows around one centre, so that the distance between them stays what it is; the first row turns by so many
 * degrees. Below 0 the centre is above them, where the stage is.
 */
export function bendRows(plan: readonly PlanType[], chosen: readonly Chosen[], degrees: number): PlanType[] {
  const rows = rowsOf(plan, chosen).flatMap((type) => type.rows)
  const straight = rows.filter(({ spots }) => spots === null).map(middleSeat)
  const first = straight.reduce<Middle | null>((top, one) => (top === null || one.depth < top.depth ? one : top), null)
  if (first === null) return [...plan]
  const side = Math.sign(degrees)
  const radius = degrees === 0 ? 0 : first.length / ((Math.abs(degrees) * Math.PI) / 180)
  return withRows(plan, chosen, (row) => {
    if (row.spots !== null) return row
    const middle = middleSeat(row)
    const around = radius - side * (middle.depth - first.depth)
    // A row behind the centre cannot bend around it.
    const turn = degrees === 0 || around <= 0 ? 0 : (side * middle.length) / around
    return beginAt(row, middle, turn)
  })
}

interface Middle extends SeatSpot {
  /** How far below the origin, as seen along the row. */
  readonly depth: number
  readonly length: number
}

/** The middle of a row, whatever it is bent by. */
function middleSeat(row: PlanRow): Middle {
  const length = ((alongOf(geometryOf(row)).at(-1) ?? 1) - 1) * row.seatPitch
  const { chord, sagitta } = arcOf(length, (row.curve * Math.PI) / 180)
  const at = turnAround({ x: row.x + chord / 2, y: row.y - sagitta }, row, row.angle)
  const angle = (row.angle * Math.PI) / 180
  return { ...at, depth: at.y * Math.cos(angle) - at.x * Math.sin(angle), length }
}

/** The row whose middle is there and which turns by so much, in radians. */
function beginAt(row: PlanRow, middle: Middle, turn: number): PlanRow {
  const { chord, sagitta } = arcOf(middle.length, turn)
  const start = turnAround({ x: middle.x - chord / 2, y: middle.y + sagitta }, middle, row.angle)
  return { ...row, ...start, curve: (turn * 180) / Math.PI }
}

/** From end to end, and how far the ends of an arc lie beside its middle. */
function arcOf(length: number, turn: number): { chord: number; sagitta: number } {
  if (turn === 0) return { chord: length, sagitta: 0 }
  return { chord: (2 * Math.sin(turn / 2) * length) / turn, sagitta: ((1 - Math.cos(turn / 2)) * length) / turn }
}

/** As far to the right as what is copied does not lie on its copy. */
export const besides = ({ left, right }: Bounds): SeatSpot => ({ x: right - left + 3 * PITCH, y: 0 })

export interface Bounds {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Of all seats, and of other points; infinite where there are none. */
export function boundsOf(plan: readonly PlanType[], more: readonly SeatSpot[] = []): Bounds {
  const bounds = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity }
  for (const { x, y } of [...spotsIn(plan), ...more]) {
    bounds.left = Math.min(bounds.left, x)
    bounds.right = Math.max(bounds.right, x)
    bounds.top = Math.min(bounds.top, y)
    bounds.bottom = Math.max(bounds.bottom, y)
  }
  return bounds
}

export function middleOf({ left, right, top, bottom }: Bounds): SeatSpot {
  return Number.isFinite(left) ? { x: (left + right) / 2, y: (top + bottom) / 2 } : { x: 0, y: 0 }
}

/** Between −180 and 180. */
const wholeTurn = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180
