/** Heartbeats that wait for the next flush; a room with more visitors flushes at once. */
const COLLECTED_MAX = 50_000
/** The size of one step, so that no step blocks the store for long. */
const STEP_MAX = 2_000
const FLUSH_MS = 1_000

/**
 * Collects the heartbeats of visitors who were answered without asking the store, and sends them in batches. A failed
 * heartbeat is retried with the next batch, and dropped when there are too many: the visitor's next poll brings
 * another.
 */
export class Heartbeats {
  #collected = new Set<number>()
  readonly #deliver: (numbers: readonly number[]) => Promise<unknown>
  readonly #timer: NodeJS.Timeout
  #flushing: Promise<void> | null = null

  constructor(deliver: (numbers: readonly number[]) => Promise<unknown>) {
    this.#deliver = deliver
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS)
    this.#timer.unref()
  }

  get size(): number {
    return this.#collected.size
  }

  add(number: number): void {
    if (this.#collected.size >= COLLECTED_MAX) void this.flush()
    if (this.#collected.size < COLLECTED_MAX) this.#collected.add(number)
  }

  /** Ticket numbers of an ended epoch stay valid: a rebuild keeps them. */
  async flush(): Promise<void> {
    if (this.#collected.size === 0) return
    this.#flushing ??= this.#flushAll().finally(() => {
      this.#flushing = null
    })
    await this.#flushing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #flushAll(): Promise<void> {
    const numbers = [...this.#collected]
    this.#collected = new Set()
    for (let from = 0; from < numbers.length; from += STEP_MAX) {
      const step = numbers.slice(from, from + STEP_MAX)
      try {
        await this.#deliver(step)
      } catch {
        // The store is unavailable, which has its own alarms. The next flush retries these visitors.
        for (const number of step) if (this.#collected.size < COLLECTED_MAX) this.#collected.add(number)
      }
    }
  }
}
