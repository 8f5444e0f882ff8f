import type { Camera, Size } from './camera.ts'
import { spotOf } from './painter.ts'
import type { Palette } from './palette.ts'
import type { SeatGrid } from './seat-grid.ts'
import type { Seat } from './seat-model.ts'

/** Words on the map, where they stand. */
export interface MapLabel {
  readonly text: string
  readonly x: number
  readonly y: number
}

export interface MapLabels {
  readonly rows: readonly MapLabel[]
  readonly sections: readonly MapLabel[]
}

/** How far a row's letter stands from the seat at its end, and a section's name above its first row. */
const BESIDE = 0.95
const ABOVE = 1.15
/** Nearer than this to a seat, words would lie on it. */
const CLEAR = 0.6

/**
 * The letters of rows, at both ends unless a seat is there, and the names of sections. A row is called by its label without
 * the section that it begins with.
 */
export function labelsOf(
  seats: readonly Seat[],
  sectionsOf: Readonly<Record<string, readonly string[]>>,
  grid: SeatGrid,
): MapLabels {
  const rows: MapLabel[] = []
  const sections = new Map<string, { left: number; right: number; top: number }>()
  for (const row of Map.groupBy(seats, ({ type, row }) => `${type.place} ${row}`).values()) {
    const inOrder = row.toSorted((one, other) => one.along - other.along)
    const [first, last] = [inOrder[0], inOrder.at(-1)]
    if (first === undefined || last === undefined) continue
    const { section, row: text } = splitRow(first.row, sectionsOf[first.type.id])
    for (const spot of [beside(first, inOrder[1], -1), beside(last, inOrder.at(-2), 1)]) {
      if (grid.at(spot.x, spot.y, CLEAR) === null) rows.push({ text, ...spot })
    }
    if (section !== null) stretch(sections, section, inOrder)
  }
  const middles = [...sections].map(([text, { left, right, top }]) => ({ text, x: (left + right) / 2, y: top - ABOVE }))
  return { rows, sections: middles }
}

/** The label of a row begins with its section, if it has one. */
export function splitRow(label: string, sections: readonly string[] = []): { section: string | null; row: string } {
  const section = sections.find((name) => label.startsWith(`${name} `)) ?? null
  return { section, row: section === null ? label : label.slice(section.length + 1) }
}

/** Beyond a seat, away from the next one of its row; a seat alone has its letter on the left and on the right. */
function beside(seat: Seat, next: Seat | undefined, side: -1 | 1): { x: number; y: number } {
  const away = next === undefined ? { x: side, y: 0 } : { x: seat.x - next.x, y: seat.y - next.y }
  const length = Math.hypot(away.x, away.y) || 1
  return { x: seat.x + (away.x / length) * BESIDE, y: seat.y + (away.y / length) * BESIDE }
}

type Extents = Map<string, { left: number; right: number; top: number }>

function stretch(extents: Extents, name: string, seats: readonly Seat[]): void {
  const known = extents.get(name) ?? { left: Infinity, right: -Infinity, top: Infinity }
  for (const { x, y } of seats) {
    known.left = Math.min(known.left, x)
    known.right = Math.max(known.right, x)
    known.top = Math.min(known.top, y)
  }
  extents.set(name, known)
}

/** From this size of a seat on, letters of rows have room. Smaller words cannot be read (WCAG has no size; 12 px is ours). */
const ROWS_FROM_PX = 12
const TEXT_PX_MIN = 12
const TEXT_PX_MAX = 17

/** Words have a rim in the colour of the sheet, so that they can be read over lines. */
export function paintLabels(
  context: CanvasRenderingContext2D,
  { rows, sections }: MapLabels,
  { camera, palette, size }: { readonly camera: Camera; readonly palette: Palette; readonly size: Size },
): void {
  const px = Math.round(Math.min(TEXT_PX_MAX, Math.max(TEXT_PX_MIN, camera.scale * 0.42)))
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 4
  context.strokeStyle = palette.paper
  context.fillStyle = palette.ink
  const write = ({ text, x, y }: MapLabel): void => {
    const spot = spotOf({ x, y }, camera)
    if (spot.x < -100 || spot.y < -20 || spot.x > size.width + 100 || spot.y > size.height + 20) return
    context.strokeText(text, spot.x, spot.y)
    context.fillText(text, spot.x, spot.y)
  }
  context.font = `600 ${px}px ${palette.letters}`
  if (camera.scale >= ROWS_FROM_PX) for (const label of rows) write(label)
  context.font = `600 ${Math.max(14, px)}px ${palette.letters}`
  for (const label of sections) write(label)
}
