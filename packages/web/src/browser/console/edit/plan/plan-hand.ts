import type { SeatSpot } from '@seatwise/domain'
import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Frame } from './outline.ts'
import type { Chosen } from './plan.ts'
import { type Guides, type Lines, linesOf, NO_GUIDES, snapMove, toGrid } from './plan-snap.ts'
import { draws, type Tool } from './plan-tools.ts'
import type { View } from './plan-view.ts'
import type { Bounds } from './row-tools.ts'
import { onlyBounds, type Picked, type Sketch } from './sketch.ts'

/** What the pointer means. */
export interface HandProps {
  readonly sketch: Sketch
  readonly picked: Picked
  readonly tool: Tool
  readonly isSnapping: boolean
  /** What is chosen after a press on a seat or piece; the answer is needed at once, because a drag may follow. */
  readonly onPress: (at: { row: Chosen; number: number } | { piece: string }, isMore: boolean) => Picked
  readonly onFrame: (frame: Frame | null, isMore: boolean) => void
  /** `isFirst` for the first step of a drag: the steps of one drag are undone together. */
  readonly onMove: (by: SeatSpot, isFirst: boolean) => void
  readonly onCorner: (piece: string, index: number, to: SeatSpot, isFirst: boolean) => void
  readonly onTrace: (by: SeatSpot) => void
}

type Drag =
  | { kind: 'move'; from: SeatSpot; bounds: Bounds; lines: Lines; told: SeatSpot | null }
  | { kind: 'corner'; piece: string; index: number; lines: Lines; isFirst: boolean }
  | { kind: 'trace'; last: SeatSpot }
  | { kind: 'frame'; from: SeatSpot; isMore: boolean }

/** As near as this part of the view's width a line attracts. */
const NEAR = 1 / 160

/** Presses and drags on the plan; two fingers move and zoom the view. */
export function usePlanHand(
  svg: RefObject<SVGSVGElement | null>,
  { view, pinch }: { view: View; pinch: (from: SeatSpot, to: SeatSpot, factor: number) => void },
  props: HandProps,
) {
  const drag = useRef<Drag | null>(null)
  const fingers = useRef(new Map<number, SeatSpot>())
  const [frame, setFrame] = useState<Frame | null>(null)
  const [guides, setGuides] = useState(NO_GUIDES)
  const { tool, isSnapping } = props
  const near = isSnapping ? view.width * NEAR : null
  const point = (event: MouseEvent): SeatSpot | null => pointOf(svg.current, event)

  const press = (event: PointerEvent): void => {
    const from = point(event)
    if (from === null || event.button !== 0) return
    svg.current?.setPointerCapture(event.pointerId)
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    if (fingers.current.size > 1) {
      drag.current = null
      setFrame(null)
      return
    }
    drag.current = beginDrag(props, event, from)
  }

  const move = (event: PointerEvent): void => {
    if (fingers.current.size > 1) {
      pinchBy(svg.current, fingers.current, event, pinch)
      return
    }
    const to = drag.current === null ? null : point(event)
    if (drag.current === null || to === null) return
    const dragged = drag.current
    if (dragged.kind === 'frame') setFrame(frameBetween(dragged.from, draws(tool) && isSnapping ? onGrid(to) : to))
    else if (dragged.kind === 'trace') {
      props.onTrace({ x: to.x - dragged.last.x, y: to.y - dragged.last.y })
      dragged.last = to
    } else if (dragged.kind === 'corner') {
      const snapped = snapPoint(to, dragged.lines, near)
      setGuides(snapped.guides)
      props.onCorner(dragged.piece, dragged.index, snapped.at, dragged.isFirst)
      dragged.isFirst = false
    } else moveBy(dragged, { x: to.x - dragged.from.x, y: to.y - dragged.from.y })
  }

  const moveBy = (dragged: Drag & { kind: 'move' }, raw: SeatSpot): void => {
    const { by, step, guides: found } = stepOf(dragged, raw, near)
    setGuides(found)
    if (step.x === 0 && step.y === 0) return
    props.onMove(step, dragged.told === null)
    dragged.told = by
  }

  const release = (event: PointerEvent): void => {
    fingers.current.delete(event.pointerId)
    if (drag.current?.kind === 'frame' && (tool === 'select' || frame !== null)) {
      props.onFrame(frame, drag.current.isMore)
    }
    drag.current = null
    setFrame(null)
    setGuides(NO_GUIDES)
  }
  return { press, move, release, frame, guides, point }
}

