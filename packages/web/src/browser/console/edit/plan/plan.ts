import {
  numbersOf,
  type Outline,
  type SeatSpot,
  type ShapeKind,
  spotsOf,
  type PlanShape as WireShape,
} from '@seatwise/domain'
import type { Corners } from './outline.ts'

/** A seat plan as it is edited. Pure: the page only shows it and passes clicks on. */
export interface PlanRow {
  readonly label: string
  /** The part of the house, with which the label begins; empty where there is none. */
  readonly section: string
  readonly seats: number
  /** Null where seats are numbered 1, 2, 3. */
  readonly numbers: readonly number[] | null
  readonly aisles: readonly number[]
  readonly blocked: readonly number[]
  readonly accessible: readonly number[]
  readonly x: number
  readonly y: number
  readonly seatPitch: number
  readonly angle: number
  readonly curve: number
  /** Where each seat is, in a row that is no line and no arc; then the five fields above mean nothing. */
  readonly spots: readonly SeatSpot[] | null
}

export interface PlanType {
  /** Only for the page: a new category has no id yet. */
  readonly key: string
  readonly id: string | null
  readonly name: string
  /** In minor units. */
  readonly price: number
  readonly currency: string
  readonly isNumbered: boolean
  /** Sold only with an access code. */
  readonly isHidden: boolean
  /** Where seats have no number. */
  readonly quantity: number
  readonly rows: readonly PlanRow[]
  /** Where visitors stand, on the map; only where seats have no number. */
  readonly area: Corners | null
}

/** A part of the plan without seats, as it is edited. */
export interface PlanShape {
  /** Only for the page: a shape has no id. */
  readonly key: string
  readonly kind: ShapeKind
  readonly label: string
  readonly outline: Corners
}

/** Which row of the plan: a label is unique in its category. */
export interface Chosen {
  readonly key: string
  readonly label: string
}

/** From one seat to the next, and from one row to the next, on the map. */
export const PITCH = 20
export const ROW_STEP = 24
const BLOCK_GAP = 48
const SEATS_PER_ROW_MAX = 5_000

export interface WireRow {
  label: string
  section?: string
  seats: number
  numbers?: number[]
  aisles?: number[]
  blocked?: number[]
  accessible?: number[]
  x?: number
  y?: number
  seatPitch?: number
  angle?: number
  curve?: number
  spots?: [number, number][]
}
export interface WireType {
  id?: string
  name: string
  price?: number
  currency?: string
  reservedSeating?: boolean
  totalQuantity?: number
  hidden?: boolean
  rows?: WireRow[] | null
  area?: Outline | null
}

/** The plan of an event, or one that was saved as a file; rows without a place on the map get one below the others. */
export function planFrom(types: readonly WireType[]): PlanType[] {
  let bottom = 0
  return types.map((type, index) => {
    const rows = (type.rows ?? []).map((row) => {
      const placed = placeRow(row, bottom)
      bottom = Math.max(bottom, ...seatSpots(placed).map(({ y }) => y)) + ROW_STEP
      return placed
    })
    return {
      key: type.id ?? `new ${index} ${type.name}`,
      id: type.id ?? null,
      name: type.name,
      price: type.price ?? 0,
      currency: type.currency ?? 'EUR',
      isNumbered: type.rows !== null && type.rows !== undefined && type.rows.length > 0,
      isHidden: type.hidden ?? false,
      quantity: type.totalQuantity ?? 0,
      rows,
      area: type.area == null ? null : cornersFrom(type.area),
    }
  })
}

const cornersFrom = (outline: Outline): Corners => outline.map(([x, y]) => ({ x, y }))

/** The shapes of an event, or of a plan that was saved as a file. */
export function shapesFrom(shapes: readonly WireShape[]): PlanShape[] {
  return shapes.map(({ kind, label = '', outline }, index) => ({
    ...{ key: `${index} ${kind}`, kind, label },
    outline: cornersFrom(outline),
  }))
}

function placeRow(row: WireRow, y: number): PlanRow {
  const seatPitch = row.seatPitch ?? PITCH
  return {
    label: row.label,
    section: row.section ?? '',
    seats: row.seats,
    numbers: row.numbers ?? null,
    aisles: row.aisles ?? [],
    blocked: row.blocked ?? [],
    accessible: row.accessible ?? [],
    x: row.x ?? -((row.seats - 1) * seatPitch) / 2,
    y: row.y ?? y,
    seatPitch,
    angle: row.angle ?? 0,
    curve: row.curve ?? 0,
    spots: row.spots?.map(([left, top]) => ({ x: left, y: top })) ?? null,
  }
}

/** A straight row that begins there, numbered from 1. */
function straightRow(label: string, seats: number, at: SeatSpot): PlanRow {
  return placeRow({ label, seats, ...at }, 0)
}

/** The row as the API knows it, so that its seats stand where the server puts them. */
export function geometryOf({ numbers, aisles, spots, seats, x, y, seatPitch, angle, curve }: PlanRow): WireRow {
  const where =
    spots === null
      ? { x, y, seatPitch, angle, curve }
      : { spots: spots.map((spot): [number, number] => [spot.x, spot.y]) }
  return { label: '', seats, aisles: [...aisles], ...(numbers === null ? {} : { numbers: [...numbers] }), ...where }
}

