import { type Leaving, shareWaiting, timeFor } from './leaving.ts'
import type { Demand } from './seat-demand.ts'
import type { Stays } from './service-times.ts'

/** Predicts when waiting tickets will be admitted, if visitors continue to behave as measured. */
export interface Outlook {
  /** Seconds until `ahead` waiting visitors are gone, admitted or left. Where seats run out before: until they do. */
  waitFor(ahead: number): number
  /** How many of `ahead` waiting visitors are admitted by then; the others leave. */
  admittedOf(ahead: number): number
  /** How many tickets can be admitted before the last seat is taken. */
  readonly admittedMax: number
}

/** A floor, and what limits admissions to it. */
export interface FloorNow {
  readonly capacity: number
  readonly floor: number
  readonly ratePerSecond: number
  /** Null where stock does not matter. */
  readonly seats: SeatsNow | null
}

export interface SeatsNow {
  /** Seats that neither a reservation nor a promise keeps from the line. */
  readonly free: number
  /** Seats that visitors on the floor keep from it. */
  readonly claimed: number
}

/** How visitors behave, as far as it is known. */
export interface Habits {
  readonly stays: Stays
  readonly leaving: Leaving
  readonly demand: Demand
}

/** How far ahead it is computed in steps. By then every visitor now on the floor has left, and the rate is constant. */
const STEPS = 120
/** Steps in a stay of average length. */
const STEPS_A_STAY = 10
/** Smaller shares of visitors are ignored. */
const SHARE_MIN = 1e-4
/** Seats are sold whole: what is less than this is no admission. */
const ADMISSION_MIN = 0.5

/**
 * Simulates the floor step by step: visitors on it leave as earlier visitors with the same time on the floor did, each is
 * followed by the next ticket as soon as the rate allows, which leaves in turn. So a floor full of slow visitors admits no
 * ticket for a while, and a floor that is filling admits more than it will later. Each ticket takes seats as earlier ones
 * did, and gives back what it does not keep: so the last tickets wait for seats that others give back.
 */
export function lookAhead(now: FloorNow, { stays, leaving, demand }: Habits): Outlook {
  const step = Math.max(1, Math.round(stays.mean / STEPS_A_STAY))
  const { admitted, seatsLeft } = admissions(now, stays, demand, step)
  const curve = drawCurve(now, admitted, leaving, step)
  const horizon = STEPS * step
  const evenly = Math.min(now.ratePerSecond, now.capacity / stays.mean)
  const [lastGone, lastAdmitted] = [curve.gone.at(-1) ?? 0, curve.admitted.at(-1) ?? 0]
  const admittedLater = seatsLeft === null ? Number.POSITIVE_INFINITY : Math.max(0, seatsLeft) / demand.kept
  const waitLater = (ahead: number): number => {
    const still = shareWaiting(leaving, horizon)
    return horizon + Math.min(timeFor((ahead - lastGone) * still, evenly, leaving, horizon), admittedLater / evenly)
  }
  const endsAt = admittedLater >= ADMISSION_MIN ? null : secondsUntil(lastAdmitted - ADMISSION_MIN, curve, 'admitted')
  const waitFor = (ahead: number): number => {
    const seconds = ahead <= lastGone ? secondsUntil(ahead, curve, 'gone') : waitLater(ahead)
    return endsAt === null ? seconds : Math.min(seconds, endsAt)
  }
  return {
    waitFor,
    admittedMax: lastAdmitted + admittedLater,
    admittedOf(ahead) {
      if (ahead <= lastGone) return valueAt(ahead, curve)
      return lastAdmitted + (ahead - lastGone) * shareWaiting(leaving, (horizon + waitLater(ahead)) / 2)
    },
  }
}

/** How many tickets are admitted in each step, and the seats that are left at the end for further ones. */
function admissions({ capacity, floor, ratePerSecond, seats }: FloorNow, stays: Stays, demand: Demand, step: number) {
  const now = leavingNow(floor, seats === null || floor === 0 ? 0 : seats.claimed / floor, stays, step)
  const later = leavingLater(demand.claimed, stays, step)
  const [atOnce, backAtOnce] = [later.leaving[0] ?? 0, later.back[0] ?? 0]
  const admitted = new Float64Array(STEPS)
  let [free, seatsFree] = [capacity - floor, seats?.free ?? Number.POSITIVE_INFINITY]
  for (let at = 0; at < STEPS; at += 1) {
    let [leavers, back] = [now.leaving[at] ?? 0, now.back[at] ?? 0]
    for (let before = 0; before < at; before += 1) {
      const came = admitted[before] ?? 0
      leavers += came * (later.leaving[at - before] ?? 0)
      back += came * (later.back[at - before] ?? 0)
    }
    free += leavers
    seatsFree += back
    const cost = demand.claimed - backAtOnce
    const count = Math.max(0, Math.min(ratePerSecond * step, free / (1 - atOnce), seatsFree / cost))
    free -= count * (1 - atOnce)
    seatsFree -= count * cost
    admitted[at] = count
  }
  const there = capacity - free
  return { admitted, seatsLeft: seats === null ? null : seatsFree + there * (demand.claimed - demand.kept) }
}

