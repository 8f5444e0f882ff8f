import { EVENT_LIMITS } from '@seatwise/domain'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { NumberCell } from '../../kit/number-field.tsx'
import { words } from '../../kit/page.ts'
import { type Chosen, type PlanRow, type PlanType, parseNumbers, writeNumbers } from './plan.ts'

interface Bounds {
  min: number
  max: number
  step: number | 'any'
}

const SEATS: Bounds = { min: 1, max: EVENT_LIMITS.seatsPerRow, step: 1 }
const PLACE: Bounds = { min: -EVENT_LIMITS.coordinate, max: EVENT_LIMITS.coordinate, step: 'any' }

type Change = (row: Chosen, change: Partial<PlanRow>) => void

/** Everything the map shows, to be typed. */
export function RowList(props: {
  plan: readonly PlanType[]
  chosen: Chosen | null
  onChoose: (row: Chosen) => void
  onChange: Change
}): VNode | null {
  const { plan, chosen, onChoose, onChange } = props
  const rows = plan.flatMap((type) => type.rows.map((row) => ({ type, row })))
  if (rows.length === 0) return null
  return (
    <details class="row-list">
      <summary>{words.edit.rows}</summary>
      <p class="hint" id="numbers-hint">
        {words.edit.numbersHint}
      </p>
      <div class="table-scroll">
        <table>
          <caption class="heard">{words.edit.rows}</caption>
          <thead>
            <tr>
              <th scope="col">{words.edit.type}</th>
              <th scope="col">{words.edit.rowLabel}</th>
              <th scope="col">{words.edit.rowSeats}</th>
              <th scope="col">{words.edit.rowBlocked}</th>
              <th scope="col">{words.edit.rowAccessible}</th>
              <th scope="col">{words.edit.left}</th>
              <th scope="col">{words.edit.top}</th>
              <th scope="col">
                <span class="heard">{words.edit.removeRow}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ type, row }) => (
              <RowFields
                key={`${type.key} ${row.label}`}
                type={type}
                row={row}
                isChosen={chosen?.key === type.key && chosen.label === row.label}
                onChoose={onChoose}
                onChange={onChange}
              />
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function RowFields(props: {
  type: PlanType
  row: PlanRow
  isChosen: boolean
  onChoose: (row: Chosen) => void
  onChange: Change
}): VNode {
  const { type, row, isChosen, onChoose, onChange } = props
  const here = { key: type.key, label: row.label }
  const name = (what: string): string => `${what}, ${type.name} ${row.label}`
  const number = (what: string, field: 'seats' | 'x' | 'y', bounds: Bounds): VNode => (
    <NumberCell
      {...bounds}
      label={name(what)}
      value={row[field]}
      onNumber={(value) => onChange(here, { [field]: value })}
    />
  )
  return (
    <tr class={isChosen ? 'chosen' : ''} onFocusCapture={() => onChoose(here)}>
      <td>{type.name}</td>
      <td>{row.label}</td>
      <td>{number(words.edit.rowSeats, 'seats', SEATS)}</td>
      <td>
        <Numbers
          label={name(words.edit.rowBlocked)}
          value={row.blocked}
          onChange={(blocked) => onChange(here, { blocked })}
        />
      </td>
      <td>
        <Numbers
          label={name(words.edit.rowAccessible)}
          value={row.accessible}
          onChange={(accessible) => onChange(here, { accessible })}
        />
      </td>
      <td>{row.spots === null ? number(words.edit.left, 'x', PLACE) : '–'}</td>
      <td>{row.spots === null ? number(words.edit.top, 'y', PLACE) : '–'}</td>
      <td>
        <button
          type="button"
          class="small-button"
          aria-label={name(words.edit.removeRow)}
          onClick={() => onChange(here, { seats: 0 })}
        >
          ×
        </button>
      </td>
    </tr>
  )
}

/** Numbers as people write them; read when the field is left, so that half-typed ones are not torn away. */
function Numbers(props: { label: string; value: readonly number[]; onChange: (numbers: number[]) => void }): VNode {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <input
      aria-label={props.label}
      aria-describedby="numbers-hint"
      value={typed ?? writeNumbers(props.value)}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        if (typed !== null) props.onChange(parseNumbers(typed))
        setTyped(null)
      }}
    />
  )
}
