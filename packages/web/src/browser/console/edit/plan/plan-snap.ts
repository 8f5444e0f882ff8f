import type { SeatSpot } from '@seatwise/domain'
import { seatSpots } from './plan.ts'
import type { Bounds } from './row-tools.ts'
import { type Picked, piecesOf, type Sketch } from './sketch.ts'

/** What is moved snaps to this, so that it lines up. */
export const SNAP = 4

/** Lines of the plan on which other things lie. */
export interface Lines {
  readonly x: readonly number[]
  readonly y: readonly number[]
}

/** The lines that something snapped to, to be shown. */
export interface Guides {
  readonly x: number | null
  readonly y: number | null
}

export const NO_GUIDES: Guides = { x: null, y: null }

/** Ends of rows, and the edges and middles of pieces, without what is being moved. */
export function linesOf(sketch: Sketch, moved: Picked): Lines {
  const x: number[] = []
  const y: number[] = []
  for (const { key, rows } of sketch.types) {
    for (const row of rows) {
      if (moved.rows.some((one) => one.key === key && one.label === row.label)) continue
      const spots = seatSpots(row)
      for (const spot of [spots[0], spots.at(-1)]) {
        if (spot === undefined) continue
        x.push(spot.x)
        y.push(spot.y)
      }
    }
  }
  for (const { name, outline } of piecesOf(sketch)) {
    if (moved.pieces.includes(name)) continue
    const [across, down] = [outline.map((corner) => corner.x), outline.map((corner) => corner.y)]
    x.push(...threeOf(Math.min(...across), Math.max(...across)))
    y.push(...threeOf(Math.min(...down), Math.max(...down)))
  }
  return { x, y }
}

/**
 * How far something really moves: until one of its edges or its middle lies on a line that is near, else in steps of the
 * grid.
 */
export function snapMove(by: SeatSpot, from: Bounds, lines: Lines, near: number): { by: SeatSpot; guides: Guides } {
  const across = snapAlong(by.x, threeOf(from.left, from.right), lines.x, near)
  const down = snapAlong(by.y, threeOf(from.top, from.bottom), lines.y, near)
  return { by: { x: across.by, y: down.by }, guides: { x: across.line, y: down.line } }
}

export const toGrid = (value: number): number => Math.round(value / SNAP) * SNAP

function snapAlong(
  by: number,
  edges: readonly number[],
  lines: readonly number[],
  near: number,
): { by: number; line: number | null } {
  let best: { by: number; line: number; distance: number } | null = null
  for (const edge of edges) {
    for (const line of lines) {
      const distance = Math.abs(edge + by - line)
      if (distance <= near && (best === null || distance < best.distance)) best = { by: line - edge, line, distance }
    }
  }
  return best ?? { by: toGrid(by), line: null }
}

const threeOf = (low: number, high: number): number[] => [low, (low + high) / 2, high]
