import { count, duration, megabytes, percent } from './format.ts'
import type { ActionFigures, RehearsalReport } from './rehearsal-report.ts'

/** The report on one screen of a terminal. */
export function formatSummary(report: RehearsalReport): string {
  const { actions, joins, rush, goodput, memory, judgement } = report
  const outcomes = Object.entries(report.outcomes).map(([outcome, times]) => `${count(times)} ${outcome}`)
  return [
    '',
    `${count(report.arrived)} of ${count(report.visitors)} visitors in ${duration(report.tookMs)}: ${outcomes.join(', ')}`,
    `seats      ${count(report.sold)} of ${count(report.seats)} sold, ${report.oversold} oversold`,
    `joins      ${count(joins.perSecond)}/s (at most ${count(joins.peakPerSecond)}/s), ${times(joins)}`,
    `in line    at once p99 ${duration(rush.atOnce.p99)}, ${percent(rush.askedAgainShare)} asked to come again, the last after ${duration(rush.inLineMaxMs)}`,
    `polls      ${times(actions.poll)}`,
    `entering   ${times(actions.enter)}`,
    `reserving  ${times(actions.reserve)}`,
    `paying     ${times(actions.pay)}`,
    `waiting    p50 ${duration(report.waited.p50)}, p99 ${duration(report.waited.p99)}`,
    `estimates  off by ${percent(report.eta.medianError)} in the middle (${count(report.eta.judged)} judged), known in ${percent(report.eta.knownShare)} of the answers, ${percent(report.eta.withinP90)} waited no longer than P90`,
    `           rank × service ÷ floor would be off by ${percent(report.eta.plainErrors.service)}, rank ÷ throughput by ${percent(report.eta.plainErrors.throughput)}`,
    `goodput    ${count(goodput.perSecond)} good answers/s, ${percent(goodput.failedShare)} failed`,
    `memory     server ${megabytes(memory.serverBytesMax)}, rehearsal ${megabytes(memory.driverBytesMax)}`,
    `invariants ${invariants(report)}`,
    '',
    judgement.go ? 'GO' : 'NO-GO',
    ...judgement.reasons.map((reason) => `  ✗ ${reason}`),
    ...judgement.remarks.map((remark) => `  · ${remark}`),
    '',
  ].join('\n')
}

function times({ count: answers, p50, p99, max }: ActionFigures): string {
  return `p50 ${duration(p50)}, p99 ${duration(p99)}, most ${duration(max)} (${count(answers)})`
}

function invariants({ invariants: all, verifiedFrom }: RehearsalReport): string {
  if (all === null) return 'not verified'
  const number = (status: string): number => all.filter(({ verdict }) => verdict.status === status).length
  const violated = all.filter(({ verdict }) => verdict.status === 'violated').map(({ id }) => id)
  const broken = violated.length === 0 ? '0 violated' : `${violated.length} violated (${violated.join(', ')})`
  return `${number('held')} held, ${broken}, ${number('vacuous')} not put to the test; from the ${verifiedFrom}`
}
