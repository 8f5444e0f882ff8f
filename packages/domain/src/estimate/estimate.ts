import { type Outlook, timeFor } from './outlook.ts'
import type { Throughput } from './throughput.ts'

/**
 * How long a visitor still waits.
 *
 * With `ahead` visitors before, `rate` admissions a second, a share of absentees who cost no slot, and every visitor
 * leaving with the same small chance `hazard` each second, the visitors ahead shrink as d/dt = -rate - hazard·ahead.
 * Solved for zero: ln(1 + hazard·ahead/rate) / hazard. Without leavers that is simply ahead ÷ rate. Where the times of the
 * visitors on the floor are known, the rate is not assumed constant: the outlook predicts when slots become free.
 */
export interface Pace {
  paused: boolean
  ratePerMinute: number
  capacity: number
  /** Free slots on the floor right now. */
  freeSlots: number
  /** Seats that can be promised to waiting visitors; null where stock does not matter. */
  seats: number | null
  measured: Throughput
  /** Null while too few visitors have left to predict the others. */
  outlook: Outlook | null
}

export interface Estimate {
  p50: number
  p90: number
}

/** Why an estimate is later than the one shown before. */
export type EstimateReason = 'paused' | 'rate_lowered' | 'capacity_lowered' | 'priority' | 'returns' | 'slower'

/** Seconds until the ticket at `rank` is admitted; null when that cannot be known. */
export function estimateWait(rank: number, pace: Pace): Estimate | null {
  if (pace.paused) return null
  // The turn comes only if a buyer gives seats back, at an unknown time.
  if (pace.seats !== null && rank >= pace.seats) return null
  // A visitor has to leave the floor first, and too few have left to predict when.
  if (rank >= pace.freeSlots && !isServiceKnown(pace)) return null
  const { absentShare, leaveHazard, spread, served } = pace.measured
  const rate = expectedRate(pace)
  if (rate <= 0) return null
  // Absentees are passed over at no cost; the visitor who asks is present.
  const present = rank * (1 - absentShare)
  const ahead = Math.max(0, present + 1 - Math.max(0, Math.min(pace.freeSlots, 1)))
  const p50 = pace.outlook === null ? timeFor(ahead, rate, leaveHazard) : pace.outlook.waitFor(present + 0.5)
  // Three independent errors: single admissions are irregular, the rate is measured, and at first from few admissions.
  const doubt = Math.sqrt(1 / Math.max(1, ahead) + spread ** 2 + (pace.outlook === null ? 0 : 1 / Math.max(1, served)))
  return { p50, p90: p50 * (1 + 1.28 * Math.min(doubt, 1)) }
}

/** With fewer leavers than this, the time on the floor is not predicted. */
const SERVED_MIN = 5

function isServiceKnown({ capacity, measured }: Pace): boolean {
  return measured.serviceMs !== null && measured.served >= Math.min(SERVED_MIN, capacity)
}

/**
 * Admissions a second to expect: the measured rate, but no more than rate and floor can sustain. While a floor fills,
 * tickets are admitted faster than they ever will be again.
 */
export function expectedRate(pace: Pace): number {
  const allowed = Math.min(rateOfSettings(pace), rateOfFloor(pace))
  const measured = pace.measured.admissionsPerSecond
  return measured === null || measured <= 0 ? allowed : Math.min(measured, allowed)
}

export function rateOfSettings({ ratePerMinute }: Pace): number {
  return ratePerMinute / 60
}

/** How many leave a full floor each second; no limit before the first visitor has left. */
export function rateOfFloor({ capacity, measured: { serviceMs } }: Pace): number {
  return serviceMs === null ? Number.POSITIVE_INFINITY : (capacity * 1000) / Math.max(1, serviceMs)
}

export interface Shown {
  /** Room clock at which the visitor was told to expect the turn. */
  dueAt: number
}

/**
 * What to show now, given what was shown before. An estimate changes only by more than the tolerance, and grows only with
 * a reason (R11). If smaller changes could make it shorter, noise would ratchet it down to the earliest value ever measured.
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
  if (before === null) return rounded(estimate.p50, range, null, { dueAt })
  const left = Math.max(0, before.dueAt - nowMs)
  const tolerated = Math.max(TOLERATED_MS, left * TOLERATED_SHARE)
  if (Math.abs(dueAt - before.dueAt) <= tolerated) return rounded(Math.floor(left / 1000), range, null, before)
  return rounded(estimate.p50, range, dueAt > before.dueAt ? reason : null, { dueAt })
}

/** Smaller changes are not shown: a number that fluctuates is worse than one that is slightly wrong. */
const TOLERATED_MS = 1_000
const TOLERATED_SHARE = 0.05

function rounded(p50: number, range: number, reason: EstimateReason | null, shown: Shown) {
  return { p50: Math.round(p50), p90: Math.round(p50 + range), reason, shown }
}
