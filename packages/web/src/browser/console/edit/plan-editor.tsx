import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { NumberField } from '../kit/number-field.tsx'
import { tell, words } from '../kit/page.ts'
import { addBlock, changeRow, nextLabel, type PlanRow, type PlanType, seatsIn, toggled } from './plan.ts'
import { type Chosen, PlanMap, type Tool } from './plan-map.tsx'
import { exportPlan, importPlan } from './plan-wire.ts'
import { RowList } from './row-list.tsx'
import { TypeList } from './type-list.tsx'

const TOOLS: readonly { tool: Tool; says: string }[] = [
  { tool: 'select', says: words.edit.toolSelect },
  { tool: 'block', says: words.edit.toolBlock },
  { tool: 'accessible', says: words.edit.toolAccessible },
]

/** Categories and the plan of their seats, made by clicking. */
export function PlanEditor({ plan, onPlan }: { plan: readonly PlanType[]; onPlan: (plan: PlanType[]) => void }): VNode {
  const [tool, setTool] = useState<Tool>('select')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const change = (row: Chosen, part: Partial<PlanRow>): void => onPlan(changeRow(plan, row.key, row.label, part))
  const click = (row: Chosen, number: number): void => {
    setChosen(row)
    const current = plan.find(({ key }) => key === row.key)?.rows.find(({ label }) => label === row.label)
    if (current === undefined || tool === 'select') return
    const field = tool === 'block' ? 'blocked' : 'accessible'
    change(row, { [field]: toggled(current[field], number) })
  }
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
      {plan.some(({ isNumbered }) => isNumbered) && (
        <>
          <BlockForm plan={plan} onPlan={onPlan} />
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
          <PlanMap
            plan={plan}
            chosen={chosen}
            tool={tool}
            onSeat={click}
            onMove={(row, x, y) => change(row, { x, y })}
          />
          <RowList plan={plan} chosen={chosen} onChoose={setChosen} onChange={change} />
        </>
      )}
      <FileButtons plan={plan} onPlan={onPlan} />
    </fieldset>
  )
}

interface PlanProps {
  plan: readonly PlanType[]
  onPlan: (plan: PlanType[]) => void
}

/** Rows come in blocks. No form of its own: it stands inside the form of the event. */
function BlockForm({ plan, onPlan }: PlanProps): VNode {
  const numbered = plan.filter(({ isNumbered }) => isNumbered)
  const [wish, setWish] = useState({ key: '', rows: 5, seats: 10, first: '' })
  const type = numbered.find(({ key }) => key === wish.key) ?? numbered[0]
  const last = type?.rows.at(-1)?.label
  const suggested = last === undefined ? 'A' : nextLabel(last)
  const add = (): void => {
    if (type === undefined) return
    const block = {
      rows: wish.rows,
      seats: wish.seats,
      first: wish.first.trim() === '' ? suggested : wish.first.trim(),
    }
    onPlan(addBlock(plan, type.key, block))
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
        <select
          name="block-type"
          value={type?.key}
          onChange={(event) => setWish({ ...wish, key: event.currentTarget.value })}
        >
          {numbered.map(({ key, name }) => (
            <option key={key} value={key}>
              {name === '' ? '–' : name}
            </option>
          ))}
        </select>
      </label>
      {number('rows', words.edit.blockRows, 200)}
      {number('seats', words.edit.blockSeats, 500)}
      <label class="field narrow-field">
        {words.edit.blockFirst}
        <input
          name="block-first"
          maxLength={20}
          placeholder={suggested}
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

function FileButtons({ plan, onPlan }: PlanProps): VNode {
  const [said, setSaid] = useState('')
  const read = (file: File | undefined): void => {
    file?.text().then((text) => {
      try {
        onPlan(importPlan(text))
        setSaid(words.edit.imported)
      } catch (error) {
        setSaid(tell(words.edit.badPlan, { why: error instanceof Error ? error.message : String(error) }))
      }
    }, String)
  }
  const save = (): void => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([exportPlan(plan)], { type: 'application/json' }))
    link.download = 'seat-plan.json'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <div class="actions">
      <label class="file">
        {words.edit.importPlan}
        <input type="file" accept="application/json,.json" onChange={(event) => read(event.currentTarget.files?.[0])} />
      </label>
      <button type="button" onClick={save}>
        {words.edit.exportPlan}
      </button>
      <span role="status">{said}</span>
    </div>
  )
}
