import { EVENT_LIMITS } from '@seatwise/domain'
import type { VNode } from 'preact'
import { memo } from 'preact/compat'
import { useRef } from 'preact/hooks'
import { tell, words } from '../kit/page.ts'
import type { PlanRow, PlanType } from './plan.ts'

export type Tool = 'select' | 'block' | 'accessible'
export interface Chosen {
  readonly key: string
  readonly label: string
}

const SEAT_RADIUS = 8
const MARGIN = 40
/** Rows that are moved snap to this, so that they line up. */
const SNAP = 4
const LOOKS = 6
/** So that few seats are not drawn as large as plates. */
const WIDTH_MIN = 720

interface MapProps {
  plan: readonly PlanType[]
  chosen: Chosen | null
  tool: Tool
  onSeat: (row: Chosen, number: number) => void
  onMove: (row: Chosen, x: number, y: number) => void
}

/** The plan as a picture that takes clicks. The list below does all of it without a mouse. */
export function PlanMap({ plan, chosen, tool, onSeat, onMove }: MapProps): VNode {
  const svg = useRef<SVGSVGElement>(null)
  const drag = useRef<{ row: Chosen; x: number; y: number; from: DOMPoint } | null>(null)
  const box = boundsOf(plan)
  const point = (event: PointerEvent): DOMPoint | null => {
    const matrix = svg.current?.getScreenCTM()
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : null
  }
  const press = (event: PointerEvent): void => {
    const found = seatAt(event.target)
    if (found === null) return
    const row = plan.find(({ key }) => key === found.key)?.rows.find(({ label }) => label === found.label)
    const from = point(event)
    if (row === undefined) return
    onSeat(found, found.number)
    if (tool !== 'select' || from === null) return
    drag.current = { row: found, x: row.x, y: row.y, from }
    svg.current?.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent): void => {
    const to = drag.current === null ? null : point(event)
    if (drag.current === null || to === null) return
    const { row, x, y, from } = drag.current
    onMove(row, snap(x + to.x - from.x), snap(y + to.y - from.y))
  }
  return (
    <svg
      ref={svg}
      class={`plan tool-${tool}`}
      role="img"
      aria-label={words.edit.plan}
      viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={() => {
        drag.current = null
      }}
    >
      <g class="stage">
        <rect x={box.x + box.width * 0.25} y={box.y + 8} width={box.width * 0.5} height={18} rx={3} />
        <text x={box.x + box.width / 2} y={box.y + 21}>
          {words.edit.stage}
        </text>
      </g>
      {plan.map((type, index) =>
        type.rows.map((row) => (
          <Row
            key={`${type.key} ${row.label}`}
            typeKey={type.key}
            look={index % LOOKS}
            row={row}
            isChosen={chosen?.key === type.key && chosen.label === row.label}
          />
        )),
      )}
    </svg>
  )
}

/** Drawn anew only when it changes: a plan of ten thousand seats stays quick to edit. */
const Row = memo(function Row(props: { typeKey: string; look: number; row: PlanRow; isChosen: boolean }): VNode {
  const { typeKey, look, row, isChosen } = props
  const numbers = Array.from({ length: row.seats }, (_, index) => index + 1)
  return (
    <g class={`row look-${look} ${isChosen ? 'chosen' : ''}`} data-key={typeKey} data-label={row.label}>
      <text class="row-label" x={row.x - row.seatPitch} y={row.y + 4}>
        {row.label}
      </text>
      {numbers.map((number) => {
        const x = row.x + (number - 1) * row.seatPitch
        const isBlocked = row.blocked.includes(number)
        const isAccessible = row.accessible.includes(number)
        const state = isBlocked ? words.edit.blockedSeat : isAccessible ? words.edit.accessibleSeat : words.edit.free
        return (
          <g
            key={number}
            class={`seat ${isBlocked ? 'blocked' : ''} ${isAccessible ? 'accessible' : ''}`}
            data-number={number}
          >
            <title>{`${tell(words.edit.row, { label: row.label })}, ${number}: ${state}`}</title>
            {isAccessible ? (
              <rect
                x={x - SEAT_RADIUS}
                y={row.y - SEAT_RADIUS}
                width={SEAT_RADIUS * 2}
                height={SEAT_RADIUS * 2}
                rx={2}
              />
            ) : (
              <circle cx={x} cy={row.y} r={SEAT_RADIUS} />
            )}
            {isBlocked && <path d={`M${x - 5} ${row.y - 5}l10 10m0 -10l-10 10`} />}
          </g>
        )
      })}
    </g>
  )
})

function seatAt(target: EventTarget | null): (Chosen & { number: number }) | null {
  const seat = target instanceof Element ? target.closest<SVGGElement>('.seat') : null
  const row = seat?.parentElement?.closest<SVGGElement>('.row') ?? null
  const { key, label } = row?.dataset ?? {}
  const number = Number(seat?.dataset.number)
  return key === undefined || label === undefined || !Number.isInteger(number) ? null : { key, label, number }
}

const snap = (value: number): number =>
  Math.max(-EVENT_LIMITS.coordinate, Math.min(EVENT_LIMITS.coordinate, Math.round(value / SNAP) * SNAP))

function boundsOf(plan: readonly PlanType[]): { x: number; y: number; width: number; height: number } {
  const rows = plan.flatMap((type) => type.rows)
  if (rows.length === 0) return { x: -WIDTH_MIN / 2, y: -60, width: WIDTH_MIN, height: 160 }
  const left = Math.min(...rows.map(({ x, seatPitch }) => x - seatPitch))
  const right = Math.max(...rows.map(({ x, seats, seatPitch }) => x + (seats - 1) * seatPitch))
  const top = Math.min(...rows.map(({ y }) => y))
  const bottom = Math.max(...rows.map(({ y }) => y))
  const width = Math.max(WIDTH_MIN, right - left + 2 * MARGIN)
  return { x: (left + right - width) / 2, y: top - MARGIN - 24, width, height: bottom - top + 2 * MARGIN + 24 }
}
