import type { VNode } from 'preact'
import { formatMoney } from '../kit/format.ts'
import { tell, words } from '../kit/page.ts'

interface Sums {
  readonly currency: string
  readonly gross: number
  readonly fees: number
  readonly tax: number
  readonly refunds: number
  readonly refundedTax: number
  readonly charges: number
  readonly payout: number
}

/** A settlement as the API answers it. */
export interface Settled {
  readonly totals: readonly Sums[]
  readonly days: readonly (Sums & { readonly day: string })[]
  readonly events: readonly (Sums & { readonly eventId: string; readonly event: string })[]
  readonly unnumbered: number
  readonly chargesUnknown: number
}

const FIGURES = ['gross', 'fees', 'tax', 'refunds', 'refundedTax', 'charges', 'payout'] as const

/** One row for each day or event and currency. */
export function SumsTable(props: {
  readonly title: string
  readonly label: string
  readonly rows: readonly { readonly name: string; readonly sums: Sums }[]
}): VNode {
  const { title, label, rows } = props
  if (rows.length === 0) return <p>{words.settlement.none}</p>
  return (
    <div class="table-scroll">
      <table class="settlement">
        <caption class="heard">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            {FIGURES.map((figure) => (
              <th key={figure} scope="col">
                {words.settlement[figure]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, sums }) => (
            <tr key={`${name} ${sums.currency}`}>
              <th scope="row">{name}</th>
              {FIGURES.map((figure) => (
                <td key={figure} class="number">
                  {formatMoney(sums[figure], sums.currency)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What the sums do not have yet. */
export function SettlementNotes({ settled }: { settled: Settled }): VNode | null {
  const { unnumbered, chargesUnknown } = settled
  if (unnumbered + chargesUnknown === 0) return null
  return (
    <>
      {unnumbered > 0 && <p class="hint">{tell(words.settlement.unnumbered, { count: unnumbered })}</p>}
      {chargesUnknown > 0 && <p class="hint">{tell(words.settlement.chargesUnknown, { count: chargesUnknown })}</p>}
    </>
  )
}
