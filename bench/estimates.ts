import {
  errorMax,
  KNOWN_MIN,
  type Rehearsal,
  type Rehearsed,
  rehearseDistributed,
  rehearseEmbedded,
  WITHIN_P90,
} from './support/rehearse.ts'
import { writeSection } from './support/results.ts'

/*
 * node bench/estimates.ts [NAME…]
 *
 * How good the estimates of waits are: rehearsals with three shapes of arrivals, on both kinds of stores and two sizes, each
 * beside two plain formulas at the same instants. Without arguments all of them, in less than half an hour; then it writes
 * the table to RESULTS.md. A name is the beginning of one in the table, such as "embedded 10,000 spike".
 */

const SHAPES = ['spike', 'ramp', 'steady'] as const
const TEN: Rehearsal = { visitors: 10_000, seats: 1_500, capacity: 200, secondsMax: 130 }
const HUNDRED: Rehearsal = { visitors: 100_000, seats: 10_000, capacity: 1_000, secondsMax: 180, connections: 16_000 }
const KINDS = [
  { name: 'embedded 10,000', rehearsal: TEN, rehearse: rehearseEmbedded },
  { name: 'distributed 10,000', rehearsal: TEN, rehearse: rehearseDistributed },
  { name: 'distributed 100,000', rehearsal: HUNDRED, rehearse: rehearseDistributed },
] as const
const NOTES = `Answers to visitors who were admitted at least 5 s later, judged as \`seatwise verify\` does. Bars: known in ${KNOWN_MIN * 100} % of them; median error at most
15 % with 10,000 visitors and 20 % with 100,000; ${WITHIN_P90.min * 100} to ${WITHIN_P90.max * 100} % wait no longer than P90. The last two columns are the median errors of rank × average time on the floor ÷
size of the floor, and of rank ÷ admissions a second (the last 10 s, minute, 5 and 15 minutes weighted 0.4, 0.3, 0.2 and 0.1), at the same instants.`

const asked = process.argv.slice(2)
const lines = [
  '| rehearsal | judged | known | median error | within P90 | rank × service ÷ floor | rank ÷ throughput | met |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
]
for (const { name, rehearsal, rehearse } of KINDS) {
  for (const arrivals of SHAPES) {
    const what = `${name} ${arrivals}`
    if (asked.length > 0 && !asked.some((wanted) => what.startsWith(wanted))) continue
    lines.push(rowOf(what, rehearsal, await rehearse({ ...rehearsal, arrivals })))
    console.log(lines.at(-1))
  }
}
if (lines.length === 2) throw new Error(`There is no rehearsal named ${asked.join(', ')}`)
console.log(lines.join('\n'))
if (asked.length === 0) writeSection('Estimates', [...lines, '', NOTES])

function rowOf(what: string, rehearsal: Rehearsal, { eta }: Rehearsed): string {
  const { judged, knownShare, medianError, withinP90, plainErrors } = eta
  const isKnown = (knownShare ?? 0) >= KNOWN_MIN
  const isNear = (medianError ?? Number.POSITIVE_INFINITY) <= errorMax(rehearsal)
  const isHonest = (withinP90 ?? 0) >= WITHIN_P90.min && (withinP90 ?? 1) <= WITHIN_P90.max
  const shares = [knownShare, medianError, withinP90, plainErrors.service, plainErrors.throughput].map(percent)
  const met = isKnown && isNear && isHonest ? 'yes' : 'no'
  return `| ${[what, judged.toLocaleString('en'), ...shares, met].join(' | ')} |`
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`
}