/** What a press begins: moving what is chosen, a corner or the picture, or drawing a frame; null where it only chooses. */
function beginDrag({ sketch, tool, isSnapping, onPress }: HandProps, event: PointerEvent, from: SeatSpot): Drag | null {
  if (tool === 'trace') return { kind: 'trace', last: from }
  if (draws(tool)) return { kind: 'frame', from: isSnapping ? onGrid(from) : from, isMore: false }
  const corner = cornerAt(event.target)
  if (corner !== null) {
    const lines = linesOf(sketch, { rows: [], pieces: [corner.piece] })
    return { kind: 'corner', ...corner, lines, isFirst: true }
  }
  const seat = seatAt(event.target)
  const piece = tool === 'select' && seat === null ? pieceAt(event.target) : null
  if (seat === null && piece === null) return { kind: 'frame', from, isMore: event.shiftKey }
  const after = onPress(seat === null ? { piece: piece ?? '' } : seat, event.shiftKey)
  if (tool !== 'select') return null
  return { kind: 'move', from, bounds: onlyBounds(sketch, after), lines: linesOf(sketch, after), told: null }
}

/** How far a drag has led in all, and since it was told last; `near` is null where nothing snaps. */
function stepOf({ bounds, lines, told }: Drag & { kind: 'move' }, raw: SeatSpot, near: number | null) {
  const { by, guides } = near === null ? { by: rough(raw), guides: NO_GUIDES } : snapMove(raw, bounds, lines, near)
  const before = told ?? { x: 0, y: 0 }
  return { by, guides, step: { x: by.x - before.x, y: by.y - before.y } }
}

/** One of two fingers moved. */
function pinchBy(
  svg: SVGSVGElement | null,
  fingers: Map<number, SeatSpot>,
  event: PointerEvent,
  pinch: (from: SeatSpot, to: SeatSpot, factor: number) => void,
): void {
  const before = fingers.get(event.pointerId)
  const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1]
  if (before === undefined || other === undefined) return
  const now = { x: event.clientX, y: event.clientY }
  fingers.set(event.pointerId, now)
  const from = pointOf(svg, middleOf(before, other))
  const to = pointOf(svg, middleOf(now, other))
  if (from !== null && to !== null) pinch(from, to, far(now, other) / Math.max(1, far(before, other)))
}

function pointOf(svg: SVGSVGElement | null, at: { clientX: number; clientY: number } | SeatSpot): SeatSpot | null {
  const matrix = svg?.getScreenCTM()
  const [x, y] = 'clientX' in at ? [at.clientX, at.clientY] : [at.x, at.y]
  return matrix ? new DOMPoint(x, y).matrixTransform(matrix.inverse()) : null
}

function snapPoint(to: SeatSpot, lines: Lines, near: number | null): { at: SeatSpot; guides: Guides } {
  if (near === null) return { at: rough(to), guides: NO_GUIDES }
  const { by, guides } = snapMove(to, { left: 0, right: 0, top: 0, bottom: 0 }, lines, near)
  return { at: by, guides }
}

const onGrid = ({ x, y }: SeatSpot): SeatSpot => ({ x: toGrid(x), y: toGrid(y) })
const rough = ({ x, y }: SeatSpot): SeatSpot => ({ x: Math.round(x), y: Math.round(y) })
const far = (one: SeatSpot, other: SeatSpot): number => Math.hypot(one.x - other.x, one.y - other.y)
const middleOf = (one: SeatSpot, other: SeatSpot): SeatSpot => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 })

const frameBetween = (from: SeatSpot, to: SeatSpot): Frame => ({
  x: Math.min(from.x, to.x),
  y: Math.min(from.y, to.y),
  width: Math.abs(to.x - from.x),
  height: Math.abs(to.y - from.y),
})

function seatAt(target: EventTarget | null): { row: Chosen; number: number } | null {
  const seat = target instanceof Element ? target.closest<SVGGElement>('.seat') : null
  const row = seat?.parentElement?.closest<SVGGElement>('.row') ?? null
  const { key, label } = row?.dataset ?? {}
  const number = Number(seat?.dataset.number)
  return key === undefined || label === undefined || !Number.isInteger(number) ? null : { row: { key, label }, number }
}

function pieceAt(target: EventTarget | null): string | null {
  const piece = target instanceof Element ? target.closest<SVGGElement>('.piece') : null
  return piece?.dataset.piece ?? null
}

function cornerAt(target: EventTarget | null): { piece: string; index: number } | null {
  const corner = target instanceof Element ? target.closest<SVGElement>('.corner') : null
  const { piece, index } = corner?.dataset ?? {}
  return piece === undefined ? null : { piece, index: Number(index) }
}
