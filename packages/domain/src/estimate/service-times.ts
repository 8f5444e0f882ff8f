/** How long people stay on a floor, and since when those are there who have not left. Times in seconds. */
export interface Stays {
  readonly mean: number
  /** How many are there, by the whole seconds since they came. */
  readonly thereByAge: Float64Array
  /** Of those who come, the share that is there for longer than this. */
  shareAfter(seconds: number): number
}

/** As long as a session may be; of whoever stays longer it is only known that they were there. */
const AGES_MAX = 900
/**
 * So many stays are remembered, or those of the last seconds if they are more: people take longer while a machine is slow,
 * and only then.
 */
const STAYS_REMEMBERED = 60
const SECONDS_REMEMBERED = 20
/** Less than this is left of somebody who was there long ago. */
const NOBODY = 1e-9

/**
 * Measures stays also on a floor that has not existed for long. Those who have left so far are the quick ones, and their
 * average is far too short. So this is a life table: of those who are there for their first second, their second one
 * and so on, how many leave in it? Everybody counts in the seconds that they have been there, whether or not they have
 * left, and a rest is guessed for those who have stayed longer than anybody before them.
 */
export class ServiceTimes {
  /** How often somebody stayed on in each second of their stay, and how often somebody left in it. */
  readonly #stayed = new Float64Array(AGES_MAX)
  readonly #left = new Float64Array(AGES_MAX)
  /** Those who left in this second, which is not over: they count together with those who will have stayed in it. */
  readonly #leaving = new Float64Array(AGES_MAX)
  #leavers = 0
  /** Those who are there, by the second in which they came, modulo the length. */
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

  /** Told late, when the clock is already further on: somebody was there in the seconds since, or was not. */
  #correct(cameSecond: number, from: number, until: number, by: 1 | -1): void {
    for (let age = from - cameSecond; age < until - cameSecond; age += 1) {
      this.#stayed[age] = Math.max(0, (this.#stayed[age] ?? 0) + by)
    }
  }

  /** Who is there is not known any more; how long people stay is. */
  loseSight(): void {
    this.#there.fill(0)
  }

  /** Null before anybody has left. `usualMax`: few take longer than this, as far as the settings tell. */
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

  /** The share that is there after each second of a stay, as far as anybody was seen. */
  #shares(): number[] {
    const shares = [1]
    for (let age = 0; age < AGES_MAX; age += 1) {
      const left = this.#left[age] ?? 0
      const seen = (this.#stayed[age] ?? 0) + left
      if (seen < NOBODY) break
      shares.push((shares[age] ?? 0) * (1 - left / seen))
    }
    return shares
  }

  /**
   * How much longer those stay who have stayed to the end of what was seen. Those who left last say too little, because
   * the slow are not among them, and the settings say too much, because hardly anybody needs all of their time: so it is
   * the middle of both, as a ratio.
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

  /** Counts the seconds that have gone by. Returns the one that it is. */
  #moveTo(second: number): number {
    const before = this.#second ?? second
    // After such a silence nobody is there any more.
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

/** A stay over n turns of the second took n seconds on average, so shares are those in the middle of a second. */
function shareAfter(seconds: number, shares: readonly number[], rest: number): number {
  const end = shares.length - 1
  const beyond = seconds - (end - 0.5)
  if (beyond >= 0) return (shares[end] ?? 0) * Math.exp(-beyond / rest)
  const whole = Math.floor(seconds + 0.5)
  const [one = 0, other = 0] = [shares[whole], shares[whole + 1]]
  // The first of them is half as long.
  return whole === 0 ? 1 + (other - 1) * seconds * 2 : one + (other - one) * (seconds + 0.5 - whole)
}

/** The rest on average if stays up to `max` were as likely between 1 and 2 seconds as between 10 and 20. */
function restBySettings(age: number, max: number): number {
  const spent = (seconds: number): number => (1 + seconds) * (Math.log1p(seconds) - 1)
  const [share, all] = [Math.log1p(age), Math.log1p(max)]
  return (max - age - (spent(max) - spent(age)) / all) / (1 - share / all)
}
