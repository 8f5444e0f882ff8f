/** How long visitors stay on a floor, and how long the present ones have been there. Times in seconds. */
export interface Stays {
  readonly mean: number
  /** Visitors on the floor, by whole seconds since they were admitted. */
  readonly thereByAge: Float64Array
  /** The share of visitors that stay longer than this. */
  shareAfter(seconds: number): number
}

/** As long as a session may be; of a longer stay only its first part is counted. */
const AGES_MAX = 900
/**
 * How many stays the averages cover, or the stays of the last seconds if these are more: visitors take longer while a server
 * is slow, and only then.
 */
const STAYS_REMEMBERED = 60
const SECONDS_REMEMBERED = 20
/** Faded counts below this are zero. */
const COUNT_MIN = 1e-9

/**
 * Measures stays, also on a young floor. The visitors who have left so far are the quick ones, and their average is far too
 * short. So this is a life table: of the visitors in their first second, their second one and so on, how many leave in it?
 * Each visitor counts in the seconds spent on the floor so far, whether or not the visitor has left, and the rest is guessed
 * for visitors who have stayed longer than any before them.
 */
export class ServiceTimes {
  /** By second of the stay: how many visitors stayed through it, and how many left in it. */
  readonly #stayed = new Float64Array(AGES_MAX)
  readonly #left = new Float64Array(AGES_MAX)
  /** Visitors who left in the current second. They are counted at its end, together with those who stayed. */
  readonly #leaving = new Float64Array(AGES_MAX)
  #leavers = 0
  /** Visitors on the floor, by the second in which they were admitted, modulo the length. */
  readonly #there = new Uint32Array(AGES_MAX)
  #second: number | null = null

  came(second: number): void {
    const now = this.#moveTo(second)
    if (now - second >= AGES_MAX) return
    const index = second % AGES_MAX
    this.#there[index] = (this.#there[index] ?? 0) + 1
    this.#correct(second, second, now, 1)
  }

  left(cameSecond: number, second: number): void {
    const now = this.#moveTo(second)
    const age = second - cameSecond
    if (age < 0 || now - cameSecond >= AGES_MAX) return
    const index = cameSecond % AGES_MAX
    this.#there[index] = Math.max(0, (this.#there[index] ?? 0) - 1)
    this.#leaving[age] = (this.#leaving[age] ?? 0) + 1
    this.#leavers += 1
    this.#correct(cameSecond, second, now, -1)
  }

  /** Corrects the seconds between a late report and now: the visitor was on the floor in them, or was not. */
  #correct(cameSecond: number, from: number, until: number, by: 1 | -1): void {
    for (let age = from - cameSecond; age < until - cameSecond; age += 1) {
      this.#stayed[age] = Math.max(0, (this.#stayed[age] ?? 0) + by)
    }
  }

  /** Forgets which visitors are on the floor, but not how long visitors stay. */
  loseSight(): void {
    this.#there.fill(0)
  }

  /** Null before the first visitor has left. `usualMax`: by the settings, few visitors stay longer than this. */
  read(second: number, usualMax: number): Stays | null {
    const now = this.#moveTo(second)
    const shares = this.#shares()
    const [end, last] = [shares.length - 1, shares.at(-1) ?? 1]
    if (last === 1) return null
    const rest = this.#restAfter(end, usualMax)
    const there = (_: unknown, age: number): number => this.#there[(now - age + AGES_MAX) % AGES_MAX] ?? 0
    return {
      mean: shares.reduce((sum, share) => sum + share, -1) + last * rest,
      thereByAge: Float64Array.from({ length: AGES_MAX }, there),
      shareAfter: (seconds) => shareAfter(seconds, shares, rest),
    }
  }

  /** The share still there after each second of a stay, up to the longest stay seen. */
  #shares(): number[] {
    const shares = [1]
    for (let age = 0; age < AGES_MAX; age += 1) {
      const left = this.#left[age] ?? 0
      const seen = (this.#stayed[age] ?? 0) + left
      if (seen < COUNT_MIN) break
      shares.push((shares[age] ?? 0) * (1 - left / seen))
    }
    return shares
  }

  /**
   * How much longer a visitor stays after the longest stay seen. The last leavers give too short a time, because slow
   * visitors are not among them; the settings give too long a time, because few visitors use all of it. So it is the
   * geometric mean of both.
   */
  #restAfter(end: number, usualMax: number): number {
    let [left, seconds] = [0, 0]
    for (let age = Math.floor(end / 2); age < end; age += 1) {
      left += this.#left[age] ?? 0
      seconds += (this.#stayed[age] ?? 0) + (this.#left[age] ?? 0) / 2
    }
    const byLeavers = (seconds + end / 2) / (left + 1)
    return Math.max(1, Math.sqrt(byLeavers * restBySettings(end, Math.max(usualMax, end * 1.5))))
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
    }
    this.#leaving.fill(0)
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

/** The mean rest of a stay if stays up to `max` were log-uniform: as likely between 1 and 2 seconds as between 10 and 20. */
function restBySettings(age: number, max: number): number {
  const spent = (seconds: number): number => (1 + seconds) * (Math.log1p(seconds) - 1)
  const [share, all] = [Math.log1p(age), Math.log1p(max)]
  return (max - age - (spent(max) - spent(age)) / all) / (1 - share / all)
}
