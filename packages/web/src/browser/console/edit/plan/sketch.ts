import type { SeatSpot, ShapeKind } from '@seatwise/domain'
import {
  type Corners,
  cornersIn,
  type Form,
  type Frame,
  frameOf,
  mirrorCorners,
  moveCorners,
  turnCorners,
} from './outline.ts'
import { type Chosen, type PlanShape, type PlanType, seatSpots } from './plan.ts'
import {
  type Bounds,
  besides,
  boundsOf,
  copyRows,
  middleOf,
  mirrorRows,
  moveRows,
  removeRows,
  rowsOf,
  turnRows,
} from './row-tools.ts'

/** All that is drawn: the categories with their rows and areas, and the shapes. */
export interface Sketch {
  readonly types: readonly PlanType[]
  readonly shapes: readonly PlanShape[]
}

/** What is chosen on the plan: rows, and pieces by their names. */
export interface Picked {
  readonly rows: readonly Chosen[]
  readonly pieces: readonly string[]
}

export const NOTHING: Picked = { rows: [], pieces: [] }

/** An outline on the plan: a shape, or the area on which visitors of a category stand. */
export interface Piece {
  readonly name: string
  readonly kind: ShapeKind | 'area'
  /** What is written on it. */
  readonly label: string
  readonly outline: Corners
  /** The place of its category, for its colour; null for a shape. */
  readonly look: number | null
}

const areaName = (key: string): string => `area ${key}`
const shapeName = (key: string): string => `shape ${key}`

/** From the back to the front: what lies under others comes first. */
export function piecesOf({ types, shapes }: Sketch): Piece[] {
  const areas = types.flatMap(({ key, name, area }, look): Piece[] =>
    area === null ? [] : [{ name: areaName(key), kind: 'area', label: name, outline: area, look }],
  )
  const others = shapes.map(
    ({ key, kind, label, outline }): Piece => ({ name: shapeName(key), kind, label, outline, look: null }),
  )
  return [...others.filter(({ kind }) => kind === 'aisle'), ...areas, ...others.filter(({ kind }) => kind !== 'aisle')]
}

export const pieceOf = (sketch: Sketch, name: string | undefined): Piece | null =>
  piecesOf(sketch).find((piece) => piece.name === name) ?? null

/** Another outline for one piece. */
export function reshape(sketch: Sketch, name: string, change: (outline: Corners) => Corners): Sketch {
  return {
    types: sketch.types.map((type) =>
      areaName(type.key) === name && type.area !== null ? { ...type, area: change(type.area) } : type,
    ),
    shapes: sketch.shapes.map((shape) =>
      shapeName(shape.key) === name ? { ...shape, outline: change(shape.outline) } : shape,
    ),
  }
}

export function relabel(sketch: Sketch, name: string, part: Partial<Pick<PlanShape, 'label' | 'kind'>>): Sketch {
  return {
    ...sketch,
    shapes: sketch.shapes.map((shape) => (shapeName(shape.key) === name ? { ...shape, ...part } : shape)),
  }
}

export function addShape(
  sketch: Sketch,
  shape: { key: string; kind: ShapeKind; frame: Frame; form: Form },
): { sketch: Sketch; name: string } {
  const { key, kind, frame, form } = shape
  const added: PlanShape = { key, kind, label: '', outline: cornersIn(frame, form) }
  return { sketch: { ...sketch, shapes: [...sketch.shapes, added] }, name: shapeName(key) }
}

/** Places on an area that was just drawn, until the operator says how many there are. */
const PLACES_AT_FIRST = 100

/**
 * Draws where visitors stand: for the first category without numbers that has no area, else for a new one, which takes
 * the place of a category that has nothing yet.
 */
export function addArea(
  sketch: Sketch,
  area: { key: string; name: string; frame: Frame; form: Form },
): { sketch: Sketch; name: string } {
  const outline = cornersIn(area.frame, area.form)
  const open = sketch.types.find(({ isNumbered, area: known }) => !isNumbered && known === null)
  if (open !== undefined) {
    const types = sketch.types.map((type) => (type === open ? { ...type, area: outline } : type))
    return { sketch: { ...sketch, types }, name: areaName(open.key) }
  }
  const { currency = 'EUR' } = sketch.types[0] ?? {}
  const { key, name } = area
  const added: PlanType = {
    ...{ key, id: null, name, price: 0, currency, isNumbered: false, isHidden: false },
    ...{ quantity: PLACES_AT_FIRST, rows: [], area: outline },
  }
  return { sketch: { ...sketch, types: [...sketch.types, added] }, name: areaName(key) }
}

