import { EVENT_LIMITS } from '@seatwise/domain'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { NumberField } from '../../kit/number-field.tsx'
import { words } from '../../kit/page.ts'
import { nextLabel, type PlanType } from './plan.ts'

const ROWS_MAX = 200
const SEATS_MAX = 500

/** The label after the last of a category. */
export function nextRowOf({ rows }: PlanType): string {
  const taken = new Set(rows.map(({ label }) => label))
  let label = rows.at(-1)?.label ?? '@'
  label = label === '@' ? 'A' : nextLabel(label)
  while (taken.has(label)) label = nextLabel(label)
  return label
}

interface BlockProps {
  readonly types: readonly PlanType[]
  readonly type: PlanType | undefined
  readonly onType: (key: string) => void
  readonly onAdd: (block: { rows: number; seats: number; first?: string }) => void
}

/** Rows come in blocks. No form of its own: it stands inside the form of the event. */
export function BlockForm({ types, type, onType, onAdd }: BlockProps): VNode {
  const [wish, setWish] = useState({ rows: 5, seats: 10, first: '' })
  const first = wish.first.trim()
  const add = (): void => {
    onAdd({ rows: wish.rows, seats: wish.seats, ...(first === '' ? {} : { first }) })
    setWish({ ...wish, first: '' })
  }
  const number = (name: 'rows' | 'seats', label: string, max: number): VNode => (
    <NumberField
      label={label}
      isNarrow
      name={`block-${name}`}
      min={1}
      max={max}
      value={wish[name]}
      onNumber={(value) => setWish({ ...wish, [name]: value })}
    />
  )
  return (
    <div class="finder">
      <label class="field">
        {words.edit.type}
        <select name="block-type" value={type?.key} onChange={(event) => onType(event.currentTarget.value)}>
          {types.map(({ key, name }) => (
            <option key={key} value={key}>
              {name === '' ? '–' : name}
            </option>
          ))}
        </select>
      </label>
      {number('rows', words.edit.blockRows, ROWS_MAX)}
      {number('seats', words.edit.blockSeats, SEATS_MAX)}
      <label class="field narrow-field">
        {words.edit.blockFirst}
        <input
          name="block-first"
          maxLength={EVENT_LIMITS.rowLabelLength}
          placeholder={type === undefined ? 'A' : nextRowOf(type)}
          value={wish.first}
          onInput={(event) => setWish({ ...wish, first: event.currentTarget.value })}
        />
      </label>
      <button type="button" onClick={add}>
        {words.edit.addBlock}
      </button>
    </div>
  )
}
