import { EVENT_LIMITS, SHAPE_KINDS } from '@seatwise/domain'
import type { VNode } from 'preact'
import { NumberField } from '../../kit/number-field.tsx'
import { words } from '../../kit/page.ts'
import { addCorner, type Frame, fitCorners, frameOf } from './outline.ts'
import { labelOf } from './piece-view.tsx'
import type { PlanHistory } from './plan-history.ts'
import { type Picked, type Piece, pieceOf, relabel, reshape, type Sketch } from './sketch.ts'

interface PieceProps {
  readonly sketch: Sketch
  readonly piece: Piece
  readonly history: PlanHistory
}

/** What one chosen shape or area is called, and how large it is. */
export function PieceToolbar(props: { sketch: Sketch; picked: Picked; history: PlanHistory }): VNode | null {
  const { sketch, picked, history } = props
  const piece = picked.pieces.length === 1 ? pieceOf(sketch, picked.pieces[0]) : null
  if (piece === null) return null
  const moreCorners = (): void =>
    history.change(reshape(sketch, piece.name, (outline) => addCorner(outline, longestSide(outline))))
  return (
    <div class="finder piece-tools">
      <PieceFields sketch={sketch} piece={piece} history={history} />
      <button type="button" disabled={piece.outline.length >= EVENT_LIMITS.corners} onClick={moreCorners}>
        {words.plan.addCorner}
      </button>
    </div>
  )
}

function longestSide(outline: Piece['outline']): number {
  const lengths = outline.map(({ x, y }, index) => {
    const next = outline[(index + 1) % outline.length]
    return next === undefined ? 0 : Math.hypot(next.x - x, next.y - y)
  })
  return lengths.indexOf(Math.max(...lengths))
}

/** Also in the list of shapes: everything that can be dragged can be typed. An area is called as its category is. */
export function PieceFields({ sketch, piece, history }: PieceProps): VNode {
  const frame = frameOf(piece.outline)
  const stretch = (part: Partial<Frame>): void =>
    history.change(reshape(sketch, piece.name, (outline) => fitCorners(outline, { ...frame, ...part })))
  const number = (says: string, field: keyof Frame, min: number): VNode => (
    <NumberField
      label={says}
      isNarrow
      name={`piece-${field}`}
      min={min}
      max={EVENT_LIMITS.coordinate}
      step="any"
      value={Math.round(frame[field])}
      onNumber={(value) => stretch({ [field]: value })}
    />
  )
  return (
    <>
      {piece.kind === 'area' ? (
        <p class="field">{labelOf(piece)}</p>
      ) : (
        <ShapeFields sketch={sketch} piece={piece} history={history} />
      )}
      {number(words.edit.left, 'x', -EVENT_LIMITS.coordinate)}
      {number(words.edit.top, 'y', -EVENT_LIMITS.coordinate)}
      {number(words.plan.width, 'width', 1)}
      {number(words.plan.height, 'height', 1)}
    </>
  )
}

function ShapeFields({ sketch, piece, history }: PieceProps): VNode {
  return (
    <>
      <label class="field">
        {words.plan.shapeKind}
        <select
          name="piece-kind"
          value={piece.kind}
          onChange={(event) => {
            const kind = SHAPE_KINDS.find((one) => one === event.currentTarget.value)
            if (kind !== undefined) history.change(relabel(sketch, piece.name, { kind }))
          }}
        >
          {SHAPE_KINDS.map((one) => (
            <option key={one} value={one}>
              {words.plan.kinds[one]}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {words.plan.shapeLabel}
        <input
          name="piece-label"
          maxLength={EVENT_LIMITS.shapeLabelLength}
          placeholder={labelOf(piece)}
          value={piece.label}
          onInput={(event) => history.change(relabel(sketch, piece.name, { label: event.currentTarget.value }))}
        />
      </label>
    </>
  )
}
