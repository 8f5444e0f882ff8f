/** Weight of the last call in the moving averages: older calls fade out within a handful. */
const WEIGHT = 0.3
/** Weight of the mean cost per item. Calls of one size say nothing about the slope, so it then decides alone. */
const SHARE_WEIGHT = 0.05
/** A call is an outlier when it takes SURPRISE times the expected time, once CALLS_TO_EXPECT calls were measured. */
const SURPRISE = 4
const CALLS_TO_EXPECT = 5

/**
 * Estimates how fast a batcher empties its queue, from its calls: the cost of one more item is the slope of call time over
 * call size. The fixed cost of a call is left out: spread over its items, a slow call would let fewer items wait, the next
 * call would be smaller and look slower still. Rule L50.
 */
export class Pace {
  #msPerItem: number | null
  readonly #itemsLeast: number
  #lastEndMs = Number.NEGATIVE_INFINITY
  #items = 0
  #ms = 0
  #itemsSquared = 0
  #itemsTimesMs = 0
  #calls = 0
  #isSurprised = false

  /**
   * `msPerItem` is the pace before the first call; null: unknown. A call of fewer than `itemsLeast` items takes almost as
   * long as one of `itemsLeast`, so it counts less: with full weight it would turn away the first requests of a rush.
   */
  constructor(msPerItem: number | null = null, itemsLeast = 1) {
    this.#msPerItem = msPerItem
    this.#itemsLeast = itemsLeast
    if (msPerItem === null) return
    this.#count(itemsLeast, itemsLeast * msPerItem, 1)
    // The first call fills caches and may be an outlier, so it is compared with the given pace.
    this.#calls = CALLS_TO_EXPECT
  }

  get msPerItem(): number | null {
    return this.#msPerItem
  }

  /**
   * Calls overlap, so only the time after the end of the previous call counts. An outlier is ignored unless the next call
   * is one, too: a single one is a pause of the machine, not the pace of the store.
   */
  note(items: number, startMs: number, endMs: number): void {
    const ms = endMs - Math.max(startMs, this.#lastEndMs)
    const counted = Math.max(items, this.#itemsLeast)
    this.#lastEndMs = endMs
    this.#calls += 1
    this.#isSurprised = !this.#isSurprised && ms > SURPRISE * this.#expectedMs(counted)
    if (this.#isSurprised) return
    this.#count(counted, ms, this.#items === 0 ? 1 : WEIGHT * Math.min(1, items / this.#itemsLeast))
    const share = this.#ms / this.#items
    const variance = Math.max(0, this.#itemsSquared - this.#items ** 2)
    const covariance = Math.max(0, this.#itemsTimesMs - this.#items * this.#ms)
    const doubt = SHARE_WEIGHT * this.#items ** 2
    this.#msPerItem = Math.min(share, (covariance + doubt * share) / (variance + doubt))
  }

  #expectedMs(items: number): number {
    if (this.#calls <= CALLS_TO_EXPECT) return Number.POSITIVE_INFINITY
    return this.#ms + Math.max(0, items - this.#items) * (this.#msPerItem ?? 0)
  }

  #count(items: number, ms: number, weight: number): void {
    this.#items += weight * (items - this.#items)
    this.#ms += weight * (ms - this.#ms)
    this.#itemsSquared += weight * (items ** 2 - this.#itemsSquared)
    this.#itemsTimesMs += weight * (items * ms - this.#itemsTimesMs)
  }

  /** How long the last of so many queued items would wait; 0 while the pace is unknown. */
  waitMs(queued: number): number {
    return this.#msPerItem === null ? 0 : queued * this.#msPerItem
  }
}

/** The overload is over after this time without a refusal. */
const CALM_MS = 1_000
/** The share of the patience that applies during an overload: most requests are then retries, and have waited before. */
const SHARE_UNDER_OVERLOAD = 1 / 4

/**
 * How long requests may wait in a queue. A burst may fill the queue, because a burst ends. When refusals continue for longer
 * than the patience, the queue would stay full and only delay every request, so it is then kept short. Rule L50.
 */
export class Patience {
  readonly #ms: number
  #refusingSinceMs = Number.POSITIVE_INFINITY
  #lastRefusalMs = Number.NEGATIVE_INFINITY

  constructor(ms: number) {
    this.#ms = ms
  }

  leftMs(nowMs: number): number {
    const isCalm = nowMs - this.#lastRefusalMs > CALM_MS
    return isCalm || nowMs - this.#refusingSinceMs <= this.#ms ? this.#ms : this.#ms * SHARE_UNDER_OVERLOAD
  }

  /** Notes that a request was refused because it would wait for too long. */
  refused(nowMs: number): void {
    if (nowMs - this.#lastRefusalMs > CALM_MS) this.#refusingSinceMs = nowMs
    this.#lastRefusalMs = nowMs
  }
}
