const TICK_MS = 10

/**
 * Wakes many sleepers with one timer. A hundred thousand visitors who wait for their next poll would otherwise be as many
 * timers; here they are entries in lists, one list for each hundredth of a second.
 */
export class TimerWheel {
  readonly #lists = new Map<number, (() => void)[]>()
  readonly #startedAtMs = performance.now()
  readonly #timer: NodeJS.Timeout
  #turned = 0
  #isStopped = false

  constructor() {
    this.#timer = setInterval(() => this.#turn(), TICK_MS)
  }

  /** Resolves after so long, or when the wheel stops. */
  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.#add(milliseconds, resolve))
  }

  /** Wakes all sleepers: the rehearsal is over. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
    for (const list of this.#lists.values()) for (const wake of list) wake()
    this.#lists.clear()
  }

  #add(milliseconds: number, wake: () => void): void {
    if (this.#isStopped) {
      wake()
      return
    }
    const tick = Math.max(this.#turned + 1, Math.ceil((this.#elapsedMs() + milliseconds) / TICK_MS))
    const list = this.#lists.get(tick)
    if (list === undefined) this.#lists.set(tick, [wake])
    else list.push(wake)
  }

  #turn(): void {
    const now = Math.floor(this.#elapsedMs() / TICK_MS)
    while (this.#turned < now) {
      this.#turned += 1
      const list = this.#lists.get(this.#turned)
      if (list === undefined) continue
      this.#lists.delete(this.#turned)
      for (const wake of list) wake()
    }
  }

  #elapsedMs(): number {
    return performance.now() - this.#startedAtMs
  }
}
