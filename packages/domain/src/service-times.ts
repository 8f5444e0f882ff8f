/** As far back as the measured throughput looks; by then a floor has seen enough to go by that. */
const AGES_MAX = 900
/** Whoever is still there stays on for a third of the time that anybody can have stayed so far. */
const REST_SHARE = 1 / 3
/** What was seen a minute ago counts for a twentieth: people take longer while a machine is slow, and only then. */
const KEPT_A_SECOND = 19 / 20

/**
 * How long people stay on a floor that has not existed for long. Those who have left so far are the quick ones, and their
 * average is far too short. So this is a life table: of those who are there for their first second, their second one
 * and so on, how many leave in it? Everybody counts in the seconds that they have been there, whether or not they have
 * left, and a rest is guessed for those who have stayed longer than can be known. Times in whole seconds.
 */
export class ServiceTimes {
  /** How often somebody stayed on in each second of their stay, and how often somebody left in it. */
  readonly #stayed = new Float64Array(AGES_MAX)
  readonly #left = new Float64Array(AGES_MAX)
  /** Those who are there, by the second in which they came. */
  readonly #there = new Uint32Array(AGES_MAX)
  #first: number | null = null
  #second = 0

  came(second: number): void {
    if (this.#first === null) {
      this.#first = second
      this.#second = second
    }
    const at = this.#moveTo(second)
    if (at < AGES_MAX) this.#there[at] = (this.#there[at] ?? 0) + 1
  }

  left(cameSecond: number, second: number): void {
    const came = cameSecond - (this.#first ?? Number.POSITIVE_INFINITY)
    const at = this.#moveTo(second)
    if (came < 0 || at >= AGES_MAX) return
    this.#there[came] = Math.max(0, (this.#there[came] ?? 0) - 1)
    this.#left[at - came] = (this.#left[at - came] ?? 0) + 1
  }

  /** Null before anybody has left, and when there has been so much to see that no guess is needed. */
  meanMs(second: number): number | null {
    const oldest = this.#moveTo(second)
    if (oldest >= AGES_MAX) return null
    let share = 1
    let seconds = 0
    for (let age = 0; age < oldest; age += 1) {
      const left = this.#left[age] ?? 0
      const after = left === 0 ? share : share * (1 - left / ((this.#stayed[age] ?? 0) + left))
      seconds += (share + after) / 2
      share = after
    }
    return share === 1 ? null : 1_000 * (seconds + share * oldest * REST_SHARE)
  }

  /** Counts the seconds that have gone by. Returns how many there have been since somebody came. */
  #moveTo(second: number): number {
    const first = this.#first
    // Nobody has come, so that there is nothing to count from; the seconds before are all of time.
    if (first === null) return 0
    for (; this.#second < second && this.#second - first < AGES_MAX; this.#second += 1) {
      const oldest = this.#second - first
      for (let age = 0; age <= oldest; age += 1) {
        this.#stayed[age] = ((this.#stayed[age] ?? 0) + (this.#there[oldest - age] ?? 0)) * KEPT_A_SECOND
        this.#left[age] = (this.#left[age] ?? 0) * KEPT_A_SECOND
      }
    }
    return Math.max(second, this.#second) - first
  }
}
