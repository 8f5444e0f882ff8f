import type { Outline, PlanShape } from '@seatwise/domain'
import type { Camera, Size } from './camera.ts'
import { spotOf } from './painter.ts'
import type { Palette } from './palette.ts'
import type { SeatTypeInfo } from './seat-model.ts'

interface Point {
  readonly x: number
  readonly y: number
}

/** A part of the map that is no seat, where it is on the map: the stage, an aisle, or where visitors of a type stand. */
export interface MapShape {
  readonly kind: PlanShape['kind'] | 'area'
  readonly label: string
  readonly outline: readonly Point[]
  /** Of an area: who stands there. */
  readonly type: SeatTypeInfo | null
}

/** Before it is on the map, in the unit of the plan. */
export type PlannedShape = Omit<MapShape, 'outline'> & { readonly outline: Outline }

/** The area under a point of the map; what was drawn last lies on top. */
export function areaAt(shapes: readonly MapShape[], at: Point): SeatTypeInfo | null {
  const found = shapes.findLast(({ type, outline }) => type !== null && isInside(outline, at))
  return found?.type ?? null
}

/** A ray to the right crosses the outline an odd number of times. */
function isInside(outline: readonly Point[], { x, y }: Point): boolean {
  let isIn = false
  outline.forEach((corner, index) => {
    const next = outline[(index + 1) % outline.length] ?? corner
    if (corner.y > y === next.y > y) return
    if (x < corner.x + ((y - corner.y) / (next.y - corner.y)) * (next.x - corner.x)) isIn = !isIn
  })
  return isIn
}

/** What an area says: its type, and below it what a place costs and how many are left. */
export interface AreaState {
  readonly isFree: boolean
  readonly chosen: number
  readonly details: string
}

export interface ShapeScene {
  readonly camera: Camera
  readonly palette: Palette
  readonly size: Size
  readonly stateOf: (type: SeatTypeInfo) => AreaState
  readonly stageWord: string
}

/** Words on shapes: none below 12 px, none that would lie outside. */
const LABEL_PX_MIN = 12
const LABEL_PX_MAX = 17
const LINE = 1.35
/** Part of the shape's width that words may take. */
const ROOM = 0.94

/** Draws shapes below the seats: the stage is full, an aisle is a path without a rim, an area has the colour of its type. */
export function paintShapes(context: CanvasRenderingContext2D, shapes: readonly MapShape[], scene: ShapeScene): void {
  for (const kind of ['aisle', 'other', 'area', 'stage'] as const) {
    for (const shape of shapes) if (shape.kind === kind) paintShape(context, shape, scene)
  }
}

function paintShape(context: CanvasRenderingContext2D, shape: MapShape, scene: ShapeScene): void {
  const { camera, palette } = scene
  const path = new Path2D()
  for (const corner of shape.outline) {
    const { x, y } = spotOf(corner, camera)
    path.lineTo(x, y)
  }
  path.closePath()
  context.lineJoin = 'round'
  if (shape.type !== null) paintArea(context, path, shape.type, scene)
  else if (shape.kind === 'stage') {
    context.fillStyle = palette.ink
    context.fill(path)
  } else {
    context.fillStyle = palette.rule
    context.globalAlpha = shape.kind === 'aisle' ? 0.35 : 0.8
    context.fill(path)
    context.globalAlpha = 1
  }
  writeOn(context, shape, scene)
}

function paintArea(context: CanvasRenderingContext2D, path: Path2D, type: SeatTypeInfo, scene: ShapeScene): void {
  const { palette, stateOf } = scene
  const { isFree, chosen } = stateOf(type)
  const colour = palette.types[type.tone % palette.types.length] ?? palette.ink
  if (isFree) {
    context.fillStyle = colour
    context.globalAlpha = chosen > 0 ? 0.3 : 0.16
    context.fill(path)
    context.globalAlpha = 1
  }
  context.strokeStyle = isFree ? colour : palette.edge
  context.lineWidth = chosen > 0 ? 4 : 2
  context.setLineDash(isFree ? [] : [6, 5])
  context.stroke(path)
  context.setLineDash([])
}

