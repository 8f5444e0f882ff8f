import { EVENT_LIMITS } from '@seatwise/domain'
import type { WireRow, WireType } from './plan.ts'

/**
 * Reads a seating plan of pretix: every seat keeps its number and its spot. pretix writes positions relative to the row,
 * rows relative to the zone. Throws with the place of the first thing that cannot be read.
 */
export function readPretixPlan(plan: Record<string, unknown>): WireType[] {
  const zones = list(plan.zones, 'zones')
  const seats = zones.flatMap((zone, index) => seatsOfZone(zone, `zones[${index}]`))
  if (seats.length === 0) throw new Error('zones: no seat')
  const isDivided = new Set(seats.map(({ zone }) => zone)).size > 1
  const categories = Map.groupBy(seats, ({ category }) => category)
  return [...categories].map(([name, own]) => ({
    name,
    reservedSeating: true,
    rows: [...Map.groupBy(own, ({ zone, row }) => JSON.stringify([zone, row])).values()].map((row) =>
      toRow(row, isDivided),
    ),
  }))
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
