import type { SettledSums, Settlement } from '@seatwise/ledger'
import { formatMoney, type Language, say, WORDS } from '@seatwise/web'
import type { Block, Paper, TableBlock } from './press/paper.ts'

export interface SettlementFacts {
  readonly settlement: Settlement
  /** The event's name or the organization's. */
  readonly name: string
  /** Days of the period; null for all sales. */
  readonly period: { readonly from: string; readonly to: string } | null
  readonly timeZone: string
  readonly at: Date
}

const FIGURES = ['gross', 'fees', 'tax', 'refunds', 'refundedTax', 'charges', 'payout'] as const

export function composeSettlement(language: Language, facts: SettlementFacts): Paper {
  const words = WORDS[language].paper
  const { settlement, name, period, timeZone, at } = facts
  const { totals, days, events, unnumbered, chargesUnknown } = settlement
  return {
    ...{ title: `${words.settlement} · ${name}`, language, author: name, createdAt: at.toISOString() },
    sheets: [
      [
        { kind: 'heading', text: words.settlement },
        { kind: 'text', text: name, style: 'large' },
        { kind: 'gap' },
        {
          kind: 'facts',
          rows: [
            [words.period, period === null ? words.allTime : say(language, words.until, period)],
            [words.timeZone, timeZone],
          ],
        },
        ...(unnumbered === 0 ? [] : [note(say(language, words.unnumbered, { count: unnumbered }))]),
        ...(chargesUnknown === 0 ? [] : [note(say(language, words.chargesUnknown, { count: chargesUnknown }))]),
        { kind: 'gap' },
        sums(language, words.total, totals, () => ''),
        { kind: 'gap' },
        { kind: 'text', text: words.byDay, style: 'large' },
        sums(language, words.day, days, ({ day }) => day),
        { kind: 'gap' },
        { kind: 'text', text: words.byEvent, style: 'large' },
        sums(language, words.event, events, ({ event }) => event),
      ],
    ],
  }
}

const note = (text: string): Block => ({ kind: 'text', text, style: 'quiet' })

function sums<Row extends SettledSums>(
  language: Language,
  label: string,
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): TableBlock {
  const words = WORDS[language].paper
  const width = 0.84 / FIGURES.length
  return {
    kind: 'table',
    columns: [
      { label, align: 'left', width: 0.16 },
      ...FIGURES.map((figure) => ({ label: words[figure], align: 'right' as const, width })),
    ],
    rows: rows.map((row) => [
      nameOf(row) === '' ? row.currency : nameOf(row),
      ...FIGURES.map((figure) => formatMoney(language, row[figure], row.currency)),
    ]),
    sums: [],
  }
}
