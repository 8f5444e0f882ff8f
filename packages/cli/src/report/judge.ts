import type { RehearsalReport } from './rehearsal-report.ts'

/** Whether the sale may go ahead like this, and what stands against it. */
export interface Judgement {
  readonly go: boolean
  /** What forbids it. */
  readonly reasons: readonly string[]
  /** What does not forbid it, and should be known. */
  readonly remarks: readonly string[]
}

/** A visitor who waits longer for a ticket reloads the page and joins twice. */
const JOIN_P99_MS_MAX = 2_000
/** More visitors than these without an answer is no accident. */
const LOST_SHARE_MAX = 0.01
/** The budget for estimates. */
const ETA_ERROR_MAX = 0.15

type Facts = Omit<RehearsalReport, 'version' | 'judgement'>

export function judge(facts: Facts): Judgement {
  const reasons: string[] = []
  const remarks: string[] = []
  const against = (isTrue: boolean, sentence: string): void => void (isTrue && reasons.push(sentence))
  const remark = (isTrue: boolean, sentence: string): void => void (isTrue && remarks.push(sentence))

  against(facts.oversold > 0, `${facts.oversold} seats were sold that do not exist.`)
  against(facts.violations > 0, `${facts.violations} times a rule was broken that must always hold.`)
  const p99 = facts.joins.p99
  against(p99 !== null && p99 > JOIN_P99_MS_MAX, `Joining took ${p99?.toFixed(0)} ms for one in a hundred.`)
  const lost = lostShare(facts)
  against(
    lost > LOST_SHARE_MAX,
    `${(lost * 100).toFixed(1)} % of the visitors never got an answer or lost their place.`,
  )
  const staying = facts.outcomes.sold_out ?? 0
  against(
    facts.isComplete && staying > 0 && facts.sold < facts.seats,
    `${facts.seats - facts.sold} seats were left although ${staying} people were told that all are sold.`,
  )
  remark(!facts.isComplete, 'The rehearsal was stopped before all visitors had finished.')
  remark(facts.invariants === null, 'Neither the ledger nor the log could be read, so nothing was verified.')
  remark(
    facts.invariants !== null && facts.verifiedFrom !== 'ledger',
    'Only the public log could be read: the ledger was not verified.',
  )
  const error = facts.eta.medianError
  remark(error === null, 'No visitor waited long enough to judge the estimates.')
  remark(
    error !== null && error > ETA_ERROR_MAX,
    `Estimates were off by ${((error ?? 0) * 100).toFixed(0)} % in the middle.`,
  )
  remark(
    facts.goodput.failedShare > LOST_SHARE_MAX,
    `${(facts.goodput.failedShare * 100).toFixed(1)} % of all requests had to be repeated.`,
  )
  return { go: reasons.length === 0, reasons, remarks }
}

/** Those who did what they were told and were let down. */
function lostShare({ outcomes, arrived }: Facts): number {
  const lost = (outcomes.unanswered ?? 0) + (outcomes.refused ?? 0) + (outcomes.no_show ?? 0)
  return lost / Math.max(1, arrived)
}
