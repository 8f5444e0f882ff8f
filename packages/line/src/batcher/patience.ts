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
