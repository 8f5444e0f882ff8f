import type { SeatSpot } from '@seatwise/domain'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { tell, words } from '../../kit/page.ts'
import { BlockForm, nextRowOf } from './block-form.tsx'
import { bendCorners, type Form, type Frame } from './outline.ts'
import { PieceList } from './piece-list.tsx'
import { PieceToolbar } from './piece-toolbar.tsx'
import { addBlock, type Chosen, changeRow, type PlanRow, type PlanType, seatsIn, toggled } from './plan.ts'
import { PlanFiles } from './plan-files.tsx'
import type { HandProps } from './plan-hand.ts'
import { type PlanHistory, usePlanHistory } from './plan-history.ts'
import type { PlanKey } from './plan-keys.ts'
import { blockIn, PlanMap } from './plan-map.tsx'
import { SNAP } from './plan-snap.ts'
import { DRAWING_TOOLS, FIELD_OF, KIND_OF, SEAT_TOOLS, type Tool, tellTool } from './plan-tools.ts'
import { RowList } from './row-list.tsx'
import { RowToolbar } from './row-toolbar.tsx'
import {
  addArea,
  addShape,
  copyAll,
  moveAll,
  NOTHING,
  type Picked,
  pickAll,
  pickIn,
  removeAll,
  reshape,
  type Sketch,
} from './sketch.ts'
import { type Tracing, TracingTools } from './tracing.tsx'
import { TypeList } from './type-list.tsx'

const FAR = 10

interface PlanProps {
  readonly sketch: Sketch
  readonly onSketch: (sketch: Sketch) => void
}

/** Categories and the plan of their seats, made by drawing and clicking. */
export function PlanEditor({ sketch, onSketch }: PlanProps): VNode {
  const history = usePlanHistory(sketch, onSketch)
  const plan = sketch.types
  const onTypes = (types: PlanType[]): void => history.change({ ...sketch, types })
  const addType = (): void => {
    const { currency = 'EUR' } = plan.at(-1) ?? {}
    const facts = { key: newKey(), id: null, name: '', price: 0, currency, isNumbered: true, isHidden: false }
    onTypes([...plan, { ...facts, quantity: 0, rows: [], area: null }])
  }
  return (
    <fieldset class="stack">
      <legend>
        <h2>{words.edit.seats}</h2>
      </legend>
      <TypeList
        plan={plan}
        onChange={(key, part) => onTypes(plan.map((type) => (type.key === key ? { ...type, ...part } : type)))}
        onRemove={(key) => onTypes(plan.filter((type) => type.key !== key))}
      />
      <p class="actions">
        <button type="button" onClick={addType}>
          {words.edit.addType}
        </button>
        <span class="quiet number">{tell(words.edit.total, { count: seatsIn(plan) })}</span>
      </p>
      <Drawing sketch={sketch} history={history} />
      <PlanFiles sketch={sketch} onSketch={history.change} />
    </fieldset>
  )
}

