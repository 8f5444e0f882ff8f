import { EVENT_LIMITS } from '@seatwise/domain'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { NumberField } from '../../kit/number-field.tsx'
import { tell, words } from '../../kit/page.ts'
import { type Chosen, type PlanType, parseNumbers } from './plan.ts'
import type { PlanHistory } from './plan-history.ts'
import type { PlanKey } from './plan-keys.ts'
import { bendRows, nameSection, numberRows, rowsOf } from './row-tools.ts'
import { mirrorAll, type Picked, type Sketch, turnAll } from './sketch.ts'

const SIDES = ['all', 'odd', 'even'] as const
type Side = (typeof SIDES)[number]

interface ToolbarProps {
  readonly sketch: Sketch
  readonly picked: Picked
  readonly history: PlanHistory
  readonly onPick: (picked: Picked) => void
  readonly onKey: (key: PlanKey) => void
}

/** What can be done with all that is chosen, and with the last steps. */
export function RowToolbar({ sketch, picked, history, onPick, onKey }: ToolbarProps): VNode {
  const isIdle = picked.rows.length + picked.pieces.length === 0
  const act = (says: string, key: PlanKey, isOff: boolean): VNode => (
    <button type="button" disabled={isOff} onClick={() => onKey(key)}>
      {says}
    </button>
  )
  return (
    <div class="stack row-tools">
      <p class="actions">
        {act(words.plan.undo, 'undo', !history.canUndo)}
        {act(words.plan.redo, 'redo', !history.canRedo)}
        {act(words.plan.selectAll, 'all', false)}
        {act(words.plan.copy, 'copy', isIdle)}
        <button type="button" disabled={isIdle} onClick={() => history.change(mirrorAll(sketch, picked))}>
          {words.plan.mirror}
        </button>
        {act(words.plan.remove, 'remove', isIdle)}
        <span class="quiet" role="status">
          {tell(words.plan.chosen, { count: picked.rows.length })}
          {picked.pieces.length === 0 ? null : ` · ${tell(words.plan.chosenShapes, { count: picked.pieces.length })}`}
        </span>
      </p>
      {!isIdle && <ChosenFields {...{ sketch, picked, history, onPick }} />}
    </div>
  )
}

/** Direction of all that is chosen; curve, numbers and section of the chosen rows. */
function ChosenFields({ sketch, picked, history, onPick }: Omit<ToolbarProps, 'onKey'>): VNode {
  const [turn, setTurn] = useState(15)
  const { types: plan } = sketch
  const chosen = picked.rows
  const rows = rowsOf(plan, chosen).flatMap((type) => type.rows)
  const [first] = rows
  const change = (types: PlanType[]): void => history.change({ ...sketch, types })
  const name = (section: string): void => {
    if (section === (first?.section ?? '')) return
    const renamed = nameSection(plan, chosen, section)
    change(renamed)
    // The labels are others now, at the same places.
    const after = chosen.map((row) => ({ key: row.key, label: labelAfter(plan, renamed, row) }))
    onPick({ ...picked, rows: after })
  }
  return (
    <div class="finder">
      <NumberField
        label={words.plan.turn}
        isNarrow
        name="plan-turn"
        min={-180}
        max={180}
        value={turn}
        onNumber={setTurn}
      />
      <button type="button" onClick={() => history.change(turnAll(sketch, picked, turn))}>
        {words.plan.turnNow}
      </button>
      {first === undefined ? null : (
        <>
          <NumberField
            label={words.plan.curve}
            isNarrow
            name="plan-curve"
            min={-180}
            max={180}
            value={Math.round(first.curve)}
            onNumber={(degrees) => change(bendRows(plan, chosen, degrees))}
          />
          <label class="field">
            {words.plan.section}
            <input
              name="plan-section"
              key={chosen.map(({ label }) => label).join()}
              maxLength={EVENT_LIMITS.sectionLength}
              defaultValue={first.section}
              onBlur={(event) => name(event.currentTarget.value)}
            />
          </label>
          <NumberingFields plan={plan} chosen={chosen} onPlan={change} />
        </>
      )}
    </div>
  )
}

function labelAfter(plan: readonly PlanType[], renamed: readonly PlanType[], { key, label }: Chosen): string {
  const place = plan.find((type) => type.key === key)?.rows.findIndex((row) => row.label === label) ?? -1
  return renamed.find((type) => type.key === key)?.rows[place]?.label ?? label
}

function NumberingFields(props: {
  plan: readonly PlanType[]
  chosen: readonly Chosen[]
  onPlan: (plan: PlanType[]) => void
}): VNode {
  const { plan, chosen } = props
  const [side, setSide] = useState<Side>('all')
  const [from, setFrom] = useState(1)
  const [isReversed, setReversed] = useState(false)
  const [skipped, setSkipped] = useState('')
  const apply = (): void => {
    const start = side === 'all' ? from : side === 'odd' ? from - ((from + 1) % 2) : from + (from % 2)
    const numbering = { from: start, step: side === 'all' ? 1 : 2, isReversed, skipped: parseNumbers(skipped) }
    props.onPlan(numberRows(plan, chosen, numbering))
  }
  return (
    <>
      <label class="field">
        {words.plan.numbers}
        <select
          name="plan-side"
          value={side}
          onChange={(event) => setSide(SIDES.find((one) => one === event.currentTarget.value) ?? 'all')}
        >
          {SIDES.map((one) => (
            <option key={one} value={one}>
              {words.plan.sides[one]}
            </option>
          ))}
        </select>
      </label>
      <NumberField
        label={words.plan.from}
        isNarrow
        name="plan-from"
        min={1}
        max={EVENT_LIMITS.seatsPerRow}
        value={from}
        onNumber={setFrom}
      />
      <label class="field narrow-field">
        {words.plan.skipped}
        <input
          name="plan-skipped"
          aria-describedby="numbers-hint"
          value={skipped}
          onInput={(event) => setSkipped(event.currentTarget.value)}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          name="plan-reversed"
          checked={isReversed}
          onChange={(event) => setReversed(event.currentTarget.checked)}
        />
        {words.plan.reversed}
      </label>
      <button type="button" onClick={apply}>
        {words.plan.number}
      </button>
    </>
  )
}
