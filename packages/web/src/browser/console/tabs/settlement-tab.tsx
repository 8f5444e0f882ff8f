import type { VNode } from 'preact'
import { tell, words } from '../kit/page.ts'
import { useAnswer } from '../kit/use-answer.ts'
import { acts, base } from '../sale/sale-state.ts'
import { type Settled, SettlementNotes, SumsTable } from '../settlement/sums-table.tsx'

const LOOK_MS = 10_000

/** What the event took, gave back and is paid out, by day at the venue. */
export function SettlementTab(): VNode {
  const path = `${base}/settlement`
  const { answer, problem } = useAnswer<Settled>(path, LOOK_MS, acts.value)
  if (answer === null) return <p role="status">{problem}</p>
  return (
    <div class="stack">
      <p>{tell(words.settlement.lead)}</p>
      <SettlementNotes settled={answer} />
      <SumsTable
        title={words.settlement.title}
        label={words.settlement.day}
        rows={[
          ...answer.days.map((sums) => ({ name: sums.day, sums })),
          ...answer.totals.map((sums) => ({ name: words.settlement.total, sums })),
        ]}
      />
      <p class="actions">
        <a href={`${path}.csv`}>{words.settlement.csv}</a> <a href={`${path}.pdf`}>{words.settlement.pdf}</a>
      </p>
    </div>
  )
}
