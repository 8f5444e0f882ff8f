/** How much the last call counts: a handful of calls later the pace of before is forgotten. */
const WEIGHT = 0.3
/** Calls that are all of a size say nothing of what one more item costs; so far, each is taken to cost its share. */
const SHARE_WEIGHT = 0.05
/** A call that took so many times what was expected is a surprise, once so many have shown what to expect. */
const SURPRISE = 4
const CALLS_TO_EXPECT = 5

/**
 * How fast a batcher gets done what waits, measured from its calls: what one more item costs, which is the slope of their
 * time over their size. What a call costs in any case is left out. Counted as if its items cost it, a slow call would mean
 * that fewer may wait, so that the next call is smaller and looks slower still.
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
   * What to believe before the first call, as if one had shown it; null for nothing. A call of fewer than `itemsLeast` takes
   * almost as long as one of so many, and counts less: taken for the pace, it would turn away the first of a rush.
   */
  constructor(msPerItem: number | null = null, itemsLeast = 1) {
    this.#msPerItem = msPerItem
    this.#itemsLeast = itemsLeast
    if (msPerItem === null) return
    this.#count(itemsLeast, itemsLeast * msPerItem, 1)
    // The first call has much to fetch that the others find, and may be such a surprise.
    this.#calls = CALLS_TO_EXPECT
  }

  get msPerItem(): number | null {
    return this.#msPerItem
  }

  /**
   * Calls overlap: what counts is the time that this one took longer than the one before. A surprise does not count unless
   * the next call is one, too: alone it was a pause of the machine, and its items would all be taken to be as slow.
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

  /** How long the last of so many would wait; nothing while nobody knows. */
  waitMs(queued: number): number {
    return this.#msPerItem === null ? 0 : queued * this.#msPerItem
  }
}
