import type { SeatSpot } from '@seatwise/domain'
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { tell, words } from '../../kit/page.ts'
import { type Chosen, PITCH, type PlanType, ROW_STEP, seatSpots } from './plan.ts'
import { PLAN_KEYS, type PlanKey } from './plan-keys.ts'
import { PlanRowView } from './plan-row-view.tsx'
import { useView, type View, ZOOM_STEP } from './plan-view.ts'
import { boundsOf } from './row-tools.ts'

export type Tool = 'select' | 'draw' | 'aisle' | 'block' | 'accessible'

/** Rows that are moved snap to this, so that they line up. */
export const SNAP = 4

interface MapProps {
  readonly plan: readonly PlanType[]
  readonly chosen: readonly Chosen[]
  readonly tool: Tool
  readonly onSeat: (row: Chosen, number: number, isMore: boolean) => void
  readonly onChoose: (rows: readonly Chosen[]) => void
  /** `isFirst` for the first step of a drag: the steps of one drag are undone together. */
  readonly onMove: (by: SeatSpot, isFirst: boolean) => void
  readonly onDraw: (block: { rows: number; seats: number; at: SeatSpot }) => void
  readonly onKey: (key: PlanKey) => void
}

/** From where the pointer was pressed; `told` is how far the rows were moved already. */
type Drag =
  | { readonly kind: 'move'; readonly from: SeatSpot; told: SeatSpot | null }
  | { readonly kind: 'frame'; readonly from: SeatSpot }

/** The plan as a picture that takes clicks and keys. The list below does all of it without a mouse. */
export function PlanMap(props: MapProps): VNode {
  const { plan, chosen, tool } = props
  const svg = useRef<SVGSVGElement>(null)
  const drag = useRef<Drag | null>(null)
  const [frame, setFrame] = useState<Frame | null>(null)
  const { view, zoom, fit } = useView(plan)
  const point = (event: MouseEvent): SeatSpot | null => {
    const matrix = svg.current?.getScreenCTM()
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : null
  }
  const press = (event: PointerEvent): void => {
    const from = point(event)
    if (from === null || event.button !== 0) return
    const found = tool === 'draw' ? null : seatAt(event.target)
    if (found !== null) props.onSeat(found, found.number, event.shiftKey)
    if (found !== null && tool !== 'select') return
    drag.current = found === null ? { kind: 'frame', from } : { kind: 'move', from, told: null }
    svg.current?.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent): void => {
    const to = drag.current === null ? null : point(event)
    if (drag.current === null || to === null) return
    if (drag.current.kind === 'frame') {
      setFrame(frameOf(drag.current.from, to))
      return
    }
    const by = { x: snap(to.x - drag.current.from.x), y: snap(to.y - drag.current.from.y) }
    const told = drag.current.told ?? { x: 0, y: 0 }
    if (by.x === told.x && by.y === told.y) return
    props.onMove({ x: by.x - told.x, y: by.y - told.y }, drag.current.told === null)
    drag.current.told = by
  }
  const release = (): void => {
    if (drag.current?.kind === 'frame') {
      if (tool === 'draw' && frame !== null) props.onDraw(blockIn(frame))
      if (tool === 'select') props.onChoose(frame === null ? [] : rowsIn(plan, frame))
    }
    drag.current = null
    setFrame(null)
  }
  return (
    <div class="plan-frame">
      <svg
        ref={svg}
        class={`plan tool-${tool}`}
        role="application"
        aria-label={words.edit.plan}
        aria-describedby="plan-keys"
        tabindex={0}
        viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
        onPointerDown={press}
        onPointerMove={move}
        onPointerUp={release}
        onPointerCancel={release}
        onKeyDown={(event) => takeKey(event, props.onKey)}
        onWheel={(event) => {
          if (!event.ctrlKey && !event.metaKey) return
          event.preventDefault()
          zoom(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, point(event))
        }}
      >
        <Stage plan={plan} view={view} />
        {plan.map((type, index) =>
          type.rows.map((row, place) => (
            <PlanRowView
              key={`${type.key} ${row.label}`}
              typeKey={type.key}
              look={index}
              row={row}
              isFirst={type.rows[place - 1]?.section !== row.section}
              isChosen={chosen.some(({ key, label }) => key === type.key && label === row.label)}
            />
          )),
        )}
        {frame === null ? null : <FrameView frame={frame} isBlock={tool === 'draw'} />}
      </svg>
      <p class="actions plan-zoom">
        <button type="button" onClick={() => zoom(ZOOM_STEP, null)} aria-label={words.plan.zoomIn}>
          +
        </button>
        <button type="button" onClick={() => zoom(1 / ZOOM_STEP, null)} aria-label={words.plan.zoomOut}>
          −
        </button>
        <button type="button" onClick={fit}>
          {words.plan.fit}
        </button>
        <span class="hint" id="plan-keys">
          {words.plan.keys}
        </span>
      </p>
    </div>
  )
}

