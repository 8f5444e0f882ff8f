import { type AssumedStays, assumedStays } from './assumed-stays.ts'

/** How long visitors stay on a floor, and how long the present ones have been there. Times in seconds. */
export interface Stays {
  readonly mean: number
  /** Visitors on the floor, by whole seconds since they were admitted. */
  readonly thereByAge: Float64Array
  /** The share of visitors that stay longer than this. */
  shareAfter(seconds: number): number
  /**
   * Seats that a visitor who leaves after so long has bought, on average. Visitors who pay leave early, those who were
   * called in vain or let a reservation expire leave late, so that a floor keeps fewer seats than its visitors did so far.
   */
  keptAfter(seconds: number): number
}

/** As long as a session may be; of a longer stay only its first part is counted. */
const AGES_MAX = 900
/**
 * How many stays the averages cover, or the stays of the last seconds if these are more: visitors take longer while a server
 * is slow, and only then.
 */
const STAYS_REMEMBERED = 60
const SECONDS_REMEMBERED = 20
/** The assumption about stays counts as much as so many visitors. */
const ASSUMED_VISITORS = 3
/** Of the visitors who stay to the usual maximum, so many leave within the time of another, on average. */
const LAST_HAZARD = 10
/** Where fewer have left than this, the seats that all visitors buy count. */
const KEPT_ASSUMED = 1
/** Smaller shares of visitors are ignored. */
const SHARE_MIN = 1e-6

/**
 * Measures stays, also on a young floor. The visitors who have left so far are the quick ones, and their average is far too
 * short. So this is a life table: of the visitors in their first second, their second one and so on, how many leave in it?
 * Each visitor counts in the seconds spent on the floor so far, whether or not the visitor has left. Seconds that few or no
 * visitors have reached yet are judged by an assumption.
 */
export class ServiceTimes {
  /** By second of the stay: how many visitors stayed through it, and how many left in it. */
  readonly #stayed = new Float64Array(AGES_MAX)
  readonly #left = new Float64Array(AGES_MAX)
  /** Visitors who left in the current second. They are counted at its end, together with those who stayed. */
  readonly #leaving = new Float64Array(AGES_MAX)
  #leavers = 0
  /** Seats that the visitors bought who left in each second of the stay, and those of the current second. */
  readonly #kept = new Float64Array(AGES_MAX)
  readonly #keeping = new Float64Array(AGES_MAX)
  /** Visitors on the floor, by the second in which they were admitted, modulo the length. */
  readonly #there = new Uint32Array(AGES_MAX)
  #second: number | null = null

  came(second: number, count = 1): void {
    const now = this.#moveTo(second)
    if (now - second >= AGES_MAX) return
    const index = second % AGES_MAX
    this.#there[index] = (this.#there[index] ?? 0) + count
    this.#correct(second, second, now, count)
  }

  left(cameSecond: number, second: number, count = 1, kept = 0): void {
    const now = this.#moveTo(second)
    const age = second - cameSecond
    if (age < 0 || now - cameSecond >= AGES_MAX) return
    const index = cameSecond % AGES_MAX
    this.#there[index] = Math.max(0, (this.#there[index] ?? 0) - count)
    this.#leaving[age] = (this.#leaving[age] ?? 0) + count
    this.#leavers += count
    this.#keeping[age] = (this.#keeping[age] ?? 0) + kept
    this.#correct(cameSecond, second, now, -count)
  }

