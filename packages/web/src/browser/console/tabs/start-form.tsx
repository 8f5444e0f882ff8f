import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call, explain } from '../kit/api.ts'
import { page, tell, words } from '../kit/page.ts'
import { useAnswer } from '../kit/use-answer.ts'
import { fromField, toField, venueZone } from '../kit/venue-clock.ts'
import { act, base, pulse, sale } from '../sale/sale-state.ts'

const DRAWS = { none: 'drawNone', commit: 'drawCommit', drand: 'drawDrand' } as const
const LOOK_AT_DRAW_MS = 5_000

interface Schedule {
  opensAt?: string | null
  closesAt?: string | null
}

interface Draw {
  mode: keyof typeof DRAWS
  state: 'announced' | 'sealed' | 'revealed' | null
  sealed?: { count: number } | null
  beacon?: { round: number; signature: string | null } | null
}

/** How visitors come in before the line opens: pre-queue, draw, and in a room without an event its opening. */
export function StartForm(): VNode | null {
  const [said, setSaid] = useState('')
  const room = useAnswer<Schedule>(base, null)
  const settings = pulse.value?.settings
  if (settings === undefined || room.answer === null) return null
  const isRoom = sale.kind === 'room'
  const times = { ...(isRoom ? { opensAt: room.answer.opensAt, closesAt: room.answer.closesAt } : {}) }
  const draw = settings.draw === 'commit' || settings.draw === 'drand' ? settings.draw : 'none'
  const save = (form: HTMLFormElement): void => {
    const fields = new FormData(form)
    const time = (name: string): string | null => fromField(venueZone, String(fields.get(name) ?? ''))
    const start = { preQueueAt: time('preQueueAt'), draw: fields.get('draw') }
    const asked = isRoom
      ? call('PATCH', base, { ...start, opensAt: time('opensAt'), closesAt: time('closesAt') })
      : call('PATCH', `${base}/room`, start)
    act(asked).then(
      () => {
        setSaid(words.settings.saved)
        room.again()
      },
      (error) => setSaid(explain(error)),
    )
  }
  return (
    <section class="stack">
      <h2>{words.start.title}</h2>
      <p>{words.start.lead}</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save(event.currentTarget)
        }}
      >
        <fieldset class="fields" disabled={!page.mayChange}>
          <legend class="heard">{words.start.title}</legend>
          {Object.entries({ ...times, preQueueAt: settings.preQueueAt as string | null }).map(([name, value]) => (
            <label key={name} class="field">
              {words.start[name as 'preQueueAt' | 'opensAt' | 'closesAt']}
              <input name={name} type="datetime-local" step={1} defaultValue={toField(venueZone, value ?? null)} />
            </label>
          ))}
          <label class="field">
            {words.start.draw}
            <select name="draw" defaultValue={draw}>
              {Object.entries(DRAWS).map(([mode, word]) => (
                <option key={mode} value={mode}>
                  {words.start[word]}
                </option>
              ))}
            </select>
          </label>
        </fieldset>
        <p role="status">{said}</p>
        {page.mayChange && (
          <p class="actions">
            <button type="submit">{words.start.save}</button>
          </p>
        )}
      </form>
      {draw !== 'none' && <DrawState />}
    </section>
  )
}

/** How far the draw is; while the beacon's round is missing, an operator may bring it. */
function DrawState(): VNode | null {
  const { answer: draw, again } = useAnswer<Draw>(`${base}/queue/draw`, LOOK_AT_DRAW_MS)
  const [said, setSaid] = useState('')
  if (draw === null || draw.state === null) return null
  const { beacon = null, sealed = null } = draw
  const isMissing = draw.state === 'sealed' && beacon !== null && beacon.signature === null
  const bring = (form: HTMLFormElement): void => {
    const signature = String(new FormData(form).get('signature') ?? '').trim()
    call('POST', `${base}/queue/draw/beacon`, { round: beacon?.round, signature }).then(again, (error) =>
      setSaid(explain(error)),
    )
  }
  return (
    <>
      <p role="status">{tell(words.start[draw.state], { count: sealed?.count ?? 0, round: beacon?.round ?? 0 })}</p>
      {beacon !== null && <p class="hint">{tell(words.start.round, { round: beacon.round })}</p>}
      {isMissing && page.mayChange && (
        <form
          class="stack measure"
          onSubmit={(event) => {
            event.preventDefault()
            bring(event.currentTarget)
          }}
        >
          <label class="field">
            {words.start.signature}
            <input name="signature" required pattern="[0-9a-f]{96}" autocomplete="off" spellcheck={false} />
          </label>
          <p role="alert">{said}</p>
          <p class="actions">
            <button type="submit">{words.start.bring}</button>
          </p>
        </form>
      )}
    </>
  )
}
