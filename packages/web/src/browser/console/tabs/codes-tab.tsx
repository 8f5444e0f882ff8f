import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call, explain } from '../kit/api.ts'
import { tell, words } from '../kit/page.ts'
import { fromField, toField, venueZone } from '../kit/venue-clock.ts'
import { act, base, sale } from '../sale/sale-state.ts'
import { EventCodes } from './event-codes.tsx'

const CLASSES = ['elevated', 'vip', 'premium'] as const
const DAY_MS = 86_400_000

/** Codes of the event, and priority codes of its line. */
export function CodesTab(): VNode {
  return (
    <div class="stack">
      {sale.kind === 'event' && <EventCodes />}
      <PriorityCodes />
    </div>
  )
}

/** Made here, shown once, given away elsewhere. */
function PriorityCodes(): VNode {
  const [codes, setCodes] = useState<string[]>([])
  const [said, setSaid] = useState('')
  const make = (form: HTMLFormElement): void => {
    const fields = new FormData(form)
    const body = {
      class: Number(fields.get('class')),
      count: Number(fields.get('count')),
      expiresAt: fromField(venueZone, String(fields.get('until'))),
    }
    act(call<{ codes: string[] }>('POST', `${base}/priority-codes`, body)).then(
      (answer) => {
        setCodes(answer.codes)
        setSaid(tell(words.codes.made, { count: answer.codes.length }))
      },
      (error) => setSaid(explain(error)),
    )
  }
  const copy = (): void => {
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setSaid(words.codes.copied),
      (error) => setSaid(explain(error)),
    )
  }
  return (
    <section class="stack">
      <h2>{words.codes.title}</h2>
      <p>{words.codes.lead}</p>
      <form
        class="finder"
        onSubmit={(event) => {
          event.preventDefault()
          make(event.currentTarget)
        }}
      >
        <label class="field">
          {words.codes.class}
          <select name="class">
            {CLASSES.map((name, index) => (
              <option key={name} value={index + 1}>
                {words.tables.classes[name]}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          {words.codes.count}
          <input name="count" type="number" min={1} max={1_000} required value={10} />
        </label>
        <label class="field">
          {words.codes.until}
          <input
            name="until"
            type="datetime-local"
            required
            value={toField(venueZone, new Date(Date.now() + 30 * DAY_MS).toISOString())}
          />
        </label>
        <button type="submit" class="main">
          {words.codes.make}
        </button>
      </form>
      <p role="status">{said}</p>
      {codes.length > 0 && (
        <>
          <label class="field">
            <span class="heard">{words.tabs.codes}</span>
            <textarea class="code" rows={Math.min(12, codes.length)} readOnly value={codes.join('\n')} />
          </label>
          <p>
            <button type="button" onClick={copy}>
              {words.codes.copy}
            </button>
          </p>
        </>
      )}
    </section>
  )
}
