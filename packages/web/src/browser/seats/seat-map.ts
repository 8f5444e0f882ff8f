import { effect, type Signal } from '@preact/signals'
import {
  type Bounds,
  boundsOf,
  bringIntoView,
  type Camera,
  panBy,
  resized,
  type Size,
  wholeMap,
  zoomAt,
} from './camera.ts'
import type { Choosing } from './choosing.ts'
import { listenToGestures } from './gestures.ts'
import { labelsOf, type MapLabels, paintLabels } from './map-labels.ts'
import { areaAt, paintShapes, paintStageSign, type ShapeScene } from './map-shapes.ts'
import { Overview } from './overview.ts'
import { paintSeats } from './painter.ts'
import { readPalette } from './palette.ts'
import { SeatGrid } from './seat-grid.ts'
import type { Seat, SeatTypeInfo } from './seat-model.ts'

export const ZOOM_STEP = 1.5

/** More seats than this at once are shown as a picture. */
const DRAWN_MAX = 2_500
/** Below this many pixels a seat is too small to hit: the first tap comes closer. */
const HIT_PX_MIN = 9
/** Half the way to the next seat in the corner between four of them: a finger never falls through. */
const FINGER_PX = 32
const MOUSE_PX = 8

/** What is under the mouse, and where that is. */
export interface Tip {
  readonly text: string
  readonly x: number
  readonly y: number
}

interface Point {
  readonly x: number
  readonly y: number
}

/** The map on its canvas: drawn when something changed, at most once a frame. */
export class SeatMap {
  readonly #canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D | null
  readonly #choosing: Choosing
  readonly #camera: Signal<Camera>
  readonly #tip: Signal<Tip | null>
  readonly #bounds: Bounds
  readonly #grid: SeatGrid
  readonly #overview: Overview
  readonly #labels: MapLabels
  readonly #stops: readonly (() => void)[]
  #size: Size = { width: 0, height: 0 }
  #palette = readPalette()
  #frame: number | null = null

