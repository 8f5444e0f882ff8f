import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { call, explain } from '../kit/api.ts'
import { ConfirmButton } from '../kit/confirm-button.tsx'
import { tell, words } from '../kit/page.ts'
import { useAnswer } from '../kit/use-answer.ts'
import { act, acts, base } from '../sale/sale-state.ts'

const KINDS = { code: words.entry.codesKind, address: words.entry.addressesKind } as const
type Kind = keyof typeof KINDS

interface Count {
  readonly kind: Kind
  readonly total: number
  readonly used: number
}

/** Who is invited: lists are sent as they are, counted, and withdrawn. No answer has them again. */
export function Invitations(): VNode {
  const { answer, problem } = useAnswer<{ items: Count[] }>(`${base}/invitations`, null, acts.value)
  const [said, setSaid] = useState('')
  const [codes, setCodes] = useState<readonly string[]>([])
  const draw = (form: HTMLFormElement): void => {
    const count = Number(new FormData(form).get('count'))
    act(call<{ codes: string[] }>('POST', `${base}/invitations`, { count })).then(
      (made) => {
        setCodes(made.codes)
        setSaid(tell(words.entry.drawn, { count: made.codes.length }))
      },
      (error) => setSaid(explain(error)),
    )
  }
  return (
    <section class="stack">
      <h2>{words.entry.invitations}</h2>
      <p>{words.entry.invitationsLead}</p>
      <ListForm onSaid={setSaid} />
      <form
        class="finder"
        onSubmit={(event) => {
          event.preventDefault()
          draw(event.currentTarget)
        }}
      >
        <label class="field">
          {words.entry.drawCount}
          <input name="count" type="number" min={1} max={1_000} required value={10} />
        </label>
        <button type="submit">{words.entry.draw}</button>
      </form>
      <p role="status">{said === '' ? problem : said}</p>
      {codes.length > 0 && (
        <label class="field">
          <span class="heard">{words.entry.codesKind}</span>
          <textarea class="code" rows={Math.min(12, codes.length)} readOnly value={codes.join('\n')} />
        </label>
      )}
      <ul>
        {(answer?.items ?? []).map(({ kind, total, used }) => (
          <li key={kind}>
            {tell(words.entry.counts, { kind: KINDS[kind], total, used })}{' '}
            <ConfirmButton
              label={words.entry.withdraw}
              question={words.entry.withdrawAsk}
              yes={words.entry.withdraw}
              onYes={() => act(call('DELETE', `${base}/invitations?kind=${kind}`))}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ListForm({ onSaid }: { onSaid: (text: string) => void }): VNode {
  const text = useRef<HTMLTextAreaElement>(null)
  const take = (file: File | undefined): void => {
    if (file === undefined || text.current === null) return
    const area = text.current
    file.text().then(
      (read) => {
        area.value = read
      },
      (error) => onSaid(explain(error)),
    )
  }
  const send = (form: HTMLFormElement): void => {
    const fields = new FormData(form)
    const path = `${base}/invitations.csv?kind=${String(fields.get('kind'))}`
    act(call<{ added: number }>('POST', path, String(fields.get('list')))).then(
      ({ added }) => {
        form.reset()
        onSaid(tell(words.entry.added, { count: added }))
      },
      (error) => onSaid(explain(error)),
    )
  }
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        send(event.currentTarget)
      }}
    >
      <label class="field">
        {words.entry.kind}
        <select name="kind">
          {Object.entries(KINDS).map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {words.entry.file}
        <input
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          onChange={(event) => take(event.currentTarget.files?.[0])}
        />
      </label>
      <label class="field">
        {words.entry.listLabel}
        <textarea ref={text} name="list" rows={6} required autocomplete="off" spellcheck={false} />
      </label>
      <p>
        <button type="submit" class="main">
          {words.entry.add}
        </button>
      </p>
    </form>
  )
}
