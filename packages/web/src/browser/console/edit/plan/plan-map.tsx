import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { tell, words } from '../../kit/page.ts'
import type { Frame } from './outline.ts'
import { GuideLines, Handles, PieceView } from './piece-view.tsx'
import { PITCH, ROW_STEP } from './plan.ts'
import { type HandProps, usePlanHand } from './plan-hand.ts'
import { PLAN_KEYS, type PlanKey } from './plan-keys.ts'
import { PlanRowView } from './plan-row-view.tsx'
import { draws, type Tool } from './plan-tools.ts'
import { useView, type View, ZOOM_STEP } from './plan-view.ts'
import { pieceOf, piecesOf, type Sketch, sketchBounds } from './sketch.ts'
import type { Tracing } from './tracing.tsx'

interface MapProps extends HandProps {
  readonly tracing: Tracing | null
  readonly onKey: (key: PlanKey) => void
}

/** The plan as a picture that takes presses and keys. The lists below do all of it without a mouse. */
export function PlanMap(props: MapProps): VNode {
  const { sketch, picked, tool, tracing } = props
  const svg = useRef<SVGSVGElement | null>(null)
  const { view, zoom, pan, pinch, fit } = useView(sketch)
  const { press, move, release, frame, guides, point } = usePlanHand(svg, { view, pinch }, props)
  const isAlone = picked.pieces.length === 1 && picked.rows.length === 0
  const one = isAlone ? pieceOf(sketch, picked.pieces[0]) : null
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
          const isZoom = event.ctrlKey || event.metaKey
          if (isZoom) zoom(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, point(event))
          // Who sees the whole plan scrolls the page.
          if (isZoom || pan({ x: event.deltaX, y: event.deltaY }, svg.current?.clientWidth ?? 1)) event.preventDefault()
        }}
      >
        {tracing === null ? null : <TracingView tracing={tracing} />}
        {piecesOf(sketch).map((piece) => (
          <PieceView key={piece.name} piece={piece} isChosen={picked.pieces.includes(piece.name)} />
        ))}
        {sketch.shapes.some(({ kind }) => kind === 'stage') ? null : <UsualStage sketch={sketch} view={view} />}
        {sketch.types.map((type, index) =>
          type.rows.map((row, place) => (
            <PlanRowView
              key={`${type.key} ${row.label}`}
              typeKey={type.key}
              look={index}
              row={row}
              isFirst={type.rows[place - 1]?.section !== row.section}
              isChosen={picked.rows.some(({ key, label }) => key === type.key && label === row.label)}
            />
          )),
        )}
        {one === null || tool !== 'select' ? null : <Handles piece={one} view={view} />}
        <GuideLines guides={guides} view={view} />
        {frame === null ? null : <FrameView frame={frame} tool={tool} />}
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

function TracingView({ tracing }: { tracing: Tracing }): VNode {
  const { url, x, y, width, height, opacity } = tracing
  return <image class="tracing" href={url} x={x} y={y} width={width} height={height} opacity={opacity / 100} />
}

/** Where the stage is when none is drawn: above everything. */
function UsualStage({ sketch, view }: { sketch: Sketch; view: View }): VNode {
  const { left, right, top } = sketchBounds(sketch)
  const isEmpty = !Number.isFinite(left)
  const middle = isEmpty ? view.x + view.width / 2 : (left + right) / 2
  const width = isEmpty ? view.width / 2 : Math.max(120, (right - left) / 2)
  const y = (isEmpty ? view.y + 60 : top) - 52
  return (
    <g class="stage usual-stage">
      <rect x={middle - width / 2} y={y} width={width} height={18} rx={3} />
      <text x={middle} y={y + 13}>
        {words.edit.stage}
      </text>
    </g>
  )
}

function FrameView({ frame, tool }: { frame: Frame; tool: Tool }): VNode {
  const { rows, seats } = blockIn(frame)
  return (
    <g class="drawing">
      <rect {...frame} />
      {draws(tool) && (
        <text x={frame.x + frame.width / 2} y={frame.y - 6}>
          {tool === 'draw'
            ? tell(words.plan.drawn, { rows, seats, count: rows * seats })
            : `${Math.round(frame.width)} × ${Math.round(frame.height)}`}
        </text>
      )}
    </g>
  )
}

/** As many seats as fit into the frame, at least one. */
export function blockIn({ width, height }: Frame): { rows: number; seats: number } {
  return {
    seats: Math.min(500, Math.floor(width / PITCH) + 1),
    rows: Math.min(200, Math.floor(height / ROW_STEP) + 1),
  }
}

function takeKey(event: KeyboardEvent, onKey: (key: PlanKey) => void): void {
  const isCommand = event.ctrlKey || event.metaKey
  const name = `${isCommand ? 'mod+' : ''}${event.shiftKey ? 'shift+' : ''}${event.key.toLowerCase()}`
  const key = PLAN_KEYS.get(name)
  if (key === undefined) return
  event.preventDefault()
  onKey(key)
}
