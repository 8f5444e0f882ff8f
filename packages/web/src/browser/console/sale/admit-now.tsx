import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AdmittedNow, Pulse } from '../kit/answers.ts'
import { call, explain } from '../kit/api.ts'
import { NumberInput } from '../kit/number-field.tsx'
import { page, tell, words } from '../kit/page.ts'
import { act, base, pulse } from './sale-state.ts'

/** Typing a number asks for its effect once, not with every digit. */
const PREVIEW_MS = 250
const COUNT = 10
const COUNT_MAX = 1_000_000

/** Lets so many visitors in at once, past the rate. What it would do is shown before it is done. */
export function AdmitNow(): VNode | null {
  const [count, setCount] = useState(COUNT)
  const [said, setSaid] = useState<{ text: string; isBad: boolean } | null>(null)
  const now = pulse.value
  const preview = usePreview(count, now)
  if (now === null || !page.mayChange) return null
  const admit = (): void => {
    act(call<AdmittedNow>('POST', `${base}/queue/admit`, { count })).then(
      (done) => setSaid({ text: tell(words.admitNow.done, { count: done.admitted }), isBad: false }),
      (error) => setSaid({ text: explain(error), isBad: true }),
    )
  }
  return (
    <form
      class="admit-now"
      aria-label={words.admitNow.title}
      onSubmit={(event) => {
        event.preventDefault()
        admit()
      }}
    >
      <label class="field" for="admit-count">
        {words.admitNow.title}
        <NumberInput
          id="admit-count"
          name="admit-count"
          min={1}
          max={COUNT_MAX}
          value={count}
          onNumber={(next) => {
            setSaid(null)
            setCount(next)
          }}
        />
        <span class="hint">{words.admitNow.hint}</span>
      </label>
      <div role="status">
        {preview !== null && <p class="notice">{sayAdmission(preview, count)}</p>}
        {said !== null && <p class={said.isBad ? 'notice bad' : 'notice good'}>{said.text}</p>}
      </div>
      <p class="actions">
        <button type="submit" disabled={preview === null || preview.admitted === 0}>
          {tell(words.admitNow.button, { count })}
        </button>
      </p>
    </form>
  )
}

/** Asked again whenever the number or the state of the room changes. */
function usePreview(count: number, now: Pulse | null): AdmittedNow | null {
  const [preview, setPreview] = useState<AdmittedNow | null>(null)
  const state = now === null ? '' : `${now.waiting} ${now.active} ${now.phase} ${now.settings.capacity}`
  useEffect(() => {
    if (state === '' || !page.mayChange) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      call<AdmittedNow>('POST', `${base}/queue/admit/preview`, { count }).then(
        (answer) => isCurrent && setPreview(answer),
        () => isCurrent && setPreview(null),
      )
    }, PREVIEW_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [count, state])
  return preview
}

/** "7 of 10 can go in now: every place inside is then taken." */
function sayAdmission({ admitted, limitedBy }: AdmittedNow, count: number): string {
  const effect = tell(words.admitNow.effect, { count: admitted, asked: count })
  if (limitedBy === null) return effect
  const reasons: Readonly<Record<string, string>> = words.admitNow.limits
  return `${effect} ${reasons[limitedBy] ?? reasons.held}`
}
