import type { Stays } from './service-times.ts'

/** Predicts when waiting tickets will be admitted, if visitors continue to behave as measured. */
export interface Outlook {
  /** Seconds until `ahead` waiting visitors are gone, admitted or left. */
  waitFor(ahead: number): number
}

/** A floor, and the rate of admissions to it. */
export interface FloorNow {
  readonly capacity: number
  readonly floor: number
  readonly ratePerSecond: number
  /** Chance of a waiting visitor to leave in one second. */
  readonly leaveHazard: number
}

/** How far ahead it is computed in steps. By then every visitor now on the floor has left, and the rate is constant. */
const STEPS = 120
/** Steps in a stay of average length. */
const STEPS_A_STAY = 10
/** Smaller shares of visitors are ignored. */
const SHARE_MIN = 1e-4

/**
 * Simulates the floor step by step: visitors on it leave as earlier visitors with the same time on the floor did, each is
 * followed by the next ticket as soon as the rate allows, which leaves in turn. So a floor full of slow visitors admits no
 * ticket for a while, and a floor that is filling admits more than it will later.
 */
export function lookAhead(now: FloorNow, stays: Stays): Outlook {
  const { capacity, ratePerSecond, leaveHazard } = now
  const step = Math.max(1, Math.round(stays.mean / STEPS_A_STAY))
  const admitted = admissions(now, stays, step)
  // Slots that are free now are taken at once, not over the whole of the first step.
  const filledAfter = Math.min(step, Math.max(0, capacity - now.floor) / ratePerSecond)
  const curve: Curve = { seconds: [0, filledAfter], gone: [0, filledAfter * ratePerSecond] }
  let gone = 0
  for (const [at, count] of admitted.entries()) {
    // A later admission removes more of the original line, because some tickets before it have left by then.
    gone += count * Math.exp(leaveHazard * (at + 0.5) * step)
    curve.seconds.push((at + 1) * step)
    curve.gone.push(gone)
  }
  const horizon = STEPS * step
  const evenly = Math.min(ratePerSecond, capacity / stays.mean)
  return {
    waitFor: (ahead) =>
      ahead <= gone
        ? secondsUntil(ahead, curve)
        : horizon + timeFor((ahead - gone) * Math.exp(-leaveHazard * horizon), evenly, leaveHazard),
  }
}

/** Seconds until so many are gone at a constant rate, while each waiting visitor leaves with the same small chance each second. */
export function timeFor(ahead: number, rate: number, leaveHazard: number): number {
  return leaveHazard > 1e-9 ? Math.log1p((leaveHazard * ahead) / rate) / leaveHazard : ahead / rate
}

/** How many tickets are admitted in each step. */
function admissions({ capacity, floor, ratePerSecond }: FloorNow, stays: Stays, step: number): Float64Array {
  const leaving = leavingNow(floor, stays, step)
  const staying = leavingLater(stays, step)
  const atOnce = staying[0] ?? 0
  const admitted = new Float64Array(STEPS)
  let free = capacity - floor
  for (let at = 0; at < STEPS; at += 1) {
    free += leaving[at] ?? 0
    for (let before = 0; before < at; before += 1) free += (admitted[before] ?? 0) * (staying[at - before] ?? 0)
    const count = Math.max(0, Math.min(ratePerSecond * step, free / (1 - atOnce)))
    free -= count * (1 - atOnce)
    admitted[at] = count
  }
  return admitted
}

/** How many of the visitors now on the floor leave in each step. */
function leavingNow(floor: number, { mean, thereByAge, shareAfter }: Stays, step: number): Float64Array {
  const leaving = new Float64Array(STEPS)
  const spread = (count: number, shareAt: (seconds: number) => number): void => {
    for (let at = 0, share = 1; at < STEPS && share > SHARE_MIN; at += 1) {
      const after = shareAt((at + 1) * step)
      leaving[at] = (leaving[at] ?? 0) + count * (share - after)
      share = after
    }
  }
  const byChance = (seconds: number): number => Math.exp(-seconds / mean)
  let known = 0
  for (const [age, count] of thereByAge.entries()) {
    if (count === 0) continue
    known += count
    const share = shareAfter(age)
    spread(count, share < SHARE_MIN ? byChance : (seconds) => shareAfter(age + seconds) / share)
  }
  // The entry times of the other visitors are unknown.
  if (floor > known) spread(floor - known, byChance)
  return leaving
}

/** The shares of the visitors admitted in one step that leave in the same step, the next and so on. */
function leavingLater({ shareAfter }: Stays, step: number): Float64Array {
  const share = (steps: number): number => (steps < 0 ? 1 : shareAfter(steps * step))
  // On average they are admitted in the middle of their step.
  return Float64Array.from({ length: STEPS }, (_, steps) => (share(steps - 1) - share(steps + 1)) / 2)
}

/** Visitors gone by a time; both only grow. */
interface Curve {
  readonly seconds: number[]
  readonly gone: number[]
}

function secondsUntil(ahead: number, { seconds, gone }: Curve): number {
  let [low, high] = [0, gone.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((gone[middle] ?? 0) < ahead) low = middle
    else high = middle
  }
  const [less = 0, more = 0, from = 0, to = 0] = [gone[low], gone[high], seconds[low], seconds[high]]
  return more > less ? from + ((to - from) * (ahead - less)) / (more - less) : from
}
