import type { VNode } from 'preact'
import { words } from '../../kit/page.ts'
import { PieceFields } from './piece-toolbar.tsx'
import { labelOf } from './piece-view.tsx'
import type { PlanHistory } from './plan-history.ts'
import { type Picked, type Piece, piecesOf, removeAll, type Sketch } from './sketch.ts'

/** The shapes and areas of the plan, to be typed. */
export function PieceList(props: {
  sketch: Sketch
  history: PlanHistory
  onPick: (picked: Picked) => void
}): VNode | null {
  const { sketch, history, onPick } = props
  const pieces = piecesOf(sketch)
  if (pieces.length === 0) return null
  return (
    <details class="row-list">
      <summary>{words.plan.shapes}</summary>
      <ul class="stack">
        {pieces.map((piece) => (
          <li key={piece.name} class="finder" onFocusCapture={() => onPick({ rows: [], pieces: [piece.name] })}>
            <PieceFields sketch={sketch} piece={piece} history={history} />
            <button
              type="button"
              class="small-button"
              aria-label={`${words.plan.removeShape}: ${nameOf(piece)}`}
              onClick={() => history.change(removeAll(sketch, { rows: [], pieces: [piece.name] }))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

const nameOf = (piece: Piece): string => {
  const kind = piece.kind === 'area' ? words.plan.tools.area : words.plan.kinds[piece.kind]
  return [kind, labelOf(piece)].filter((text) => text !== '').join(' ')
}