/** By step: visitors who leave the floor, and seats that they claimed and give back. */
interface Leavers {
  readonly leaving: Float64Array
  readonly back: Float64Array
}

/** Of the visitors now on the floor, who claim so many seats each. Where they take more seats than that, less comes back. */
function leavingNow(floor: number, claimed: number, { mean, thereByAge, shareAfter, keptAfter }: Stays, step: number) {
  const leavers: Leavers = { leaving: new Float64Array(STEPS), back: new Float64Array(STEPS) }
  const spread = (count: number, age: number, shareAt: (seconds: number) => number): void => {
    for (let at = 0, share = 1; at < STEPS && share > SHARE_MIN; at += 1) {
      const after = shareAt((at + 1) * step)
      const left = count * (share - after)
      leavers.leaving[at] = (leavers.leaving[at] ?? 0) + left
      leavers.back[at] = (leavers.back[at] ?? 0) + left * (claimed - keptAfter(age + (at + 0.5) * step))
      share = after
    }
  }
  const byChance = (seconds: number): number => Math.exp(-seconds / mean)
  let known = 0
  for (const [age, count] of thereByAge.entries()) {
    if (count === 0) continue
    known += count
    const share = shareAfter(age)
    spread(count, age, share < SHARE_MIN ? byChance : (seconds) => shareAfter(age + seconds) / share)
  }
  // The entry times of the other visitors are unknown.
  if (floor > known) spread(floor - known, mean, byChance)
  return leavers
}

/** Of one visitor admitted in a step: the shares that leave in the same step, the next and so on. */
function leavingLater(claimed: number, { shareAfter, keptAfter }: Stays, step: number): Leavers {
  const share = (steps: number): number => (steps < 0 ? 1 : shareAfter(steps * step))
  // On average they are admitted in the middle of their step.
  const leaving = Float64Array.from({ length: STEPS }, (_, steps) => (share(steps - 1) - share(steps + 1)) / 2)
  return { leaving, back: leaving.map((left, steps) => left * (claimed - keptAfter(steps * step))) }
}

/** Visitors gone from the line by a time, and those among them that were admitted; all only grow. */
interface Curve {
  readonly seconds: number[]
  readonly gone: number[]
  readonly admitted: number[]
}

function drawCurve(now: FloorNow, admissions: Float64Array, leaving: Leaving, step: number): Curve {
  // Slots that are free now are taken at once, not over the whole of the first step.
  const free = Math.min(Math.max(0, now.capacity - now.floor), now.seats?.free ?? Number.POSITIVE_INFINITY)
  const atOnce = Math.max(0, Math.min(free, admissions[0] ?? 0))
  const filledAfter = Math.min(step, atOnce / now.ratePerSecond)
  const curve: Curve = { seconds: [0, filledAfter], gone: [0, atOnce], admitted: [0, atOnce] }
  let [gone, admitted] = [0, 0]
  for (const [at, count] of admissions.entries()) {
    // A later admission removes more of the original line, because some tickets before it have left by then.
    gone += count / shareWaiting(leaving, (at + 0.5) * step)
    admitted += count
    curve.seconds.push((at + 1) * step)
    curve.gone.push(gone)
    curve.admitted.push(admitted)
  }
  return curve
}

/** When a curve reaches a value. */
function secondsUntil(value: number, curve: Curve, of: 'gone' | 'admitted'): number {
  const { low, share } = find(value, curve[of])
  return between(curve.seconds, low, share)
}

/** How many were admitted by the time at which so many were gone. */
function valueAt(gone: number, curve: Curve): number {
  const { low, share } = find(gone, curve.gone)
  return between(curve.admitted, low, share)
}

function find(value: number, rising: readonly number[]): { low: number; share: number } {
  let [low, high] = [0, rising.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((rising[middle] ?? 0) < value) low = middle
    else high = middle
  }
  const [less = 0, more = 0] = [rising[low], rising[high]]
  return { low, share: more > less ? Math.max(0, (value - less) / (more - less)) : 0 }
}

function between(values: readonly number[], low: number, share: number): number {
  const [from = 0, to = 0] = [values[low], values[low + 1]]
  return from + (to - from) * share
}
