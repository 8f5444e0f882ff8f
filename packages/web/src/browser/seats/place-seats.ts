import { type Bounds, boundsOf } from './camera.ts'
import type { MapShape, PlannedShape } from './map-shapes.ts'
import type { Seat, SeatTypeInfo } from './seat-model.ts'

/** A map is at most this many seats wide: beyond, numbers lose the digits that tell two seats apart. */
const SPREAD_MAX = 1_000_000
/** Seats that are asked for their neighbour, out of all of them. */
const SAMPLES = 64

/** A plan without a seat that says where it is: its shapes together are so many seats wide or high. */
const SHAPES_ALONE = 30

/**
 * Puts seats and shapes on the map. Rows that say where they are, are there; others stand below everything, one after the
 * other, each centred. A plan may have any unit and lie anywhere: on the map the distance from a seat to the next is 1, and
 * the seats begin at the top and have their middle at 0.
 */
export function placePlan(
  seats: readonly Seat[],
  shapes: readonly PlannedShape[],
): { seats: Seat[]; shapes: MapShape[] } {
  const placed = seats.filter(({ x }) => !Number.isNaN(x))
  const corners = shapes.flatMap(({ outline }) => outline.map(([x, y]) => ({ x, y })))
  const origin = boundsOf(placed.length > 0 ? placed : corners)
  const unit = unitOf(placed, boundsOf([...placed, ...corners]))
  const middle = (origin.left + origin.right) / 2
  const onMap = ({ x, y }: { x: number; y: number }) => ({ x: (x - middle) / unit, y: (y - origin.top) / unit })
  const spots = new Map<Seat, { x: number; y: number }>()
  for (const seat of placed) spots.set(seat, onMap(seat))
  const drawn = [...spots.values(), ...corners.map(onMap)]
  const top = drawn.length === 0 ? 0 : boundsOf(drawn).bottom + 2
  placeRows(
    seats.filter(({ x }) => Number.isNaN(x)),
    top,
    spots,
  )
  return {
    seats: seats.map((seat) => ({ ...seat, ...spots.get(seat) })),
    shapes: shapes.map((shape) => ({ ...shape, outline: shape.outline.map(([x, y]) => onMap({ x, y })) })),
  }
}

function placeRows(seats: readonly Seat[], top: number, spots: Map<Seat, { x: number; y: number }>): void {
  const rows = Map.groupBy(seats, ({ type, row }) => `${type.place} ${row}`)
  let y = top
  let before: SeatTypeInfo | null = null
  for (const row of rows.values()) {
    const inOrder = row.toSorted((one, other) => one.along - other.along)
    if (before !== null && before !== inOrder[0]?.type) y += 1
    before = inOrder[0]?.type ?? null
    const middle = ((inOrder[0]?.along ?? 0) + (inOrder.at(-1)?.along ?? 0)) / 2
    for (const seat of inOrder) spots.set(seat, { x: seat.along - middle, y })
    y += 1
  }
}

/** How far it usually is from a seat to the nearest other one; a sample tells, however many seats there are. */
function unitOf(seats: readonly Seat[], { left, top, right, bottom }: Bounds): number {
  const step = Math.max(1, Math.floor(seats.length / SAMPLES))
  const distances: number[] = []
  for (let index = 0; index < seats.length && distances.length < SAMPLES; index += step) {
    const nearest = nearestTo(seats[index], seats)
    if (Number.isFinite(nearest)) distances.push(nearest)
  }
  distances.sort((one, other) => one - other)
  const spread = Math.max(right - left, bottom - top)
  const usual = distances[Math.floor(distances.length / 2)] ?? (seats.length > 0 ? 1 : spread / SHAPES_ALONE)
  return Math.max(usual, spread / SPREAD_MAX) || 1
}

/** Seats in the same spot do not count: they tell nothing about the size of one. */
function nearestTo(from: Seat | undefined, seats: readonly Seat[]): number {
  let nearest = Infinity
  if (from === undefined) return nearest
  for (const { x, y } of seats) {
    const distance = Math.hypot(x - from.x, y - from.y)
    if (distance > 0 && distance < nearest) nearest = distance
  }
  return nearest
}
