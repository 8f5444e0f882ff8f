import type { Fairness, Spread } from '@seatwise/checker'
import type { EstimateFigures } from '@seatwise/domain'
import { count, duration, percent } from './format.ts'

/** How fair the line was, one line for each figure: what it is, and what it came to. */
export function fairnessRows(fairness: Fairness, sale: EstimateFigures | null): readonly (readonly [string, string])[] {
  const { estimates, overshoot } = fairness
  return [
    ['joined, let in, left', `${count(fairness.joined)}, ${count(fairness.admitted)}, ${count(fairness.left)}`],
    ['overshoot of capacity, of rate', `${overshoot.capacity}, ${overshoot.rate}`],
    ...fairness.classes.flatMap((each): [string, string][] => [
      [
        `${CLASSES[each.class]}: let in against the order of arrival`,
        `${count(each.inversions)} pairs of ${count(each.admitted)} people (Kendall tau ${each.kendallTau?.toFixed(6) ?? '–'})`,
      ],
      [`${CLASSES[each.class]}: the same without visitors who were away`, `${count(each.inversionsOfPresent)} pairs`],
      [`${CLASSES[each.class]}: waiting time`, spread(each.waitMs)],
    ]),
    ['no-shows: called, but away', `${count(fairness.noShows)} (${percent(fairness.noShowShare)})`],
    [
      'error of the estimates at joining',
      sale === null || sale.judged === 0
        ? 'no visitor waited long enough'
        : `median ${percent(sale.medianError)} of ${count(sale.judged)} visitors; known for ${percent(sale.knownShare)}, within P90 ${percent(sale.withinP90)}`,
    ],
    [
      'error of all estimates that visitors were told',
      estimates.judged === 0
        ? 'no records of them, or no visitor waited long enough'
        : `median ${percent(estimates.medianError)}, p90 ${percent(estimates.p90Error)} of ${count(estimates.judged)} estimates; known in ${percent(estimates.knownShare)} of the answers`,
    ],
    [
      'turns that came before the estimated P50, P90',
      `${percent(estimates.withinP50)}, ${percent(estimates.withinP90)} (honest: 50 %, 90 %)`,
    ],
  ]
}

export function formatFairness(fairness: Fairness, sale: EstimateFigures | null): string {
  return fairnessRows(fairness, sale)
    .map(([what, figure]) => `${what.padEnd(58)} ${figure}`)
    .join('\n')
}

function spread(wait: Spread | null): string {
  if (wait === null) return '–'
  const { p10, p50, p90, p99, max } = wait
  return `p10 ${duration(p10)}, p50 ${duration(p50)}, p90 ${duration(p90)}, p99 ${duration(p99)}, most ${duration(max)}`
}

const CLASSES = { 0: 'normal', 1: 'elevated', 2: 'VIP', 3: 'premium' } as const
