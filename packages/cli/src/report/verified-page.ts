import { isSound } from '@seatwise/checker'
import type { VerifiedSale } from '../verify/verify-sale.ts'
import { escapeHtml } from './escape-html.ts'
import { count } from './format.ts'
import { fairnessRows } from './format-fairness.ts'
import { invariantTable } from './invariant-table.ts'
import { page, table } from './page.ts'

/** What `seatwise verify` found, as a page that can be published. */
export function verifiedPage(
  eventId: string,
  {
    report,
    fairness,
    estimates,
    seats,
  }: Pick<VerifiedSale, 'report' | 'fairness' | 'estimates'> & { seats: VerifiedSale['seats'] | null },
): string {
  const isGood = isSound(report)
  return page('How the sale went', [
    `<h1>How the sale went</h1><p class="quiet">Event ${escapeHtml(eventId)}, from ${count(report.recordCount)} records</p>`,
    `<section class="verdict ${isGood ? 'go' : 'no-go'}"><strong>${isGood ? 'Nothing was broken' : 'Something was broken'}</strong></section>`,
    ...(seats === null ? [] : [seatTable(seats)]),
    ...(fairness === null
      ? []
      : ['<h2>Fairness</h2>', table('How fair the line was', [], fairnessRows(fairness, estimates))]),
    '<h2>Proof</h2>',
    invariantTable(report.invariants),
  ])
}

function seatTable({ available, held, sold, blocked }: VerifiedSale['seats']): string {
  return table(
    'Seats',
    [],
    [
      ['sold', count(sold)],
      ['held', count(held)],
      ['free', count(available)],
      ['blocked', count(blocked)],
    ],
  )
}