  constructor(canvas: HTMLCanvasElement, choosing: Choosing, camera: Signal<Camera>, tip: Signal<Tip | null>) {
    this.#canvas = canvas
    this.#context = canvas.getContext('2d')
    this.#choosing = choosing
    this.#camera = camera
    this.#tip = tip
    const { seats, shapes } = choosing.model
    this.#bounds = boundsOf([...seats, ...shapes.flatMap(({ outline }) => outline)])
    this.#grid = new SeatGrid(choosing.model.seats)
    this.#overview = new Overview(boundsOf(seats))
    this.#labels = labelsOf(choosing.model.seats, choosing.data.event.sections, this.#grid)
    this.#stops = [
      watchSize(canvas, (size) => this.#resize(size)),
      watchColours(() => this.#recolour()),
      this.#followChoosing(),
      listenToGestures(canvas, {
        pan: (dx, dy) => this.#look(panBy(camera.peek(), dx, dy, this.#bounds, this.#size)),
        zoom: (factor, at) => this.#zoomAt(factor, at),
        tap: (at, isTouch) => this.#tap(at, isTouch ? FINGER_PX : MOUSE_PX),
        hover: (at) => this.#hover(at),
      }),
    ]
  }

  zoom(factor: number): void {
    this.#zoomAt(factor, { x: this.#size.width / 2, y: this.#size.height / 2 })
  }

  showWhole(): void {
    this.#look(wholeMap(this.#bounds, this.#size))
  }

  /** Arrows move from seat to seat, Enter chooses, plus and minus zoom. */
  press(event: KeyboardEvent): void {
    const direction = DIRECTIONS[event.key]
    const { focused } = this.#choosing
    if (direction !== undefined) this.#step(direction)
    else if ((event.key === 'Enter' || event.key === ' ') && focused.value !== null)
      this.#choosing.toggle(focused.value)
    else if (event.key === '+') this.zoom(ZOOM_STEP)
    else if (event.key === '-') this.zoom(1 / ZOOM_STEP)
    else return
    event.preventDefault()
  }

  stop(): void {
    for (const stop of this.#stops) stop()
    if (this.#frame !== null) cancelAnimationFrame(this.#frame)
  }

  #followChoosing(): () => void {
    const { revision, chosen, loose, focused } = this.#choosing
    const stops = [
      revision.subscribe(() => {
        this.#overview.forget()
        this.#redraw()
      }),
      chosen.subscribe(() => this.#redraw()),
      loose.subscribe(() => this.#redraw()),
      effect(() => {
        const seat = focused.value
        if (seat !== null && this.#size.width > 0) {
          this.#camera.value = bringIntoView(this.#camera.peek(), seat, this.#bounds, this.#size)
        }
        this.#redraw()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  #redraw(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null
      this.#draw()
    })
  }

  #draw(): void {
    const context = this.#context
    if (context === null) return
    const { chosen, focused, model } = this.#choosing
    const camera = this.#camera.peek()
    const palette = this.#palette
    const seats = this.#grid.inView(camera, this.#size)
    const isCrowded = seats.length > DRAWN_MAX && this.#overview.isSharp(camera)
    context.clearRect(0, 0, this.#size.width, this.#size.height)
    const shapes = this.#shapeScene()
    paintShapes(context, model.shapes, shapes)
    if (isCrowded) this.#overview.paint(context, camera, model.seats, palette)
    // Where the keyboard is matters to those who use it.
    const isKeyboard = this.#canvas.matches(':focus-visible')
    const scene = { camera, palette, chosen: chosen.peek(), focused: isKeyboard ? focused.peek() : null }
    paintSeats(context, { ...scene, seats: isCrowded ? [] : seats })
    paintLabels(context, this.#labels, { camera, palette, size: this.#size })
    paintStageSign(context, model.shapes, shapes)
  }

  #shapeScene(): ShapeScene {
    const { words } = this.#choosing
    const stateOf = (type: SeatTypeInfo) => this.#choosing.stateOfArea(type)
    const seen = { camera: this.#camera.peek(), palette: this.#palette, size: this.#size }
    return { ...seen, stateOf, stageWord: words.stage }
  }

  #look(camera: Camera): void {
    this.#camera.value = camera
    this.#redraw()
  }

  #zoomAt(factor: number, at: Point): void {
    this.#look(zoomAt(this.#camera.peek(), factor, at, this.#bounds, this.#size))
  }

  #tap(at: Point, reachPx: number): void {
    const { scale } = this.#camera.peek()
    const area = this.#areaUnder(at)
    if (scale < HIT_PX_MIN && area === null) {
      this.#approach(at, reachPx)
      return
    }
    // Where visitors stand a seat is hit only on it: around it is room to stand.
    const seat = scale < HIT_PX_MIN ? null : this.#seatAt(at, area === null ? reachPx : 1)
    if (seat !== null) this.#choosing.toggle(seat)
    else if (area !== null) this.#choosing.changeLoose(area, 1)
  }

  #areaUnder(at: Point): SeatTypeInfo | null {
    const { x, y, scale } = this.#camera.peek()
    return areaAt(this.#choosing.model.shapes, { x: at.x / scale + x, y: at.y / scale + y })
  }

  /** Comes near enough to choose; to the seat next to the finger, where one is: seen from afar a hall may be a dot. */
  #approach(at: Point, reachPx: number): void {
    const { x, y, scale } = this.#camera.peek()
    const seat = this.#grid.at(at.x / scale + x, at.y / scale + y, reachPx / scale)
    this.#zoomAt((2 * HIT_PX_MIN) / scale, at)
    if (seat !== null) this.#look(bringIntoView(this.#camera.peek(), seat, this.#bounds, this.#size))
  }

  #hover(at: Point | null): void {
    const seat = at === null || this.#camera.peek().scale < HIT_PX_MIN ? null : this.#seatAt(at, 1)
    const area = at === null || seat !== null ? null : this.#areaUnder(at)
    const text = seat !== null ? this.#choosing.describe(seat) : area !== null ? this.#choosing.describeArea(area) : ''
    this.#tip.value = at === null || text === '' ? null : { text, ...at }
  }

  #seatAt(at: Point, reachPx: number): Seat | null {
    const { x, y, scale } = this.#camera.peek()
    return this.#grid.at(at.x / scale + x, at.y / scale + y, Math.min(1.2, reachPx / scale))
  }

  #step(direction: readonly [number, number]): void {
    const { focused, model } = this.#choosing
    const [first] = model.seats
    const next = focused.value === null ? first : this.#grid.towards(focused.value, ...direction, model.seats)
    const { scale } = this.#camera.peek()
    if (scale < HIT_PX_MIN) this.zoom((2 * HIT_PX_MIN) / scale)
    // After the zoom: what has the focus is brought into view.
    if (next) focused.value = next
  }

  #resize(size: Size): void {
    const isFirst = this.#size.width === 0
    const ratio = Math.min(2, devicePixelRatio)
    const before = this.#size
    this.#size = size
    this.#canvas.width = size.width * ratio
    this.#canvas.height = size.height * ratio
    this.#context?.setTransform(ratio, 0, 0, ratio, 0, 0)
    const camera = this.#camera.peek()
    this.#camera.value = isFirst ? wholeMap(this.#bounds, size) : resized(camera, before, size, this.#bounds)
    // At once: a canvas is empty after its size was set, and one frame of it would be seen.
    this.#draw()
  }

  #recolour(): void {
    this.#palette = readPalette()
    this.#overview.forget()
    this.#redraw()
  }
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

function watchSize(element: HTMLElement, tell: (size: Size) => void): () => void {
  const observer = new ResizeObserver(() => tell({ width: element.clientWidth, height: element.clientHeight }))
  observer.observe(element)
  return () => observer.disconnect()
}

function watchColours(tell: () => void): () => void {
  const query = matchMedia('(prefers-color-scheme: dark)')
  query.addEventListener('change', tell)
  return () => query.removeEventListener('change', tell)
}