function Drawing({ sketch, history }: { sketch: Sketch; history: PlanHistory }): VNode {
  const [tool, setTool] = useState<Tool>('select')
  const [form, setForm] = useState<Form>('rectangle')
  const [isSnapping, setSnapping] = useState(true)
  const [picked, setPicked] = useState<Picked>(NOTHING)
  const [typeKey, setTypeKey] = useState('')
  const [tracing, setTracing] = useState<Tracing | null>(null)
  const numbered = sketch.types.filter(({ isNumbered }) => isNumbered)
  const type = numbered.find(({ key }) => key === typeKey) ?? numbered[0]
  const changeOne = (row: Chosen, part: Partial<PlanRow>): void =>
    history.change({ ...sketch, types: changeRow(sketch.types, row.key, row.label, part) })
  const add = (block: { rows: number; seats: number; first?: string; at?: SeatSpot }): void => {
    if (type === undefined) return
    const first = block.first ?? nextRowOf(type)
    history.change({ ...sketch, types: addBlock(sketch.types, type.key, { ...block, first }) })
  }
  const drawFrame = (frame: Frame): void => {
    if (tool === 'draw') add({ ...blockIn(frame), at: { x: frame.x, y: frame.y } })
    else if (tool === 'area') draw(addArea(sketch, { key: newKey(), name: words.plan.parts.standing, frame, form }))
    else if (tool === 'stage' || tool === 'walk' || tool === 'other')
      draw(addShape(sketch, { key: newKey(), kind: KIND_OF[tool], frame, form }))
  }
  /** What is drawn is chosen next: it is named, moved and bent. */
  const draw = ({ sketch: after, name }: { sketch: Sketch; name: string }): void => {
    history.change(after)
    setPicked({ rows: [], pieces: [name] })
    setTool('select')
  }
  const step = (after: Sketch, isFirst: boolean): void => (isFirst ? history.change(after) : history.amend(after))
  const hand: HandProps = {
    ...{ sketch, picked, tool, isSnapping },
    onPress: (at, isMore) => {
      const after = pickedAfter(picked, at, isMore)
      setPicked(after)
      if ('row' in at && tool in FIELD_OF) toggleSeat(at)
      return after
    },
    onFrame: (frame, isMore) => {
      if (tool === 'select') setPicked(frame === null ? NOTHING : pickIn(sketch, frame, isMore ? picked : NOTHING))
      else if (frame !== null) drawFrame(frame)
    },
    onMove: (by, isFirst) => step(moveAll(sketch, picked, by), isFirst),
    onCorner: (name, index, to, isFirst) =>
      step(
        reshape(sketch, name, (outline) => bendCorners(outline, index, to)),
        isFirst,
      ),
    onTrace: ({ x, y }) =>
      setTracing((before) => (before === null ? null : { ...before, x: before.x + x, y: before.y + y })),
  }
  const toggleSeat = ({ row, number }: { row: Chosen; number: number }): void => {
    const field = FIELD_OF[tool as keyof typeof FIELD_OF]
    const current = sketch.types.find(({ key }) => key === row.key)?.rows.find(({ label }) => label === row.label)
    if (current !== undefined) changeOne(row, { [field]: toggled(current[field], number) })
  }
  const takeKey = (key: PlanKey): void => {
    const copy = (): void => {
      const copied = copyAll(sketch, picked, newKey)
      history.change(copied.sketch)
      setPicked(copied.picked)
    }
    const move = (x: number, y: number) => (): void =>
      history.change(moveAll(sketch, picked, { x: x * SNAP, y: y * SNAP }))
    const acts: Record<PlanKey, () => void> = {
      ...{ left: move(-1, 0), right: move(1, 0), up: move(0, -1), down: move(0, 1) },
      ...{ 'far-left': move(-FAR, 0), 'far-right': move(FAR, 0), 'far-up': move(0, -FAR), 'far-down': move(0, FAR) },
      ...{ undo: history.undo, redo: history.redo, copy },
      remove: () => {
        history.change(removeAll(sketch, picked))
        setPicked(NOTHING)
      },
      all: () => setPicked(pickAll(sketch)),
      none: () => setPicked(NOTHING),
    }
    acts[key]()
  }
  return (
    <>
      {type === undefined ? null : <BlockForm types={numbered} type={type} onType={setTypeKey} onAdd={add} />}
      <ToolChoice tool={tool} onTool={setTool} hasTracing={tracing !== null} />
      <FormChoice {...{ form, isSnapping }} onForm={setForm} onSnapping={setSnapping} />
      <p class="hint">{words.edit.planHint}</p>
      <PlanMap {...hand} tracing={tracing} onKey={takeKey} />
      <RowToolbar sketch={sketch} picked={picked} history={history} onPick={setPicked} onKey={takeKey} />
      <PieceToolbar sketch={sketch} picked={picked} history={history} />
      <RowList
        plan={sketch.types}
        chosen={picked.rows[0] ?? null}
        onChoose={(row) => setPicked({ rows: [row], pieces: [] })}
        onChange={changeOne}
      />
      <PieceList sketch={sketch} history={history} onPick={setPicked} />
      <TracingTools tracing={tracing} onTracing={setTracing} />
    </>
  )
}

const newKey = (): string => `new ${crypto.randomUUID()}`

/** A press chooses one thing; with Shift it adds one or takes it out. What is chosen already stays, to be moved with the rest. */
function pickedAfter(before: Picked, at: Parameters<HandProps['onPress']>[0], isMore: boolean): Picked {
  const rest: Picked =
    'piece' in at
      ? { ...before, pieces: before.pieces.filter((name) => name !== at.piece) }
      : { ...before, rows: before.rows.filter(({ key, label }) => key !== at.row.key || label !== at.row.label) }
  const isKnown = rest.rows.length + rest.pieces.length < before.rows.length + before.pieces.length
  if (isKnown) return isMore ? rest : before
  const from = isMore ? before : NOTHING
  return 'piece' in at ? { ...from, pieces: [...from.pieces, at.piece] } : { ...from, rows: [...from.rows, at.row] }
}

function ToolChoice(props: { tool: Tool; onTool: (tool: Tool) => void; hasTracing: boolean }): VNode {
  const group = (legend: string, tools: readonly Tool[]): VNode => (
    <fieldset class="tool-choice">
      <legend>{legend}</legend>
      {tools.map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="tool"
            value={name}
            checked={props.tool === name}
            onChange={() => props.onTool(name)}
          />
          <span>{tellTool(name)}</span>
        </label>
      ))}
    </fieldset>
  )
  return (
    <div class="tool-choices">
      {group(words.plan.draw, props.hasTracing ? [...DRAWING_TOOLS, 'trace'] : DRAWING_TOOLS)}
      {group(words.plan.pressSeat, SEAT_TOOLS)}
    </div>
  )
}

function FormChoice(props: {
  form: Form
  isSnapping: boolean
  onForm: (form: Form) => void
  onSnapping: (isOn: boolean) => void
}): VNode {
  const forms = ['rectangle', 'ellipse', 'half'] as const
  return (
    <div class="finder">
      <label class="field">
        {words.plan.form}
        <select
          name="plan-form"
          value={props.form}
          onChange={(event) => props.onForm(forms.find((one) => one === event.currentTarget.value) ?? 'rectangle')}
        >
          {forms.map((one) => (
            <option key={one} value={one}>
              {words.plan.forms[one]}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          name="plan-snap"
          checked={props.isSnapping}
          onChange={(event) => props.onSnapping(event.currentTarget.checked)}
        />
        {words.plan.snap}
      </label>
    </div>
  )
}
