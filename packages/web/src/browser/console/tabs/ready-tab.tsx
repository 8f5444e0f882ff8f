import type { VNode } from 'preact'
import type { Word } from '../../../words/say.ts'
import type { Readiness } from '../kit/answers.ts'
import { formatInstant } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { tell, words } from '../kit/page.ts'
import { useAnswer } from '../kit/use-answer.ts'
import { base } from '../sale/sale-state.ts'

const { verdict: _, ...names } = words.ready
const NAMES: Readonly<Record<string, Word>> = names
/** What each finding is called among the words; those that are not here are not good and not known. */
const SENTENCES: Readonly<Record<string, Word>> = {
  'ledger ': words.ready.ledgerGo,
  'ledger away': words.ready.away,
  'line ': words.ready.lineGo,
  'line away': words.ready.away,
  'clocks ': words.ready.clocksGo,
  'clocks differ': words.ready.clocksDiffer,
  'window ': words.ready.windowGo,
  'window over': words.ready.windowOver,
  'stock ': words.ready.stockGo,
  'stock none': words.ready.stockNone,
  'capacity ': words.ready.capacityGo,
  'capacity above_stock': words.ready.capacityAbove,
  'pace ': words.ready.paceGo,
  'pace too_slow': words.ready.paceSlow,
  'paused paused': words.ready.pausedNow,
  'payments ': words.ready.paymentsGo,
  'payments sandbox': words.ready.paymentsSandbox,
  'mail ': words.ready.mailGo,
  'mail none': words.ready.mailNone,
  'rehearsal ': words.ready.rehearsalGo,
  'rehearsal none': words.ready.rehearsalNone,
  'rehearsal failed': words.ready.rehearsalFailed,
  'rehearsal old': words.ready.rehearsalOld,
}
const PARTS: Readonly<Record<string, string>> = words.doctor.parts
const FINDINGS: Readonly<Record<string, string>> = words.doctor.says
const MARKS = { go: 'check', caution: 'info', 'no-go': 'close' } as const
const AS_VERDICT = { good: 'go', weak: 'caution', bad: 'no-go' } as const

/** Go or no-go: what should be right before the sale opens. */
export function ReadyTab(): VNode {
  const { answer, problem, again } = useAnswer<Readiness>(`${base}/readiness`, null)
  if (answer === null) return <p role="status">{problem}</p>
  return (
    <div class="stack">
      <p class="verdict" role="status">
        <Mark verdict={answer.verdict} />
        {words.ready.verdict[answer.verdict]}
      </p>
      <p class="quiet">{words.ready.lead}</p>
      <ul class="checks">
        {answer.checks.map(({ check, verdict, problem: wrong, facts }) => (
          <li key={check} class={verdict}>
            <Mark verdict={verdict} />
            <strong>{tell(NAMES[check] ?? check)}</strong>
            <span>{tell(SENTENCES[`${check} ${wrong ?? ''}`] ?? wrong ?? '', fillingOf(facts))}</span>
          </li>
        ))}
      </ul>
      {answer.deployment.length > 0 && (
        <>
          <h3>{words.ready.deployment}</h3>
          <ul class="checks">
            {answer.deployment.map(({ what, verdict, says, problem: wrong, facts = {} }) => (
              <li key={what} class={AS_VERDICT[verdict]}>
                <Mark verdict={AS_VERDICT[verdict]} />
                <strong>{PARTS[what] ?? what}</strong>
                {/* A newer server may know what this page does not. */}
                <span>{tell(FINDINGS[wrong ?? ''] ?? says, facts)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <button type="button" onClick={again}>
          {words.ready.again}
        </button>
      </p>
    </div>
  )
}

function Mark({ verdict }: { verdict: Readiness['verdict'] }): VNode {
  return (
    <span class={`mark ${verdict}`}>
      <Icon name={MARKS[verdict]} />
      <span class="heard">{words.ready.verdict[verdict]}</span>
    </span>
  )
}

function fillingOf(facts: Readiness['checks'][number]['facts']): Record<string, string | number> {
  const filling: Record<string, string | number> = { count: Number(facts.seats ?? 0) }
  for (const [name, value] of Object.entries(facts)) {
    const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
    filling[name] = isTime ? formatInstant(value) : (value ?? '–')
  }
  return filling
}