export function moveAll(sketch: Sketch, { rows, pieces }: Picked, by: SeatSpot): Sketch {
  const moved = { ...sketch, types: moveRows(sketch.types, rows, by) }
  return pieces.reduce<Sketch>((next, name) => reshape(next, name, (outline) => moveCorners(outline, by)), moved)
}

export function turnAll(sketch: Sketch, picked: Picked, degrees: number): Sketch {
  const middle = middleOf(onlyBounds(sketch, picked))
  const turned = { ...sketch, types: turnRows(sketch.types, picked.rows, degrees, middle) }
  return picked.pieces.reduce<Sketch>(
    (next, name) => reshape(next, name, (outline) => turnCorners(outline, middle, degrees)),
    turned,
  )
}

export function mirrorAll(sketch: Sketch, picked: Picked): Sketch {
  const middle = middleOf(onlyBounds(sketch, picked))
  const mirrored = { ...sketch, types: mirrorRows(sketch.types, picked.rows, middle) }
  return picked.pieces.reduce<Sketch>(
    (next, name) => reshape(next, name, (outline) => mirrorCorners(outline, middle)),
    mirrored,
  )
}

/** Takes an area off the map, but not its category: the tickets stay on sale. */
export function removeAll(sketch: Sketch, { rows, pieces }: Picked): Sketch {
  return {
    types: removeRows(sketch.types, rows).map((type) =>
      pieces.includes(areaName(type.key)) ? { ...type, area: null } : type,
    ),
    shapes: sketch.shapes.filter(({ key }) => !pieces.includes(shapeName(key))),
  }
}

/** Copies to the right; an area has no copy, since its category is on the map once. */
export function copyAll(sketch: Sketch, picked: Picked, newKey: () => string): { sketch: Sketch; picked: Picked } {
  const by = besides(onlyBounds(sketch, picked))
  const { plan: types, copies } = copyRows(sketch.types, picked.rows, by)
  const shapes = sketch.shapes
    .filter(({ key }) => picked.pieces.includes(shapeName(key)))
    .map((shape) => ({ ...shape, key: newKey(), outline: moveCorners(shape.outline, by) }))
  return {
    sketch: { types, shapes: [...sketch.shapes, ...shapes] },
    picked: { rows: copies, pieces: shapes.map(({ key }) => shapeName(key)) },
  }
}

export function pickAll({ types, shapes }: Sketch): Picked {
  return {
    rows: types.flatMap(({ key, rows }) => rows.map(({ label }) => ({ key, label }))),
    pieces: piecesOf({ types, shapes }).map(({ name }) => name),
  }
}

/** The chosen parts alone. */
function only({ types, shapes }: Sketch, { rows, pieces }: Picked): Sketch {
  return {
    types: rowsOf(types, rows).map((type) => ({
      ...type,
      area: pieces.includes(areaName(type.key)) ? type.area : null,
    })),
    shapes: shapes.filter(({ key }) => pieces.includes(shapeName(key))),
  }
}

/** Of all seats and corners; infinite where nothing is drawn. */
export function sketchBounds(sketch: Sketch): Bounds {
  const corners = piecesOf(sketch).flatMap(({ outline }) => outline)
  return boundsOf(sketch.types, corners)
}

/** What lies in a frame, with what was chosen before: rows with a seat in it, and pieces whose middle is. */
export function pickIn(sketch: Sketch, frame: Frame, before: Picked): Picked {
  const isInside = ({ x, y }: SeatSpot): boolean =>
    x >= frame.x && x <= frame.x + frame.width && y >= frame.y && y <= frame.y + frame.height
  const rows = sketch.types.flatMap(({ key, rows: own }) =>
    own.filter((row) => seatSpots(row).some(isInside)).map(({ label }) => ({ key, label })),
  )
  const pieces = piecesOf(sketch).filter(({ outline }) => isInside(middleOfFrame(frameOf(outline))))
  const isNew = (row: Chosen): boolean => before.rows.every(({ key, label }) => key !== row.key || label !== row.label)
  return {
    rows: [...before.rows, ...rows.filter(isNew)],
    pieces: [...new Set([...before.pieces, ...pieces.map(({ name }) => name)])],
  }
}

const middleOfFrame = ({ x, y, width, height }: Frame): SeatSpot => ({ x: x + width / 2, y: y + height / 2 })

/** Of the chosen parts alone. */
export const onlyBounds = (sketch: Sketch, picked: Picked): Bounds => sketchBounds(only(sketch, picked))
