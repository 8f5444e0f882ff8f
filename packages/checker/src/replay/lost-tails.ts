import type { LogRecord } from '../records/records.ts'

/**
 * The ranges of fences that were lost: an epoch may have lost the end of its log, and with it admissions that visitors have
 * used. A lost fence lies between the last one known before the loss and the first one given after it.
 */
export class LostTails {
  readonly #tails: { readonly after: number; before: number }[] = []
  #lastFence = 0

  follow(record: LogRecord): void {
    if (record.kind === 'epoch' && record.epoch > 1) {
      this.#tails.push({ after: this.#lastFence, before: Number.POSITIVE_INFINITY })
    }
    if (record.kind !== 'admit' || record.fence === undefined) return
    this.#lastFence = Math.max(this.#lastFence, record.fence)
    for (const tail of this.#tails) tail.before = Math.min(tail.before, record.fence)
  }

  mayHold(fence: number): boolean {
    return this.#tails.some(({ after, before }) => fence > after && fence < before)
  }
}
