import { EVENT_LIMITS, type Outline, type PlanShape } from '@seatwise/domain'
import { cornersIn, turnCorners } from './outline.ts'
import type { WireRow, WireType } from './plan.ts'

/**
 * Reads a seating plan of pretix: every seat keeps its number and its spot, every area its place, form and text. pretix
 * writes positions relative to the row, rows and areas relative to the zone. Throws with the place of the first thing that
 * cannot be read.
 */
export function readPretixPlan(plan: Record<string, unknown>): { types: WireType[]; shapes: PlanShape[] } {
  const zones = list(plan.zones, 'zones')
  const seats = zones.flatMap((zone, index) => seatsOfZone(zone, `zones[${index}]`))
  if (seats.length === 0) throw new Error('zones: no seat')
  const isDivided = new Set(seats.map(({ zone }) => zone)).size > 1
  const categories = Map.groupBy(seats, ({ category }) => category)
  const types = [...categories].map(([name, own]) => ({
    name,
    reservedSeating: true,
    rows: [...Map.groupBy(own, ({ zone, row }) => JSON.stringify([zone, row])).values()].map((row) =>
      toRow(row, isDivided),
    ),
  }))
  return { types, shapes: zones.flatMap((zone, index) => areasOfZone(zone, `zones[${index}]`)) }
}

function areasOfZone(value: unknown, at: string): PlanShape[] {
  const zone = object(value, at)
  const origin = position(zone, at)
  return list(zone.areas ?? [], `${at}.areas`).map((one, index) => {
    const here = `${at}.areas[${index}]`
    const area = object(one, here)
    const spot = position(area, here)
    const place = { x: origin.x + spot.x, y: origin.y + spot.y }
    const turned = turnCorners(cornersOf(area, place, here), place, amount(area.rotation ?? 0, `${here}.rotation`))
    const label = textOf(area.text).trim().slice(0, EVENT_LIMITS.shapeLabelLength)
    const outline: Outline = turned.map(({ x, y }) => [x, y])
    return { kind: isStage(label) ? 'stage' : 'other', ...(label === '' ? {} : { label }), outline }
  })
}

/** Words alone have no extent: they get a box that they fit in. */
const LETTER = { width: 8, height: 16 }

/** pretix keeps the place of a circle by its middle, of all else by its corner; older plans know only boxes. */
function cornersOf(area: Record<string, unknown>, { x, y }: { x: number; y: number }, at: string) {
  const around = (radiusX: number, radiusY: number) =>
    cornersIn({ x: x - radiusX, y: y - radiusY, width: 2 * radiusX, height: 2 * radiusY }, 'ellipse')
  const size = (of: unknown, field: string) => {
    const { width, height } = object(of, `${at}${field}`)
    return { width: amount(width, `${at}${field}.width`), height: amount(height, `${at}${field}.height`) }
  }
  switch (area.shape) {
    case 'circle': {
      const radius = amount(object(area.circle, `${at}.circle`).radius, `${at}.circle.radius`)
      return around(radius, radius)
    }
    case 'ellipse': {
      const radius = object(object(area.ellipse, `${at}.ellipse`).radius, `${at}.ellipse.radius`)
      return around(amount(radius.x, `${at}.ellipse.radius.x`), amount(radius.y, `${at}.ellipse.radius.y`))
    }
    case 'polygon': {
      const points = list(object(area.polygon, `${at}.polygon`).points, `${at}.polygon.points`)
      if (points.length < 3 || points.length > EVENT_LIMITS.corners) throw new Error(`${at}.polygon.points`)
      return points.map((point, index) => {
        const corner = object(point, `${at}.polygon.points[${index}]`)
        const here = `${at}.polygon.points[${index}]`
        return { x: x + amount(corner.x, here), y: y + amount(corner.y, here) }
      })
    }
    case 'text': {
      const width = textOf(area.text).length * LETTER.width
      return cornersIn({ x: x - width / 2, y: y - LETTER.height / 2, width, height: LETTER.height }, 'rectangle')
    }
    default:
      return cornersIn(
        { x, y, ...('rectangle' in area ? size(area.rectangle, '.rectangle') : size(area, '')) },
        'rectangle',
      )
  }
}

/** A string in older plans, an object with its colour in newer ones. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return isObject(value) && typeof value.text === 'string' ? value.text : ''
}

const isStage = (label: string): boolean => /stage|bühne|scène|scena|escenario|podium|무대|sân khấu/i.test(label)

function amount(value: unknown, at: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(at)
  return value
}

interface PretixSeat {
  readonly zone: string
  readonly row: string
  readonly category: string
  readonly number: number
  readonly x: number
  readonly y: number
}

function seatsOfZone(value: unknown, at: string): PretixSeat[] {
  const zone = object(value, at)
  const origin = position(zone, at)
  return list(zone.rows, `${at}.rows`).flatMap((one, index) => {
    const place = `${at}.rows[${index}]`
    const row = object(one, place)
    const start = position(row, place)
    return list(row.seats, `${place}.seats`).map((each, seatIndex) => {
      const here = `${place}.seats[${seatIndex}]`
      const seat = object(each, here)
      const spot = position(seat, here)
      return {
        zone: text(zone.name, `${at}.name`).trim().slice(0, EVENT_LIMITS.sectionLength),
        row: text(row.row_number, `${place}.row_number`),
        category: text(seat.category, `${here}.category`),
        number: seatNumber(seat.seat_number, `${here}.seat_number`),
        x: origin.x + start.x + spot.x,
        y: origin.y + start.y + spot.y,
      }
    })
  })
}

function toRow(seats: readonly PretixSeat[], isDivided: boolean): WireRow {
  const { zone = '', row = '' } = seats[0] ?? {}
  const numbers = seats.map(({ number }) => number)
  const repeated = numbers.find((number, index) => numbers.indexOf(number) !== index)
  if (repeated !== undefined) throw new Error(`${zone} ${row}: two seats ${repeated}`)
  const section = isDivided && zone !== '' ? { section: zone } : {}
  return {
    ...section,
    label: 'section' in section ? `${zone} ${row}` : row,
    seats: seats.length,
    numbers,
    aisles: aislesIn(seats),
    spots: seats.map(({ x, y }): [number, number] => [x, y]),
  }
}

/** More than half a seat further than usual to the next one: a gap that people do not sit across. */
function aislesIn(seats: readonly PretixSeat[]): number[] {
  const gaps = seats.slice(1).map((seat, index) => {
    const before = seats[index] ?? seat
    return { after: before.number, length: Math.hypot(seat.x - before.x, seat.y - before.y) }
  })
  const lengths = gaps.map(({ length }) => length).sort((a, b) => a - b)
  const usual = lengths[Math.floor((lengths.length - 1) / 2)] ?? 0
  return gaps.filter(({ length }) => length > usual * 1.5).map(({ after }) => after)
}

function object(value: unknown, at: string): Record<string, unknown> {
  if (!isObject(value)) throw new Error(at)
  return value
}

function list(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) throw new Error(at)
  return value
}

function text(value: unknown, at: string): string {
  if (typeof value !== 'string' || value === '') throw new Error(at)
  return value
}

function position(of: Record<string, unknown>, at: string): { x: number; y: number } {
  const { x, y } = object(of.position, `${at}.position`)
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x + y)) throw new Error(`${at}.position`)
  return { x, y }
}

/** pretix allows any text; tickets here have numbers, so "12a" is refused rather than taken for another seat. */
function seatNumber(value: unknown, at: string): number {
  const number = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 1) throw new Error(`${at}: ${String(value)}`)
  return number
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
