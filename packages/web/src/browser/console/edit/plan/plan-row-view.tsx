import type { SeatSpot } from '@seatwise/domain'
import type { VNode } from 'preact'
import { memo } from 'preact/compat'
import { tell, words } from '../../kit/page.ts'
import { type PlanRow, plainLabel, seatNumbers, seatSpots } from './plan.ts'

const SEAT_RADIUS = 8
const LOOKS = 6

interface RowProps {
  readonly typeKey: string
  /** The place of its category. */
  readonly look: number
  readonly row: PlanRow
  readonly isChosen: boolean
  /** The first row of a section carries its name. */
  readonly isFirst: boolean
}

/** Drawn anew only when it changes: a plan of ten thousand seats stays quick to edit. */
export const PlanRowView = memo(function PlanRowView({ typeKey, look, row, isChosen, isFirst }: RowProps): VNode {
  const spots = seatSpots(row)
  const numbers = seatNumbers(row)
  const [first = { x: row.x, y: row.y }, second = first] = spots
  const before = { x: first.x - (second.x - first.x || row.seatPitch), y: first.y - (second.y - first.y) }
  return (
    <g class={`row look-${look % LOOKS} ${isChosen ? 'chosen' : ''}`} data-key={typeKey} data-label={row.label}>
      <text class="row-label" x={before.x} y={before.y + 4}>
        {plainLabel(row)}
      </text>
      {isFirst && row.section !== '' && <SectionName row={row} spots={spots} />}
      {spots.map((spot, index) => {
        const number = numbers[index] ?? index + 1
        return <Seat key={number} row={row} number={number} x={spot.x} y={spot.y} />
      })}
    </g>
  )
})

function SectionName({ row, spots }: { row: PlanRow; spots: readonly SeatSpot[] }): VNode {
  const [first, last] = [spots[0] ?? row, spots.at(-1) ?? row]
  return (
    <text class="section-name" x={(first.x + last.x) / 2} y={Math.min(first.y, last.y) - SEAT_RADIUS - 6}>
      {row.section}
    </text>
  )
}

function Seat({ row, number, x, y }: { row: PlanRow; number: number; x: number; y: number }): VNode {
  const isBlocked = row.blocked.includes(number)
  const isAccessible = row.accessible.includes(number)
  const state = isBlocked ? words.edit.blockedSeat : isAccessible ? words.edit.accessibleSeat : words.edit.free
  const side = SEAT_RADIUS * 2
  return (
    <g class={`seat ${isBlocked ? 'blocked' : ''} ${isAccessible ? 'accessible' : ''}`} data-number={number}>
      <title>{`${tell(words.edit.row, { label: row.label })}, ${number}: ${state}`}</title>
      {isAccessible ? (
        <rect x={x - SEAT_RADIUS} y={y - SEAT_RADIUS} width={side} height={side} rx={2} />
      ) : (
        <circle cx={x} cy={y} r={SEAT_RADIUS} />
      )}
      {isBlocked && <path d={`M${x - 5} ${y - 5}l10 10m0 -10l-10 10`} />}
    </g>
  )
}
