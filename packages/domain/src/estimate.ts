import type { Throughput } from './throughput.ts'

/**
 * How long somebody still waits.
 *
 * With `ahead` people before you, `rate` admissions a second, a share of absentees who cost no slot, and everybody
 * leaving with the same small chance `hazard` each second, the people ahead shrink as d/dt = -rate - hazard·ahead.
 * Solved for zero: ln(1 + hazard·ahead/rate) / hazard. Without leavers that is simply ahead ÷ rate.
 */
export interface Pace {
  paused: boolean
  ratePerMinute: number
  capacity: number
  /** Free slots on the floor right now. */
  freeSlots: number
  measured: Throughput
}

export interface Estimate {
  p50: number
  p90: number
}

/** Why an estimate is later than the one shown before. */
export type EstimateReason = 'paused' | 'rate_lowered' | 'capacity_lowered' | 'priority' | 'returns' | 'slower'

/** Seconds until the ticket at `rank` is admitted; null when nobody can know. */
export function estimateWait(rank: number, pace: Pace): Estimate | null {
  if (pace.paused) return null
  // The floor is full and nobody has left it yet: how long they take decides everything, and nobody knows.
  if (pace.freeSlots <= 0 && pace.measured.serviceMs === null) return null
  const rate = expectedRate(pace)
  if (rate <= 0) return null
  const { absentShare, leaveHazard, spread } = pace.measured
  // Those who stand in line without being there are passed over at no cost; the visitor who asks is there.
  const ahead = Math.max(0, rank * (1 - absentShare) + 1 - Math.max(0, Math.min(pace.freeSlots, 1)))
  const p50 = leaveHazard > 1e-9 ? Math.log1p((leaveHazard * ahead) / rate) / leaveHazard : ahead / rate
  // Two independent doubts: single admissions come irregularly, and the rate itself is only measured.
  const doubt = Math.sqrt(1 / Math.max(1, ahead) + spread ** 2)
  return { p50, p90: p50 * (1 + 1.28 * Math.min(doubt, 1)) }
}

/**
 * Admissions a second to count on: what was measured, but no more than rate and floor can keep up. While a floor fills,
 * people go in faster than they ever will again.
 */
export function expectedRate(pace: Pace): number {
  const allowed = Math.min(rateOfSettings(pace), rateOfFloor(pace))
  const measured = pace.measured.admissionsPerSecond
  return measured === null || measured <= 0 ? allowed : Math.min(measured, allowed)
}

export function rateOfSettings({ ratePerMinute }: Pace): number {
  return ratePerMinute / 60
}

/** How many leave a full floor each second; no limit before anybody has left. */
export function rateOfFloor({ capacity, measured: { serviceMs } }: Pace): number {
  return serviceMs === null ? Number.POSITIVE_INFINITY : (capacity * 1000) / Math.max(1, serviceMs)
}

export interface Shown {
  /** Room clock at which the visitor was told to expect their turn. */
  dueAt: number
}

/**
 * What to show now, given what was shown before. An estimate may always come nearer; it moves away only by more than
 * the tolerance and only together with a reason.
 */
export function showEstimate(
  estimate: Estimate | null,
  nowMs: number,
  before: Shown | null,
  reason: EstimateReason,
): { p50: number | null; p90: number | null; reason: EstimateReason | null; shown: Shown | null } {
  if (estimate === null) return { p50: null, p90: null, reason: before === null ? null : reason, shown: before }
  const dueAt = nowMs + estimate.p50 * 1000
  const range = Math.max(0, estimate.p90 - estimate.p50)
  if (before !== null && dueAt > before.dueAt) {
    const left = Math.max(0, before.dueAt - nowMs)
    const tolerated = Math.max(RISE_TOLERATED_MS, left * RISE_TOLERATED_SHARE)
    if (dueAt <= before.dueAt + tolerated) return rounded(left / 1000, range, null, before)
    return rounded(estimate.p50, range, reason, { dueAt })
  }
  return rounded(estimate.p50, range, null, { dueAt })
}

/** Smaller delays are swallowed: a number that wobbles is worse than one that is a little off. */
const RISE_TOLERATED_MS = 2_000
const RISE_TOLERATED_SHARE = 0.1

function rounded(p50: number, range: number, reason: EstimateReason | null, shown: Shown) {
  return { p50: Math.round(p50), p90: Math.round(p50 + range), reason, shown }
}
