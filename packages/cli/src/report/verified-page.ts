import { isSound } from '@seatwise/checker'
import type { VerifiedSale } from '../verify/verify-sale.ts'
import { escapeHtml } from './escape-html.ts'
import { count } from './format.ts'
import { fairnessRows } from './format-fairness.ts'
import { invariantTable } from './invariant-table.ts'
import { page, table } from './page.ts'

/** What `seatwise verify` found, as a page that can be published. */
export function verifiedPage(eventId: string, { report, fairness, seats }: VerifiedSale): string {
  const isGood = isSound(report)
  const { available, held, sold, blocked } = seats
  return page('How the sale went', [
    `<h1>How the sale went</h1><p class="quiet">Event ${escapeHtml(eventId)}, from ${count(report.recordCount)} records</p>`,
    `<section class="verdict ${isGood ? 'go' : 'no-go'}"><strong>${isGood ? 'Nothing was broken' : 'Something was broken'}</strong></section>`,
    table(
      'Seats',
      [],
      [
        ['sold', count(sold)],
        ['held', count(held)],
        ['free', count(available)],
        ['blocked', count(blocked)],
      ],
    ),
    ...(fairness === null ? [] : ['<h2>Fairness</h2>', table('How fair the line was', [], fairnessRows(fairness))]),
    '<h2>Proof</h2>',
    invariantTable(report.invariants),
  ])
}
