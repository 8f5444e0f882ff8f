import type { VNode } from 'preact'
import type { Pulse } from '../kit/answers.ts'
import { askedClass, InForce, NotApplied } from '../kit/asked.tsx'
import { formatCount } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { NumberInput } from '../kit/number-field.tsx'
import { words } from '../kit/page.ts'

/** What is asked for and not applied yet: some of the four things that are changed in a hurry. */
export interface Draft {
  paused?: boolean
  ratePerMinute?: number
  capacity?: number
  message?: string
}

interface ControlProps {
  now: Pulse
  draft: Draft
  change: (part: Draft) => void
}

/** The state is the one in force, and the button what can be done about it; pressed, it is asked for and no more. */
export function PauseControl({ now, draft, change }: ControlProps): VNode {
  const isAsked = draft.paused !== undefined
  const { paused } = now
  return (
    <div class={`control field ${askedClass(isAsked)}`}>
      <span class="in-force">
        <span class={`chip ${paused ? 'paused' : 'open'}`}>{paused ? words.phase.paused : words.phase.open}</span>
        {isAsked && <NotApplied />}
      </span>
      <button
        type="button"
        class={`big ${paused && !isAsked ? 'main' : ''}`}
        aria-pressed={isAsked}
        aria-describedby="pause-hint"
        onClick={() => change({ paused: isAsked ? paused : !paused })}
      >
        <Icon name={paused ? 'arrow' : 'pause'} />
        {paused ? words.controls.goOn : words.controls.pause}
      </button>
      <span class="hint" id="pause-hint">
        {paused ? words.controls.goOnHint : words.controls.pauseHint}
      </span>
    </div>
  )
}

const MAX = 1_000_000

export function NumberControl(props: ControlProps & { name: 'ratePerMinute' | 'capacity'; label: string }): VNode {
  const { now, draft, change, name, label } = props
  const inForce = now.settings[name]
  const value = draft[name] ?? inForce
  const set = (next: number): void => change({ [name]: Math.min(MAX, Math.max(1, Math.round(next))) })
  // A step is what makes a difference: about a tenth.
  const step = Math.max(1, 10 ** Math.floor(Math.log10(Math.max(1, inForce))) / 2)
  const isAsked = draft[name] !== undefined
  return (
    <div class={`control field ${askedClass(isAsked)}`}>
      <label for={name}>{label}</label>
      <div class="stepper">
        <button type="button" aria-label={`${label}: ${words.controls.slower}`} onClick={() => set(value - step)}>
          <Icon name="minus" />
        </button>
        <NumberInput id={name} name={name} min={1} max={MAX} value={value} onNumber={set} />
        <button type="button" aria-label={`${label}: ${words.controls.faster}`} onClick={() => set(value + step)}>
          <Icon name="plus" />
        </button>
      </div>
      <InForce value={formatCount(inForce)} isAsked={isAsked} />
    </div>
  )
}

export function MessageControl({ now, draft, change }: ControlProps): VNode {
  const inForce = now.message ?? ''
  const isAsked = draft.message !== undefined
  return (
    <label class={`field control wide ${askedClass(isAsked)}`}>
      <span>{words.controls.message}</span>
      <textarea
        rows={2}
        maxLength={500}
        name="message"
        aria-describedby="message-hint"
        value={draft.message ?? inForce}
        onInput={(event) => change({ message: event.currentTarget.value })}
      />
      <InForce value={inForce === '' ? words.controls.noMessage : `“${inForce}”`} isAsked={isAsked} />
      <span class="hint" id="message-hint">
        {words.controls.messageHint}
      </span>
    </label>
  )
}
