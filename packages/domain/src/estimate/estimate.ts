import { type Outlook, timeFor } from './outlook.ts'
import type { Throughput } from './throughput.ts'

/**
 * How long somebody still waits.
 *
 * With `ahead` people before you, `rate` admissions a second, a share of absentees who cost no slot, and everybody
 * leaving with the same small chance `hazard` each second, the people ahead shrink as d/dt = -rate - hazard·ahead.
 * Solved for zero: ln(1 + hazard·ahead/rate) / hazard. Without leavers that is simply ahead ÷ rate. Where it is known since
 * when people are on the floor, the rate is not taken to be even: the outlook says when slots will be free.
 */
export interface Pace {
  paused: boolean
  ratePerMinute: number
  capacity: number
  /** Free slots on the floor right now. */
  freeSlots: number
  /** Seats that can be promised to those who wait; null where stock does not matter. */
  seats: number | null
  measured: Throughput
  /** Null while too little is known of how long people stay. */
  outlook: Outlook | null
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
  // Their turn comes only if somebody gives seats back, and nobody knows when that will be.
  if (pace.seats !== null && rank >= pace.seats) return null
  // Somebody has to leave the floor first: how long they take decides everything, and too few have shown.
  if (rank >= pace.freeSlots && !isServiceKnown(pace)) return null
  const { absentShare, leaveHazard, spread, served } = pace.measured
  const rate = expectedRate(pace)
  if (rate <= 0) return null
  // Those who stand in line without being there are passed over at no cost; the visitor who asks is there.
  const present = rank * (1 - absentShare)
  const ahead = Math.max(0, present + 1 - Math.max(0, Math.min(pace.freeSlots, 1)))
  const p50 = pace.outlook === null ? timeFor(ahead, rate, leaveHazard) : pace.outlook.waitFor(present + 0.5)
  // Three independent doubts: single admissions come irregularly, the rate is only measured, and from few at first.
  const doubt = Math.sqrt(1 / Math.max(1, ahead) + spread ** 2 + (pace.outlook === null ? 0 : 1 / Math.max(1, served)))
  return { p50, p90: p50 * (1 + 1.28 * Math.min(doubt, 1)) }
}

/** From fewer than so many, the time that people take is anybody's guess. */
const SERVED_MIN = 5

function isServiceKnown({ capacity, measured }: Pace): boolean {
  return measured.serviceMs !== null && measured.served >= Math.min(SERVED_MIN, capacity)
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
 * What to show now, given what was shown before. An estimate changes only by more than the tolerance, and moves away only
 * together with a reason. If it came nearer for less, it would always be the earliest that noise has ever made of it.
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

/** Smaller changes are swallowed: a number that wobbles is worse than one that is a little off. */
const TOLERATED_MS = 1_000
const TOLERATED_SHARE = 0.05

function rounded(p50: number, range: number, reason: EstimateReason | null, shown: Shown) {
  return { p50: Math.round(p50), p90: Math.round(p50 + range), reason, shown }
}
