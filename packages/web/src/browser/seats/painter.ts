import type { Camera } from './camera.ts'
import { type Palette, patternOf } from './palette.ts'
import type { Seat } from './seat-model.ts'

/** What is drawn. */
export interface Scene {
  readonly seats: readonly Seat[]
  readonly chosen: ReadonlySet<Seat>
  readonly focused: Seat | null
  readonly camera: Camera
  readonly palette: Palette
}

/** From this size on a seat has room for its pattern, and for its number. */
const PATTERN_PX = 9
const NUMBER_PX = 22
/** Smaller figures are not read but guessed. */
const FIGURE_PX_MIN = 11
/** So that a few seats far from the others are still seen when the whole map is. */
const SEAT_PX_MIN = 1

/**
 * Draws seats. Four looks that survive without colour: free is full, chosen is large with a tick, taken is an empty
 * outline, not for sale is a dash. All seats of one look are one path: thousands cost as much as a few.
 */
export function paintSeats(context: CanvasRenderingContext2D, scene: Scene): void {
  const { camera, palette } = scene
  const px = Math.max(SEAT_PX_MIN, camera.scale * 0.78)
  paintFree(context, scene, px)
  paintTaken(context, scene, px)
  paintBlocked(context, scene, px)
  paintChosen(context, scene, px)
  if (px >= NUMBER_PX) paintNumbers(context, scene, px)
  if (scene.focused !== null) {
    const { x, y } = spotOf(scene.focused, camera)
    context.strokeStyle = palette.ink
    context.lineWidth = 3
    context.strokeRect(x - px / 2 - 4, y - px / 2 - 4, px + 8, px + 8)
  }
}

export function spotOf({ x, y }: { x: number; y: number }, camera: Camera): { x: number; y: number } {
  return { x: (x - camera.x) * camera.scale, y: (y - camera.y) * camera.scale }
}

function paintFree(context: CanvasRenderingContext2D, { seats, chosen, camera, palette }: Scene, px: number): void {
  const groups = new Map<number, Path2D>()
  const accessible = new Path2D()
  for (const seat of seats) {
    if (seat.look !== 'free' || chosen.has(seat)) continue
    const { x, y } = spotOf(seat, camera)
    let path = groups.get(seat.type.tone)
    if (path === undefined) {
      path = new Path2D()
      groups.set(seat.type.tone, path)
    }
    addSeat(path, x, y, px)
    if (!seat.isAccessible || px < PATTERN_PX) continue
    accessible.moveTo(x + px * 0.22, y)
    accessible.arc(x, y, px * 0.22, 0, 2 * Math.PI)
  }
  for (const [tone, path] of groups) {
    context.fillStyle = palette.types[tone % palette.types.length] ?? palette.ink
    context.fill(path)
    if (px < PATTERN_PX) continue
    const pattern = patternOf(context, tone, palette)
    if (pattern === null) continue
    context.fillStyle = pattern
    context.fill(path)
  }
  context.fillStyle = palette.paper
  context.fill(accessible)
}

function paintTaken(context: CanvasRenderingContext2D, { seats, chosen, camera, palette }: Scene, px: number): void {
  const path = new Path2D()
  for (const seat of seats) {
    if (seat.look !== 'taken' || chosen.has(seat)) continue
    const { x, y } = spotOf(seat, camera)
    addSeat(path, x, y, px * 0.82)
  }
  context.strokeStyle = palette.edge
  context.lineWidth = Math.min(1.5, Math.max(0.5, px / 10))
  context.stroke(path)
}

function paintBlocked(context: CanvasRenderingContext2D, { seats, camera, palette }: Scene, px: number): void {
  const path = new Path2D()
  for (const seat of seats) {
    if (seat.look !== 'blocked') continue
    const { x, y } = spotOf(seat, camera)
    path.moveTo(x - px * 0.25, y)
    path.lineTo(x + px * 0.25, y)
  }
  context.strokeStyle = palette.edge
  context.lineWidth = Math.max(0.5, px / 12)
  context.stroke(path)
}

function paintChosen(context: CanvasRenderingContext2D, { chosen, camera, palette }: Scene, px: number): void {
  const body = new Path2D()
  const tick = new Path2D()
  const side = Math.max(6, px * 1.22)
  for (const seat of chosen) {
    const { x, y } = spotOf(seat, camera)
    addSeat(body, x, y, side)
    tick.moveTo(x - side * 0.24, y)
    tick.lineTo(x - side * 0.06, y + side * 0.2)
    tick.lineTo(x + side * 0.26, y - side * 0.22)
  }
  context.fillStyle = palette.ink
  context.fill(body)
  context.strokeStyle = palette.paper
  context.lineWidth = Math.max(1.5, side / 9)
  context.stroke(tick)
}

function paintNumbers(context: CanvasRenderingContext2D, { seats, chosen, camera, palette }: Scene, px: number): void {
  context.font = `600 ${Math.max(FIGURE_PX_MIN, Math.round(px * 0.46))}px ${palette.letters}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (const seat of seats) {
    if (seat.look === 'blocked' || chosen.has(seat)) continue
    const { x, y } = spotOf(seat, camera)
    context.fillStyle = seat.look === 'free' ? palette.paper : palette.edge
    if (seat.look === 'free') {
      // A number must be readable on any pattern.
      context.save()
      context.fillStyle = palette.types[seat.type.tone % palette.types.length] ?? palette.ink
      context.fillRect(x - px * 0.34, y - px * 0.3, px * 0.68, px * 0.6)
      context.restore()
    }
    context.fillText(String(seat.number), x, y + 1)
  }
}

/** Small ones are squares: rounded corners that are too small to see cost time. */
function addSeat(path: Path2D, x: number, y: number, side: number): void {
  if (side < PATTERN_PX) path.rect(x - side / 2, y - side / 2, side, side)
  else path.roundRect(x - side / 2, y - side / 2, side, side, [side * 0.32, side * 0.32, side * 0.14, side * 0.14])
}
