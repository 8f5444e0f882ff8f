import type { Pace } from './pace-meter.ts'

/** `measured` from this sale, or `configured`: from settings and assumptions, before enough visitors have left the floor. */
export type EstimateBasis = 'measured' | 'configured'

/** Why an estimate is later than the one shown before, or why there is none. */
export type EstimateReason =
  | 'paused'
  | 'not_open'
  | 'seats_may_run_out'
  | 'rate_lowered'
  | 'capacity_lowered'
  | 'priority'
  | 'returns'
  | 'slower'

/** How long a visitor still waits, in seconds. Null only with a reason. */
export type Estimate = KnownEstimate | UnknownEstimate

export interface KnownEstimate {
  readonly p50: number
  readonly p90: number
  readonly basis: EstimateBasis
  /** The seats may be sold before the turn comes. */
  readonly reason: 'seats_may_run_out' | null
}

export interface UnknownEstimate {
  readonly p50: null
  readonly p90: null
  readonly basis: EstimateBasis
  readonly reason: 'paused' | 'not_open' | 'seats_may_run_out'
}

/** With fewer leavers than this, the estimate counts as configured. */
const SERVED_MIN = 5
/** With a smaller chance of a seat than this no time is told, and with a greater one than the other no doubt. */
const CHANCE_MIN = 0.05
const CHANCE_SURE = 0.9

/** How long the ticket at `rank` still waits. */
export function estimateWait(rank: number, pace: Pace): Estimate {
  const { room, outlook, absentShare, served } = pace
  const basis = served >= Math.min(SERVED_MIN, room.capacity) ? 'measured' : 'configured'
  if (room.closed !== null) return { p50: null, p90: null, basis, reason: room.closed }
  // Absentees are passed over at no cost; the visitor who asks is present.
  const present = rank * (1 - absentShare)
  const chance = room.seats === null ? 1 : chanceOfSeat(present, pace)
  if (chance < CHANCE_MIN) return { p50: null, p90: null, basis, reason: 'seats_may_run_out' }
  const p50 = outlook.waitFor(present + 0.5)
  const p90 = p50 * (1 + 1.28 * Math.min(1, doubtOf(present, pace))) + SECONDS_OFF
  return { p50, p90, basis, reason: chance < CHANCE_SURE ? 'seats_may_run_out' : null }
}

/** Admissions come in batches, and times are rounded. */
const SECONDS_OFF = 0.5
/** Visitors will not behave exactly as they did, however many were measured. */
const DRIFT = 0.06
/** How far the mean of stays may be off as long as slow visitors have not been seen to the end. */
const UNSEEN = 0.35

/** The expected relative error: single admissions are irregular, few stays were measured, slow ones not seen, visitors change. */
function doubtOf(present: number, { served, observedSeconds, stays }: Pace): number {
  const unseen = (UNSEEN * stays.mean) / (stays.mean + observedSeconds)
  return Math.sqrt(1 / (present + 1) + 1 / (served + 1) + unseen ** 2 + DRIFT ** 2)
}

/** The chance that the visitors before this one leave a seat: the seats they take are many independent numbers. */
function chanceOfSeat(present: number, { outlook, demand, room }: Pace): number {
  const before = outlook.admittedOf(present)
  const left = outlook.admittedMax - before
  if (left === Number.POSITIVE_INFINITY) return 1
  const { variance, leavers, kept } = demand
  const taking = before + room.floor
  const deviation = Math.sqrt(variance * (taking + taking ** 2 / leavers)) / kept
  return normalShare((left - 0.5) / Math.max(0.5, deviation))
}

/** The share of a normal distribution below a value, by the logistic approximation. */
function normalShare(value: number): number {
  return 1 / (1 + Math.exp(-1.702 * value))
}

export interface Shown {
  /** Room clock at which the visitor was told to expect the turn. */
  dueAt: number
}

export interface ShownEstimate {
  readonly p50: number | null
  readonly p90: number | null
  readonly basis: EstimateBasis
  readonly reason: EstimateReason | null
}

/**
 * What to show now, given what was shown before. An estimate changes only by more than the tolerance, and grows only with
 * a reason (R11). If smaller changes could make it shorter, noise would ratchet it down to the earliest value ever measured.
 */
export function showEstimate(
  estimate: Estimate,
  nowMs: number,
  before: Shown | null,
  riseReason: EstimateReason,
): { view: ShownEstimate; shown: Shown | null } {
  const { p50, p90, basis, reason } = estimate
  if (p50 === null) return { view: estimate, shown: before }
  const dueAt = nowMs + p50 * 1000
  const range = Math.max(0, p90 - p50)
  const view = (seconds: number, why: EstimateReason | null): ShownEstimate => ({
    p50: Math.round(seconds),
    p90: Math.round(seconds + range),
    basis,
    reason: why ?? reason,
  })
  if (before === null) return { view: view(p50, null), shown: { dueAt } }
  const left = Math.max(0, before.dueAt - nowMs)
  const tolerated = Math.max(TOLERATED_MS, left * TOLERATED_SHARE)
  if (Math.abs(dueAt - before.dueAt) <= tolerated) return { view: view(Math.floor(left / 1000), null), shown: before }
  return { view: view(p50, dueAt > before.dueAt ? riseReason : null), shown: { dueAt } }
}

/** Smaller changes are not shown: a number that fluctuates is worse than one that is slightly wrong. */
const TOLERATED_MS = 1_000
const TOLERATED_SHARE = 0.05
