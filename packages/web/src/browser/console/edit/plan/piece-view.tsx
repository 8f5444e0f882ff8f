import type { VNode } from 'preact'
import { words } from '../../kit/page.ts'
import { type Corners, frameOf } from './outline.ts'
import type { Guides } from './plan-snap.ts'
import type { View } from './plan-view.ts'
import type { Piece } from './sketch.ts'

const LOOKS = 6
/** More corners than this are a curve: it is moved and stretched, not bent corner by corner. */
const HANDLES_MAX = 12

/** A shape or an area on the plan, with its name. */
export function PieceView({ piece, isChosen }: { piece: Piece; isChosen: boolean }): VNode {
  const { name, kind, outline, look } = piece
  const { x, y, width, height } = frameOf(outline)
  const colour = look === null ? '' : `look-${look % LOOKS}`
  return (
    <g class={`piece ${kind} ${colour} ${isChosen ? 'chosen' : ''}`} data-piece={name}>
      <polygon points={pointsOf(outline)} />
      <text x={x + width / 2} y={y + height / 2 + 4}>
        {labelOf(piece)}
      </text>
    </g>
  )
}

/** What is written on a piece; a stage is called so without a label. */
export const labelOf = ({ kind, label }: Pick<Piece, 'kind' | 'label'>): string =>
  label === '' && kind === 'stage' ? words.edit.stage : label

/** What bends the one chosen piece. */
export function Handles({ piece, view }: { piece: Piece; view: View }): VNode | null {
  const { name, outline } = piece
  if (outline.length > HANDLES_MAX) return null
  const radius = view.width / 160
  return (
    <g class="handles">
      {outline.map(({ x, y }, index) => (
        <circle key={index} class="corner" data-piece={name} data-index={index} cx={x} cy={y} r={radius} />
      ))}
    </g>
  )
}

/** The lines that what is moved snapped to. */
export function GuideLines({ guides, view }: { guides: Guides; view: View }): VNode {
  const { x, y, width, height } = view
  return (
    <g class="guides">
      {guides.x === null ? null : <line x1={guides.x} x2={guides.x} y1={y} y2={y + height} />}
      {guides.y === null ? null : <line x1={x} x2={x + width} y1={guides.y} y2={guides.y} />}
    </g>
  )
}

const pointsOf = (outline: Corners): string => outline.map(({ x, y }) => `${x},${y}`).join(' ')
