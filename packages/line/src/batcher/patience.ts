/** Without a refusal for so long, the rush is over. */
const CALM_MS = 1_000
/** What is left of it when most of those who come have been refused before, and have used up theirs elsewhere. */
const SHARE_UNDER_OVERLOAD = 1 / 4

/**
 * How long people may wait in a queue. A burst may fill it, because it ends. Where people are refused for longer than
 * that, the queue would stay full for as long as they come, and only make everybody later; so then it is kept short.
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

  /** Somebody was told that they would wait for too long. */
  refused(nowMs: number): void {
    if (nowMs - this.#lastRefusalMs > CALM_MS) this.#refusingSinceMs = nowMs
    this.#lastRefusalMs = nowMs
  }
}