function writeOn(context: CanvasRenderingContext2D, shape: MapShape, scene: ShapeScene): void {
  const { camera, palette, size, stageWord } = scene
  const [low, high] = [cornerOf(shape.outline, Math.min), cornerOf(shape.outline, Math.max)]
  const [first, last] = [spotOf(low, camera), spotOf(high, camera)]
  // Of a shape that is larger than the screen the middle of what is seen.
  const [left, right] = [inside(first.x, SIGN_ROOM), size.width - inside(size.width - last.x, SIGN_ROOM)]
  const [top, bottom] = [inside(first.y, SIGN_ROOM), size.height - inside(size.height - last.y, SIGN_ROOM)]
  const px = Math.round(Math.min(LABEL_PX_MAX, Math.max(LABEL_PX_MIN, camera.scale * 0.6)))
  const state = shape.type === null ? null : scene.stateOf(shape.type)
  const title = shape.kind === 'stage' && shape.label === '' ? stageWord : shape.label
  const lines = [
    title,
    ...(state === null ? [] : [state.chosen > 0 ? `${state.details} · ${state.chosen} ✓` : state.details]),
  ]
  const fitting = lines.slice(0, Math.floor((bottom - top) / (px * LINE)))
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillStyle = shape.kind === 'stage' ? palette.paper : palette.ink
  const start = (top + bottom) / 2 - ((fitting.length - 1) * px * LINE) / 2
  fitting.forEach((text, index) => {
    context.font = `${index === 0 ? 600 : 400} ${px}px ${palette.letters}`
    if (text === '' || context.measureText(text).width > (right - left) * ROOM) return
    context.fillText(text, (left + right) / 2, start + index * px * LINE)
  })
}

/** A shape that is cut at an edge leaves room there for the sign that says where the stage is. */
const SIGN_ROOM = 40
const inside = (start: number, room: number): number => (start < 0 ? room : start)

const cornerOf = (outline: readonly Point[], pick: (...values: number[]) => number): Point => ({
  x: pick(...outline.map(({ x }) => x)),
  y: pick(...outline.map(({ y }) => y)),
})

/** How far from the edge of the screen the sign stands. */
const SIGN_MARGIN = 12

/** Which way the stage is when it cannot be seen: a sign at the edge of the map. */
export function paintStageSign(
  context: CanvasRenderingContext2D,
  shapes: readonly MapShape[],
  { camera, palette, size, stageWord }: ShapeScene,
): void {
  const stage = shapes.find(({ kind }) => kind === 'stage')
  if (stage === undefined) return
  const [low, high] = [
    spotOf(cornerOf(stage.outline, Math.min), camera),
    spotOf(cornerOf(stage.outline, Math.max), camera),
  ]
  if (high.x > 0 && low.x < size.width && high.y > 0 && low.y < size.height) return
  const [middleX, middleY] = [(low.x + high.x) / 2, (low.y + high.y) / 2]
  const arrow = high.y <= 0 ? '↑' : low.y >= size.height ? '↓' : high.x <= 0 ? '←' : '→'
  const text = `${arrow} ${stage.label === '' ? stageWord : stage.label}`
  context.font = `600 ${LABEL_PX_MIN + 1}px ${palette.letters}`
  const [width, height] = [context.measureText(text).width + 20, 26]
  const within = (value: number, half: number, end: number) =>
    Math.min(end - half - SIGN_MARGIN, Math.max(half + SIGN_MARGIN, value))
  const [x, y] = [within(middleX, width / 2, size.width), within(middleY, height / 2, size.height)]
  context.fillStyle = palette.ink
  context.beginPath()
  context.roundRect(x - width / 2, y - height / 2, width, height, height / 2)
  context.fill()
  context.fillStyle = palette.paper
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(text, x, y + 1)
}
