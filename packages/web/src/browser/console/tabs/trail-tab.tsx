import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { TrailEntry } from '../kit/answers.ts'
import { call, explain } from '../kit/api.ts'
import { formatInstant } from '../kit/format.ts'
import { page, words } from '../kit/page.ts'
import { acts, base } from '../sale/sale-state.ts'
import { UndoButton } from '../sale/undo-button.tsx'
import { describeAction } from './trail-words.ts'

/** Who did what, newest first, and what of it can be taken back. */
export function TrailTab(): VNode {
  const [items, setItems] = useState<TrailEntry[]>([])
  const [cursor, setCursor] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const look = (before: string | null): void => {
    const query = before === null ? '' : `?cursor=${before}`
    call<{ items: TrailEntry[]; nextCursor: string | null }>('GET', `${base}/trail${query}`).then(
      (answer) => {
        setItems((shown) => (before === null ? answer.items : [...shown, ...answer.items]))
        setCursor(answer.nextCursor)
      },
      (error) => setProblem(explain(error)),
    )
  }
  useEffect(() => look(null), [acts.value])
  if (items.length === 0) return <p role="status">{problem === '' ? words.trail.none : problem}</p>
  return (
    <div class="stack">
      <div class="table-scroll">
        <table class="trail">
          <caption class="heard">{words.tabs.trail}</caption>
          <thead>
            <tr>
              <th scope="col">{words.trail.when}</th>
              <th scope="col">{words.trail.who}</th>
              <th scope="col">{words.trail.what}</th>
              <th scope="col">
                <span class="heard">{words.trail.undo}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((entry) => (
              <tr key={entry.id}>
                <td class="number">{formatInstant(entry.at)}</td>
                <td>{entry.actorName ?? words.trail.deleted}</td>
                <td>
                  {describeAction(entry)}
                  {entry.undoes !== null && <span class="quiet"> ({words.trail.undoes})</span>}
                </td>
                <td>
                  <UndoButton entry={entry} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="actions">
        {cursor !== null && (
          <button type="button" onClick={() => look(cursor)}>
            {words.trail.more}
          </button>
        )}
        {page.mayChange && <a href={`${base}/trail.csv`}>{words.trail.export}</a>}
      </p>
    </div>
  )
}
