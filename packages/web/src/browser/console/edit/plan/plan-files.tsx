import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { tell, words } from '../../kit/page.ts'
import { exportPlan, importPlan } from './plan-wire.ts'
import { READY_PLANS, type ReadyPlan, readyPlan } from './ready-plans.ts'
import type { Sketch } from './sketch.ts'

interface FilesProps {
  readonly sketch: Sketch
  readonly onSketch: (sketch: Sketch) => void
}

/** Plans that are there already: ready ones, and files. */
export function PlanFiles({ sketch, onSketch }: FilesProps): VNode {
  const [said, setSaid] = useState('')
  const read = (file: File | undefined): void => {
    file?.text().then((text) => {
      try {
        onSketch(importPlan(text))
        setSaid(words.edit.imported)
      } catch (error) {
        setSaid(tell(words.edit.badPlan, { why: error instanceof Error ? error.message : String(error) }))
      }
    }, String)
  }
  return (
    <div class="actions">
      <Gallery sketch={sketch} onSketch={onSketch} />
      <label class="file">
        {words.edit.importPlan}
        <input type="file" accept="application/json,.json" onChange={(event) => read(event.currentTarget.files?.[0])} />
      </label>
      <button type="button" onClick={() => save(sketch)}>
        {words.edit.exportPlan}
      </button>
      <span role="status">{said}</span>
    </div>
  )
}

/** A ready plan takes the place of all shapes, and of the categories that are not stored yet; those that are sold stay. */
function Gallery({ sketch, onSketch }: FilesProps): VNode {
  const [name, setName] = useState<ReadyPlan>('theatre')
  const take = (): void => {
    const stored = sketch.types.filter(({ id }) => id !== null)
    const { currency = 'EUR' } = sketch.types[0] ?? {}
    const ready = readyPlan(name, { currency, words: words.plan.parts })
    onSketch({ types: [...stored, ...ready.types], shapes: ready.shapes })
  }
  return (
    <>
      <label class="field">
        {words.plan.ready}
        <select
          name="ready-plan"
          value={name}
          onChange={(event) => setName(READY_PLANS.find((one) => one === event.currentTarget.value) ?? name)}
        >
          {READY_PLANS.map((one) => (
            <option key={one} value={one}>
              {words.plan.houses[one]}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={take}>
        {words.plan.useReady}
      </button>
    </>
  )
}

function save(sketch: Sketch): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([exportPlan(sketch)], { type: 'application/json' }))
  link.download = 'seat-plan.json'
  link.click()
  URL.revokeObjectURL(link.href)
}
