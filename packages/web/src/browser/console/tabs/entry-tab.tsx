import type { VNode } from 'preact'
import { call } from '../kit/api.ts'
import { ConfirmButton } from '../kit/confirm-button.tsx'
import { formatCount, formatInstant } from '../kit/format.ts'
import { page, tell, words } from '../kit/page.ts'
import { useAnswer } from '../kit/use-answer.ts'
import { act, acts, base } from '../sale/sale-state.ts'
import { Invitations } from './invitations.tsx'

const LOOK_MS = 5_000
const REASONS: Readonly<Record<string, string>> = words.entry.reasons

interface Refusal {
  readonly reason: string
  readonly count: number
  readonly lastAt: string
}

interface Verdict {
  readonly id: string
  readonly ticketId: string
  readonly refusals: number
  readonly lastAt: string
  readonly appealedAt: string | null
  readonly standsAt: string | null
}

/** Who could not join: counts by reason, and devices that an operator may allow another ticket. */
export function EntryTab(): VNode {
  return (
    <div class="stack">
      <Refusals />
      <Verdicts />
      {page.mayChange && <Invitations />}
    </div>
  )
}

function Refusals(): VNode {
  const { answer, problem } = useAnswer<{ items: Refusal[] }>(`${base}/queue/refusals`, LOOK_MS, acts.value)
  const items = answer?.items ?? []
  return (
    <section class="stack">
      <h2>{words.entry.refused}</h2>
      <p>{words.entry.lead}</p>
      {items.length === 0 ? (
        <p role="status">{problem === '' ? words.entry.none : problem}</p>
      ) : (
        <div class="table-scroll">
          <table>
            <caption class="heard">{words.entry.refused}</caption>
            <thead>
              <tr>
                <th scope="col">{words.entry.reason}</th>
                <th scope="col">{words.entry.count}</th>
                <th scope="col">{words.entry.last}</th>
              </tr>
            </thead>
            <tbody>
              {items.map(({ reason, count, lastAt }) => (
                <tr key={reason}>
                  <th scope="row">{REASONS[reason] ?? reason}</th>
                  <td class="number">{formatCount(count)}</td>
                  <td class="number">{formatInstant(lastAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Verdicts(): VNode {
  const { answer, problem } = useAnswer<{ items: Verdict[] }>(`${base}/queue/verdicts?limit=200`, LOOK_MS, acts.value)
  const items = answer?.items ?? []
  return (
    <section class="stack">
      <h2>{words.entry.verdicts}</h2>
      <p>{words.entry.verdictsLead}</p>
      {items.length === 0 ? (
        <p role="status">{problem === '' ? words.entry.noVerdicts : problem}</p>
      ) : (
        <div class="table-scroll">
          <table>
            <caption class="heard">{words.entry.verdicts}</caption>
            <thead>
              <tr>
                <th scope="col">{words.entry.reference}</th>
                <th scope="col">{words.entry.has}</th>
                <th scope="col">{words.entry.count}</th>
                <th scope="col">{words.entry.last}</th>
                <th scope="col">
                  <span class="heard">{words.entry.stand}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((verdict) => (
                <VerdictRow key={verdict.id} verdict={verdict} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function VerdictRow({ verdict }: { verdict: Verdict }): VNode {
  const { id, ticketId, refusals, lastAt, appealedAt, standsAt } = verdict
  // As the page of the visitor shows it.
  const reference = id.slice(0, 8).toUpperCase()
  return (
    <tr>
      <th scope="row">
        <code>{reference}</code>
        {appealedAt !== null && standsAt === null && <span class="quiet"> {words.entry.asked}</span>}
      </th>
      <td class="code">{ticketId}</td>
      <td class="number">{formatCount(refusals)}</td>
      <td class="number">{formatInstant(lastAt)}</td>
      <td class="actions">
        {standsAt !== null && words.entry.stands}
        {standsAt === null && page.mayChange && (
          <ConfirmButton
            label={words.entry.stand}
            question={tell(words.entry.standAsk, { reference })}
            yes={words.entry.stand}
            onYes={() => act(call('POST', `${base}/queue/verdicts/${id}/stand`))}
          />
        )}
      </td>
    </tr>
  )
}