/** Where the seats of a row are on the map. */
export function seatSpots(row: PlanRow): readonly SeatSpot[] {
  return spotsOf(geometryOf(row)) ?? []
}

/** The label without its section. */
export function plainLabel({ label, section }: Pick<PlanRow, 'label' | 'section'>): string {
  return section === '' ? label : label.slice(section.length + 1)
}

export function seatNumbers({ seats, numbers }: PlanRow): readonly number[] {
  return numbersOf({ seats, ...(numbers === null ? {} : { numbers: [...numbers] }) })
}

/** Adds rows to a category: where they were drawn, or below everything that is there, in the middle. */
export function addBlock(
  plan: readonly PlanType[],
  key: string,
  block: { rows: number; seats: number; first: string; at?: SeatSpot },
): PlanType[] {
  const bottom = Math.max(Number.NEGATIVE_INFINITY, ...spotsIn(plan).map(({ y }) => y))
  const below = { x: -((block.seats - 1) * PITCH) / 2, y: Number.isFinite(bottom) ? bottom + BLOCK_GAP : 0 }
  const { x, y } = block.at ?? below
  const rows: PlanRow[] = []
  let label = block.first
  for (let index = 0; index < block.rows; index += 1) {
    rows.push(straightRow(label, block.seats, { x, y: y + index * ROW_STEP }))
    label = nextLabel(label)
  }
  return plan.map((type) => (type.key === key ? { ...type, rows: [...type.rows, ...rows] } : type))
}

export function spotsIn(plan: readonly PlanType[]): SeatSpot[] {
  return plan.flatMap(({ rows }) => rows.flatMap((row) => [...seatSpots(row)]))
}

/** A → B, Z → AA, 9 → 10, Box 9 → Box 10. */
export function nextLabel(label: string): string {
  const number = /^(.*?)(\d+)$/.exec(label)
  if (number !== null) return `${number[1]}${Number(number[2]) + 1}`
  const letters = /^(.*?)([A-Z]+)$/.exec(label)
  if (letters === null) return `${label}2`
  const [, before = '', word = ''] = letters
  let carry = true
  const next = [...word].reverse().map((letter) => {
    if (!carry) return letter
    carry = letter === 'Z'
    return carry ? 'A' : String.fromCharCode(letter.charCodeAt(0) + 1)
  })
  return `${before}${carry ? 'A' : ''}${next.reverse().join('')}`
}

/** Changes one row; a change to no seats takes it away. */
export function changeRow(plan: readonly PlanType[], key: string, label: string, change: Partial<PlanRow>): PlanType[] {
  return plan.map((type) =>
    type.key === key
      ? {
          ...type,
          rows: type.rows
            .map((row) => (row.label === label ? fitted({ ...row, ...change }) : row))
            .filter(({ seats }) => seats > 0),
        }
      : type,
  )
}

/** Numbers beyond the last seat mean nothing; a longer row counts on. */
export function fitted(row: PlanRow): PlanRow {
  const numbers = row.numbers === null ? null : countedOn(row.numbers, row.seats)
  const spots = row.spots !== null && row.spots.length >= row.seats ? row.spots.slice(0, row.seats) : null
  const known = new Set(seatNumbers({ ...row, numbers }))
  const kept = (list: readonly number[]): number[] => list.filter((number) => known.has(number))
  const named = { blocked: kept(row.blocked), accessible: kept(row.accessible), aisles: kept(row.aisles) }
  return { ...row, ...named, numbers, spots }
}

function countedOn(numbers: readonly number[], seats: number): readonly number[] {
  if (numbers.length >= seats) return numbers.slice(0, seats)
  const highest = Math.max(0, ...numbers)
  return [...numbers, ...Array.from({ length: seats - numbers.length }, (_, index) => highest + index + 1)]
}

export function toggled(numbers: readonly number[], number: number): number[] {
  return numbers.includes(number) ? numbers.filter((one) => one !== number) : [...numbers, number].sort((a, b) => a - b)
}

/** "1, 4-6" → 1, 4, 5, 6; what is no number is left out. */
export function parseNumbers(text: string): number[] {
  const found = text.split(',').flatMap((part) => {
    const [, from = '', to = from] = /^\s*(\d{1,5})\s*(?:[-–]\s*(\d{1,5})\s*)?$/.exec(part) ?? []
    if (from === '') return []
    const [first, last] = [Number(from), Math.min(Number(to), Number(from) + SEATS_PER_ROW_MAX - 1)]
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  })
  return [...new Set(found)].filter((number) => number >= 1).sort((a, b) => a - b)
}

export function writeNumbers(numbers: readonly number[]): string {
  const spans: [number, number][] = []
  for (const number of numbers) {
    const last = spans.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else spans.push([number, number])
  }
  return spans.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ')
}

export function seatsIn(plan: readonly PlanType[]): number {
  return plan.reduce(
    (sum, { isNumbered, quantity, rows }) =>
      sum + (isNumbered ? rows.reduce((seats, row) => seats + row.seats, 0) : quantity),
    0,
  )
}

/** A row name that one category has twice; null when there is none. */
export function repeatedRow(plan: readonly PlanType[]): string | null {
  for (const { rows } of plan) {
    const labels = rows.map(({ label }) => label)
    const repeated = labels.find((label, index) => labels.indexOf(label) !== index)
    if (repeated !== undefined) return repeated
  }
  return null
}