  /** Corrects the seconds between a late report and now: the visitors were on the floor in them, or were not. */
  #correct(cameSecond: number, from: number, until: number, by: number): void {
    for (let age = from - cameSecond; age < until - cameSecond; age += 1) {
      this.#stayed[age] = Math.max(0, (this.#stayed[age] ?? 0) + by)
    }
  }

  /** Forgets which visitors are on the floor, but not how long visitors stay. */
  loseSight(): void {
    this.#there.fill(0)
  }

  /** `usualMax`: by the settings, few visitors stay longer than this. `keptUsually`: seats that a visitor buys on average. */
  read(second: number, usualMax: number, keptUsually = 1): Stays {
    const now = this.#moveTo(second)
    const shares = this.#shares(assumedStays(usualMax))
    const rest = usualMax / LAST_HAZARD
    const kept = this.#keptByAge(keptUsually)
    const there = (_: unknown, age: number): number => this.#there[(now - age + AGES_MAX) % AGES_MAX] ?? 0
    return {
      mean: shares.reduce((sum, share) => sum + share, -1) + (shares.at(-1) ?? 0) * rest,
      thereByAge: Float64Array.from({ length: AGES_MAX }, there),
      shareAfter: (seconds) => shareAfter(seconds, shares, rest),
      keptAfter: (seconds) => kept[Math.min(AGES_MAX - 1, Math.round(seconds))] ?? keptUsually,
    }
  }

  /** Seats bought by a visitor who leaves in each second of a stay, on average over the seconds around it. */
  #keptByAge(keptUsually: number): Float64Array {
    const around = (counts: Float64Array, age: number): number =>
      (counts[age - 1] ?? 0) + (counts[age] ?? 0) + (counts[age + 1] ?? 0)
    const kept = (_: unknown, age: number): number =>
      (around(this.#kept, age) + KEPT_ASSUMED * keptUsually) / (around(this.#left, age) + KEPT_ASSUMED)
    return Float64Array.from({ length: AGES_MAX }, kept)
  }

  /**
   * The share still there after each second of a stay. Where few visitors have been seen, those still there are taken for
   * the last of the assumed ones: if nobody has left in the first seconds, the visitors only began later to leave. Taken
   * at their true age instead, they would pass for the slow ones that stay for long, and a crowd that needs two seconds for
   * its first steps would seem to stay for twice as long as it does.
   */
  #shares(assumed: AssumedStays): number[] {
    const shares = [1]
    for (let age = 0, share = 1, like = 0; age < AGES_MAX && share > SHARE_MIN; age += 1) {
      const left = this.#left[age] ?? 0
      const seen = (this.#stayed[age] ?? 0) + left
      const hazard = 1 - assumed.shareAfter(like + (age === 0 ? 0.5 : 1)) / assumed.shareAfter(like)
      share *= 1 - (left + ASSUMED_VISITORS * hazard) / (seen + ASSUMED_VISITORS)
      shares.push(share)
      // Not older than they are: that many have left early does not make the others slower.
      like = Math.min(age + 0.5, assumed.secondsUntil(share, like))
    }
    return shares
  }

  /** Counts the elapsed seconds. Returns the current one. */
  #moveTo(second: number): number {
    const before = this.#second ?? second
    // After so long without a report no visitor is on the floor any more.
    if (second - before > AGES_MAX) this.loseSight()
    for (let at = Math.max(before, second - AGES_MAX); at < second; at += 1) this.#endSecond(at)
    this.#second = Math.max(before, second)
    return this.#second
  }

  #endSecond(second: number): void {
    const kept = Math.max(1 - 1 / SECONDS_REMEMBERED, 1 - this.#leavers / STAYS_REMEMBERED)
    for (let age = 0; age < AGES_MAX; age += 1) {
      const there = this.#there[(second - age + AGES_MAX) % AGES_MAX] ?? 0
      this.#stayed[age] = ((this.#stayed[age] ?? 0) + there) * kept
      this.#left[age] = ((this.#left[age] ?? 0) + (this.#leaving[age] ?? 0)) * kept
      this.#kept[age] = ((this.#kept[age] ?? 0) + (this.#keeping[age] ?? 0)) * kept
    }
    this.#leaving.fill(0)
    this.#keeping.fill(0)
    this.#leavers = 0
    this.#there[(second + 1) % AGES_MAX] = 0
  }
}

/** A stay that crosses n seconds took n seconds on average, so the shares apply to the middle of a second. */
function shareAfter(seconds: number, shares: readonly number[], rest: number): number {
  const end = shares.length - 1
  const beyond = seconds - (end - 0.5)
  if (beyond >= 0) return (shares[end] ?? 0) * Math.exp(-beyond / rest)
  const whole = Math.floor(seconds + 0.5)
  const [one = 0, other = 0] = [shares[whole], shares[whole + 1]]
  // The first interval is half as long.
  return whole === 0 ? 1 + (other - 1) * seconds * 2 : one + (other - one) * (seconds + 0.5 - whole)
}
