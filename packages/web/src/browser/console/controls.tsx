import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Preview, Pulse } from './answers.ts'
import { call, explain } from './api.ts'
import { sayEffect } from './effect-words.ts'
import { formatCount } from './format.ts'
import { Icon } from './icon.tsx'
import { page, tell, words } from './page.ts'
import { act, base, pulse } from './sale-state.ts'

/** What is about to be applied: some of the four things that are changed in a hurry. */
interface Draft {
  paused?: boolean
  ratePerMinute?: number
  capacity?: number
  message?: string
}

/** Typing a number asks for its effect once, not with every digit. */
const PREVIEW_MS = 250

/** Pause, rate, capacity and message: always in reach, shown with their effect before they count. */
export function Controls(): VNode | null {
  const [draft, setDraft] = useState<Draft>({})
  const [said, setSaid] = useState<{ text: string; isBad: boolean } | null>(null)
  const now = pulse.value
  if (now === null) return null
  if (!page.mayChange) return <p class="notice">{words.controls.readOnly}</p>
  const change = (part: Draft): void => {
    setSaid(null)
    setDraft(withoutSame({ ...draft, ...part }, now))
  }
  const apply = (): void => {
    const { message, ...settings } = draft
    const body = { ...settings, ...(message === undefined ? {} : { message: message.trim() === '' ? null : message }) }
    act(call('PATCH', `${base}/room`, body)).then(
      () => {
        setDraft({})
        setSaid({ text: words.controls.applied, isBad: false })
      },
      (error) => setSaid({ text: explain(error), isBad: true }),
    )
  }
  const isChanged = Object.keys(draft).length > 0
  return (
    <form
      class="controls"
      id="controls"
      aria-label={words.controls.title}
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) apply()
      }}
    >
      <PauseControl now={now} draft={draft} change={change} />
      <NumberControl now={now} draft={draft} change={change} name="ratePerMinute" label={words.controls.rate} />
      <NumberControl now={now} draft={draft} change={change} name="capacity" label={words.controls.capacity} />
      <div class="effect wide" role="status">
        {isChanged && <Effect now={now} draft={draft} />}
        {said !== null && <p class={said.isBad ? 'notice bad' : 'notice good'}>{said.text}</p>}
      </div>
      {isChanged && (
        <p class="actions wide">
          <button type="submit" class="main">
            {words.controls.apply}
          </button>
          <button type="button" onClick={() => setDraft({})}>
            {words.controls.cancel}
          </button>
        </p>
      )}
      <label class="field control wide">
        <span>{words.controls.message}</span>
        <textarea
          rows={2}
          maxLength={500}
          name="message"
          aria-describedby="message-hint"
          value={draft.message ?? now.message ?? ''}
          onInput={(event) => change({ message: event.currentTarget.value })}
        />
        <span class="hint" id="message-hint">
          {words.controls.messageHint}
        </span>
      </label>
    </form>
  )
}

interface ControlProps {
  now: Pulse
  draft: Draft
  change: (part: Draft) => void
}

function PauseControl({ now, draft, change }: ControlProps): VNode {
  const isPaused = draft.paused ?? now.paused
  return (
    <div class="control field">
      <span id="pause-label">{isPaused ? words.phase.paused : words.phase.open}</span>
      <button
        type="button"
        class={`big ${isPaused ? 'main' : ''}`}
        aria-describedby="pause-hint"
        onClick={() => change({ paused: !isPaused })}
      >
        <Icon name={isPaused ? 'arrow' : 'pause'} />
        {isPaused ? words.controls.goOn : words.controls.pause}
      </button>
      <span class="hint" id="pause-hint">
        {isPaused ? words.controls.goOnHint : words.controls.pauseHint}
      </span>
    </div>
  )
}

function NumberControl(props: ControlProps & { name: 'ratePerMinute' | 'capacity'; label: string }): VNode {
  const { now, draft, change, name, label } = props
  const value = draft[name] ?? now.settings[name]
  const set = (next: number): void => {
    if (Number.isFinite(next) && next >= 1) change({ [name]: Math.round(next) })
  }
  // A step is what makes a difference: about a tenth.
  const step = Math.max(1, 10 ** Math.floor(Math.log10(Math.max(1, now.settings[name]))) / 2)
  return (
    <div class="control field">
      <label for={name}>{label}</label>
      <div class="stepper">
        <button type="button" aria-label={`${label}: ${words.controls.slower}`} onClick={() => set(value - step)}>
          <Icon name="minus" />
        </button>
        <input
          id={name}
          name={name}
          class="number"
          type="number"
          inputMode="numeric"
          min={1}
          max={1_000_000}
          required
          value={value}
          onInput={(event) => set(event.currentTarget.valueAsNumber)}
        />
        <button type="button" aria-label={`${label}: ${words.controls.faster}`} onClick={() => set(value + step)}>
          <Icon name="plus" />
        </button>
      </div>
      <span class="hint number">
        {draft[name] === undefined
          ? '\u00a0'
          : tell(words.controls.change, { before: formatCount(now.settings[name]), after: formatCount(value) })}
      </span>
    </div>
  )
}

/** What the change would mean, as the server works it out. */
function Effect({ now, draft }: { now: Pulse; draft: Draft }): VNode {
  const [preview, setPreview] = useState<Preview | null>(null)
  const { message, ...pace } = draft
  const wanted = JSON.stringify(pace)
  useEffect(() => {
    setPreview(null)
    if (wanted === '{}') return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      call<Preview>('POST', `${base}/room/preview`, JSON.parse(wanted) as object).then(
        (answer) => isCurrent && setPreview(answer),
        () => undefined,
      )
    }, PREVIEW_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [wanted])
  return (
    <div class="notice">
      {preview !== null && sayEffect(preview, now, pace).map((sentence) => <p key={sentence}>{sentence}</p>)}
      {message !== undefined && <p>{tell(words.controls.effectMessage, { count: now.waiting })}</p>}
    </div>
  )
}

/** What is as it was needs no applying. */
function withoutSame(draft: Draft, now: Pulse): Draft {
  const { paused, ratePerMinute, capacity, message } = draft
  return {
    ...(paused === undefined || paused === now.paused ? {} : { paused }),
    ...(ratePerMinute === undefined || ratePerMinute === now.settings.ratePerMinute ? {} : { ratePerMinute }),
    ...(capacity === undefined || capacity === now.settings.capacity ? {} : { capacity }),
    ...(message === undefined || message === (now.message ?? '') ? {} : { message }),
  }
}