function Stage({ plan, view }: { plan: readonly PlanType[]; view: View }): VNode {
  const { left, right, top } = boundsOf(plan)
  const isEmpty = !Number.isFinite(left)
  const middle = isEmpty ? view.x + view.width / 2 : (left + right) / 2
  const width = isEmpty ? view.width / 2 : Math.max(120, (right - left) / 2)
  const y = (isEmpty ? view.y + 60 : top) - 52
  return (
    <g class="stage">
      <rect x={middle - width / 2} y={y} width={width} height={18} rx={3} />
      <text x={middle} y={y + 13}>
        {words.edit.stage}
      </text>
    </g>
  )
}

interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function FrameView({ frame, isBlock }: { frame: Frame; isBlock: boolean }): VNode {
  const { rows, seats } = blockIn(frame)
  return (
    <g class="drawing">
      <rect {...frame} />
      {isBlock && (
        <text x={frame.x + frame.width / 2} y={frame.y - 6}>
          {tell(words.plan.drawn, { rows, seats, count: rows * seats })}
        </text>
      )}
    </g>
  )
}

const frameOf = (from: SeatSpot, to: SeatSpot): Frame => ({
  x: Math.min(from.x, to.x),
  y: Math.min(from.y, to.y),
  width: Math.abs(to.x - from.x),
  height: Math.abs(to.y - from.y),
})

/** As many seats as fit into the frame, at least one. */
function blockIn({ x, y, width, height }: Frame): { rows: number; seats: number; at: SeatSpot } {
  const seats = Math.min(500, Math.floor(width / PITCH) + 1)
  const rows = Math.min(200, Math.floor(height / ROW_STEP) + 1)
  return { rows, seats, at: { x: snap(x), y: snap(y) } }
}

function rowsIn(plan: readonly PlanType[], { x, y, width, height }: Frame): Chosen[] {
  const isInside = (spot: SeatSpot): boolean =>
    spot.x >= x && spot.x <= x + width && spot.y >= y && spot.y <= y + height
  return plan.flatMap(({ key, rows }) =>
    rows.filter((row) => seatSpots(row).some(isInside)).map(({ label }) => ({ key, label })),
  )
}

function takeKey(event: KeyboardEvent, onKey: (key: PlanKey) => void): void {
  const isCommand = event.ctrlKey || event.metaKey
  const name = `${isCommand ? 'mod+' : ''}${event.shiftKey ? 'shift+' : ''}${event.key.toLowerCase()}`
  const key = PLAN_KEYS.get(name)
  if (key === undefined) return
  event.preventDefault()
  onKey(key)
}

function seatAt(target: EventTarget | null): (Chosen & { number: number }) | null {
  const seat = target instanceof Element ? target.closest<SVGGElement>('.seat') : null
  const row = seat?.parentElement?.closest<SVGGElement>('.row') ?? null
  const { key, label } = row?.dataset ?? {}
  const number = Number(seat?.dataset.number)
  return key === undefined || label === undefined || !Number.isInteger(number) ? null : { key, label, number }
}

const snap = (value: number): number => Math.round(value / SNAP) * SNAP
