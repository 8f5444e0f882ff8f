import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Preview, Pulse } from '../kit/answers.ts'
import { call, explain } from '../kit/api.ts'
import { NotApplied, useLeaveWarning } from '../kit/asked.tsx'
import { page, tell, words } from '../kit/page.ts'
import { type Draft, MessageControl, NumberControl, PauseControl } from './control-fields.tsx'
import { sayEffect } from './effect-words.ts'
import { act, base, pulse } from './sale-state.ts'

/** Typing a number asks for its effect once, not with every digit. */
const PREVIEW_MS = 250

/** Pause, rate, capacity and message: always in reach, shown with their effect before they count. */
export function Controls(): VNode | null {
  const [asked, setDraft] = useState<Draft>({})
  const [said, setSaid] = useState<{ text: string; isBad: boolean } | null>(null)
  const now = pulse.value
  // Another operator may have applied the same meanwhile.
  const draft = now === null ? {} : withoutSame(asked, now)
  const isChanged = Object.keys(draft).length > 0
  useLeaveWarning(isChanged)
  if (now === null) return null
  if (!page.mayChange) return <p class="notice">{words.controls.readOnly}</p>
  const change = (part: Draft): void => {
    setSaid(null)
    setDraft({ ...draft, ...part })
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
        <p class="actions wide asked">
          <NotApplied />
          <button type="submit" class="main">
            {words.controls.apply}
          </button>
          <button type="button" onClick={() => setDraft({})}>
            {words.controls.cancel}
          </button>
        </p>
      )}
      <MessageControl now={now} draft={draft} change={change} />
    </form>
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
