import type { SeatSpot } from '@seatwise/domain'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { tell, words } from '../../kit/page.ts'
import { BlockForm, nextRowOf } from './block-form.tsx'
import { addBlock, type Chosen, changeRow, type PlanRow, type PlanType, seatsIn, toggled } from './plan.ts'
import { PlanFiles } from './plan-files.tsx'
import { usePlanHistory } from './plan-history.ts'
import type { PlanKey } from './plan-keys.ts'
import { PlanMap, SNAP, type Tool } from './plan-map.tsx'
import { RowList } from './row-list.tsx'
import { RowToolbar } from './row-toolbar.tsx'
import { copyRows, moveRows, removeRows } from './row-tools.ts'
import { TypeList } from './type-list.tsx'

const TOOLS: readonly { tool: Tool; says: string; field?: 'blocked' | 'accessible' | 'aisles' }[] = [
  { tool: 'select', says: words.edit.toolSelect },
  { tool: 'draw', says: words.plan.toolDraw },
  { tool: 'aisle', says: words.plan.toolAisle, field: 'aisles' },
  { tool: 'block', says: words.edit.toolBlock, field: 'blocked' },
  { tool: 'accessible', says: words.edit.toolAccessible, field: 'accessible' },
]

const FAR = 10

interface PlanProps {
  readonly plan: readonly PlanType[]
  readonly onPlan: (plan: PlanType[]) => void
}

/** Categories and the plan of their seats, made by drawing and clicking. */
export function PlanEditor(props: PlanProps): VNode {
  const { plan } = props
  const history = usePlanHistory(plan, props.onPlan)
  const onPlan = history.change
  const addType = (): void => {
    const { currency = 'EUR' } = plan.at(-1) ?? {}
    const key = `new ${crypto.randomUUID()}`
    onPlan([
      ...plan,
      { key, id: null, name: '', price: 0, currency, isNumbered: true, isHidden: false, quantity: 0, rows: [] },
    ])
  }
  return (
    <fieldset class="stack">
      <legend>
        <h2>{words.edit.seats}</h2>
      </legend>
      <TypeList
        plan={plan}
        onChange={(key, part) => onPlan(plan.map((type) => (type.key === key ? { ...type, ...part } : type)))}
        onRemove={(key) => onPlan(plan.filter((type) => type.key !== key))}
      />
      <p class="actions">
        <button type="button" onClick={addType}>
          {words.edit.addType}
        </button>
        <span class="quiet number">{tell(words.edit.total, { count: seatsIn(plan) })}</span>
      </p>
      {plan.some(({ isNumbered }) => isNumbered) && <Drawing plan={plan} history={history} />}
      <PlanFiles plan={plan} onPlan={onPlan} />
    </fieldset>
  )
}

function Drawing({ plan, history }: { plan: readonly PlanType[]; history: ReturnType<typeof usePlanHistory> }): VNode {
  const [tool, setTool] = useState<Tool>('select')
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const [typeKey, setTypeKey] = useState('')
  const numbered = plan.filter(({ isNumbered }) => isNumbered)
  const type = numbered.find(({ key }) => key === typeKey) ?? numbered[0]
  const changeOne = (row: Chosen, part: Partial<PlanRow>): void =>
    history.change(changeRow(plan, row.key, row.label, part))
  const click = (row: Chosen, number: number, isMore: boolean): void => {
    setChosen((before) => chosenAfter(before, row, isMore))
    const field = TOOLS.find((one) => one.tool === tool)?.field
    const current = plan.find(({ key }) => key === row.key)?.rows.find(({ label }) => label === row.label)
    if (field !== undefined && current !== undefined) changeOne(row, { [field]: toggled(current[field], number) })
  }
  const move = (by: SeatSpot, isFirst: boolean): void => {
    const moved = moveRows(plan, chosen, by)
    if (isFirst) history.change(moved)
    else history.amend(moved)
  }
  const add = (block: { rows: number; seats: number; first?: string; at?: SeatSpot }): void => {
    if (type === undefined) return
    history.change(addBlock(plan, type.key, { ...block, first: block.first ?? nextRowOf(type) }))
  }
  const takeKey = (key: PlanKey): void => {
    const copy = (): void => {
      const { plan: copied, copies } = copyRows(plan, chosen)
      history.change(copied)
      setChosen(copies)
    }
    const step = (x: number, y: number) => (): void => move({ x: x * SNAP, y: y * SNAP }, true)
    const acts: Record<PlanKey, () => void> = {
      ...{ left: step(-1, 0), right: step(1, 0), up: step(0, -1), down: step(0, 1) },
      ...{ 'far-left': step(-FAR, 0), 'far-right': step(FAR, 0), 'far-up': step(0, -FAR), 'far-down': step(0, FAR) },
      ...{ undo: history.undo, redo: history.redo, copy },
      remove: () => history.change(removeRows(plan, chosen)),
      all: () => setChosen(plan.flatMap(({ key: of, rows }) => rows.map(({ label }) => ({ key: of, label })))),
      none: () => setChosen([]),
    }
    acts[key]()
  }
  return (
    <>
      <BlockForm types={numbered} type={type} onType={setTypeKey} onAdd={add} />
      <fieldset class="choices">
        <legend>{words.edit.tool}</legend>
        {TOOLS.map(({ tool: name, says }) => (
          <label key={name}>
            <input type="radio" name="tool" value={name} checked={tool === name} onChange={() => setTool(name)} />
            <span>{says}</span>
          </label>
        ))}
      </fieldset>
      <p class="hint">{words.edit.planHint}</p>
      <RowToolbar plan={plan} chosen={chosen} history={history} onChoose={setChosen} onKey={takeKey} />
      <PlanMap
        plan={plan}
        chosen={chosen}
        tool={tool}
        onSeat={click}
        onChoose={setChosen}
        onMove={move}
        onDraw={add}
        onKey={takeKey}
      />
      <RowList plan={plan} chosen={chosen[0] ?? null} onChoose={(row) => setChosen([row])} onChange={changeOne} />
    </>
  )
}

/** A click chooses one row; with Shift it adds one or takes it out. A row that is chosen already stays, to be moved with the others. */
function chosenAfter(before: readonly Chosen[], row: Chosen, isMore: boolean): readonly Chosen[] {
  const rest = before.filter(({ key, label }) => key !== row.key || label !== row.label)
  const isKnown = rest.length < before.length
  const one = { key: row.key, label: row.label }
  if (isMore) return isKnown ? rest : [...before, one]
  return isKnown ? before : [one]
}
