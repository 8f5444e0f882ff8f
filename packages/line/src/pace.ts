/** How much the last call counts: a handful of calls later the pace of before is forgotten. */
const WEIGHT = 0.2

/** How fast a batcher gets done what waits, measured from its calls. */
export class Pace {
  #msPerItem: number | null
  #lastEndMs = Number.NEGATIVE_INFINITY

  /** What to believe before the first call; null for nothing. */
  constructor(msPerItem: number | null = null) {
    this.#msPerItem = msPerItem
  }

  get msPerItem(): number | null {
    return this.#msPerItem
  }

  /** Calls overlap: what counts is the time that this one took longer than the one before. */
  note(items: number, startMs: number, endMs: number): void {
    const msPerItem = (endMs - Math.max(startMs, this.#lastEndMs)) / items
    this.#lastEndMs = endMs
    this.#msPerItem = this.#msPerItem === null ? msPerItem : (1 - WEIGHT) * this.#msPerItem + WEIGHT * msPerItem
  }

  /** How long the last of so many would wait; nothing while nobody knows. */
  waitMs(queued: number): number {
    return this.#msPerItem === null ? 0 : queued * this.#msPerItem
  }
}
