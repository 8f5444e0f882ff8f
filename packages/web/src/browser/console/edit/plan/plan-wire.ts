import { EVENT_LIMITS, type Outline, SHAPE_KINDS, type PlanShape as WireShape } from '@seatwise/domain'
import type { Corners } from './outline.ts'
import {
  geometryOf,
  type PlanRow,
  type PlanShape,
  type PlanType,
  planFrom,
  shapesFrom,
  type WireRow,
  type WireType,
} from './plan.ts'
import { readPretixPlan } from './pretix-plan.ts'
import type { Sketch } from './sketch.ts'

/** The plan as the API takes it. Rows and categories that were there before and are gone now are sent without seats. */
export function writePlan(plan: readonly PlanType[], before: readonly PlanType[]): WireType[] {
  const kept = plan.map((type) => {
    const former = before.find(({ id }) => id !== null && id === type.id)
    const gone = (former?.rows ?? []).filter(({ label }) => !type.rows.some((row) => row.label === label))
    return writeType(type, gone)
  })
  const removed = before.filter((type) => type.id !== null && !plan.some(({ id }) => id === type.id))
  return [...kept, ...removed.map((type) => writeType({ ...type, rows: [], quantity: 0 }, type.rows))]
}

function writeType(type: PlanType, gone: readonly PlanRow[]): WireType {
  const { id, name, price, currency, isNumbered, isHidden, quantity, rows } = type
  const hiding = isHidden || id !== null ? { hidden: isHidden } : {}
  const seats = isNumbered
    ? { rows: [...rows.map(writeRow), ...gone.map(({ label }) => ({ label, seats: 0 }))] }
    : { totalQuantity: quantity, area: type.area === null ? null : writeOutline(type.area) }
  // Whether seats have numbers cannot be changed later, so only a new category says it.
  return { ...(id === null ? { reservedSeating: isNumbered } : { id }), name, price, currency, ...hiding, ...seats }
}

function writeRow(row: PlanRow): WireRow {
  const section = row.section === '' ? {} : { section: row.section }
  const named = { blocked: [...row.blocked], accessible: [...row.accessible] }
  return { ...geometryOf(row), label: row.label, ...section, ...named }
}

export function writeShapes(shapes: readonly PlanShape[]): WireShape[] {
  return shapes.map(({ kind, label, outline }) => {
    const name = label.trim()
    return { kind, ...(name === '' ? {} : { label: name }), outline: writeOutline(outline) }
  })
}

const writeOutline = (corners: Corners): Outline => corners.map(({ x, y }) => [x, y])

/** What is saved as a file: the same as the API takes, without ids. */
export function exportPlan({ types, shapes }: Sketch): string {
  const seatTypes = types.map((type) => writeType({ ...type, id: null }, []))
  return JSON.stringify({ seatTypes, shapes: writeShapes(shapes) }, null, 2)
}

/** Reads such a file, or a seating plan of pretix. Throws with a reason when it is none: nothing of it is taken over in part. */
export function importPlan(text: string): Sketch {
  const value: unknown = JSON.parse(text)
  if (isObject(value) && 'zones' in value) {
    const { types, shapes } = readPretixPlan(value)
    return { types: planFrom(types), shapes: shapesFrom(shapes) }
  }
  const types = isObject(value) ? value.seatTypes : value
  if (!Array.isArray(types) || types.length === 0) throw new Error('seatTypes')
  types.forEach((type, index) => {
    const at = `seatTypes[${index}]`
    if (!isObject(type) || typeof type.name !== 'string') throw new Error(`${at}.name`)
    if (type.price !== undefined && !isCount(type.price)) throw new Error(`${at}.price`)
    if (type.area != null && !isOutline(type.area)) throw new Error(`${at}.area`)
    if (type.rows === undefined || type.rows === null) return
    if (!Array.isArray(type.rows)) throw new Error(`${at}.rows`)
    type.rows.forEach((row: unknown, place) => {
      if (!isRow(row)) throw new Error(`${at}.rows[${place}]`)
    })
  })
  const shapes = isObject(value) ? (value.shapes ?? []) : []
  if (!Array.isArray(shapes)) throw new Error('shapes')
  shapes.forEach((shape, index) => {
    if (!isShape(shape)) throw new Error(`shapes[${index}]`)
  })
  // Every field that is used was looked at above.
  return {
    types: planFrom((types as WireType[]).map(({ id: _, ...type }) => type)),
    shapes: shapesFrom(shapes as WireShape[]),
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0
const isNumbers = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.every(isCount))
const isNumberPlace = (value: unknown): boolean =>
  Number.isFinite(value) && Math.abs(Number(value)) <= EVENT_LIMITS.coordinate
const isPlace = (value: unknown): boolean => value === undefined || isNumberPlace(value)

function isRow(row: unknown): boolean {
  if (!isObject(row) || typeof row.label !== 'string' || !isCount(row.seats)) return false
  if (row.section !== undefined && typeof row.section !== 'string') return false
  const places = [row.x, row.y, row.seatPitch, row.angle, row.curve]
  return (
    [row.numbers, row.aisles, row.blocked, row.accessible].every(isNumbers) && places.every(isPlace) && areSpots(row)
  )
}

const isCorner = (value: unknown): boolean => Array.isArray(value) && value.length === 2 && value.every(isNumberPlace)

function isOutline(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 3 && value.length <= EVENT_LIMITS.corners && value.every(isCorner)
}

function isShape(shape: unknown): boolean {
  if (!isObject(shape) || !isOutline(shape.outline)) return false
  if (shape.label !== undefined && typeof shape.label !== 'string') return false
  return SHAPE_KINDS.some((kind) => kind === shape.kind)
}

function areSpots({ spots, seats }: Record<string, unknown>): boolean {
  if (spots === undefined) return true
  return (
    Array.isArray(spots) && spots.length === seats && spots.every((spot) => Array.isArray(spot) && spot.every(isPlace))
  )
}
