/** As far back as the measured throughput looks; by then a floor has seen enough to go by that. */
const AGES_MAX = 900
/** Whoever is still there stays on for a third of the time that anybody can have stayed so far. */
const REST_SHARE = 1 / 3

/**
 * How long people stay on a floor that has not existed for long. Those who have left so far are the quick ones, and their
 * average is far too short. So the share that stays on is multiplied up from second to second of their stay, each by
 * those who have come so far, whether or not they have left since (Kaplan and Meier's estimate), and a rest is
 * guessed for those who have stayed longer than can be known. Times in whole seconds.
 */
export class ServiceTimes {
  readonly #leftAtAge = new Uint32Array(AGES_MAX)
  readonly #cameAndAreThere = new Uint32Array(AGES_MAX)
  #first: number | null = null

  came(second: number): void {
    this.#first ??= second
    const age = second - this.#first
    if (age < AGES_MAX) this.#add(this.#cameAndAreThere, age, 1)
  }

  left(cameSecond: number, second: number): void {
    const first = this.#first
    if (first === null || cameSecond < first || second - first >= AGES_MAX) return
    this.#add(this.#cameAndAreThere, cameSecond - first, -1)
    this.#add(this.#leftAtAge, second - cameSecond, 1)
  }

  /** Null before anybody has left, and when there has been so much to see that no guess is needed. */
  meanMs(second: number): number | null {
    const oldest = second - (this.#first ?? second)
    if (oldest >= AGES_MAX) return null
    const stayed = this.#stayedLonger(oldest)
    let share = 1
    let seconds = 0
    for (let age = 0; age < oldest; age += 1) {
      const left = this.#leftAtAge[age] ?? 0
      const after = left === 0 ? share : share * (1 - left / ((stayed[age] ?? 0) + left))
      seconds += (share + after) / 2
      share = after
    }
    return share === 1 ? null : 1_000 * (seconds + share * oldest * REST_SHARE)
  }

  /** How many have stayed for longer than each age, or are there for longer. */
  #stayedLonger(oldest: number): number[] {
    const stayed: number[] = new Array(oldest).fill(0)
    let longer = 0
    for (let age = oldest - 1; age >= 0; age -= 1) {
      // Whoever came so long before now is older than `age` by now.
      longer += (this.#cameAndAreThere[oldest - age - 1] ?? 0) + (this.#leftAtAge[age + 1] ?? 0)
      stayed[age] = longer
    }
    return stayed
  }

  #add(ages: Uint32Array, index: number, by: number): void {
    ages[index] = (ages[index] ?? 0) + by
  }
}
