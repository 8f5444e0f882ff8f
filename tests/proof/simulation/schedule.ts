/** What happens when, in virtual time. One thing after the other; at the same instant in the order of planning. */
export class Schedule {
  readonly #events: { atMs: number; order: number; run: () => Promise<void> | void }[] = []
  #planned = 0
  nowMs: number

  constructor(startMs: number) {
    this.nowMs = startMs
  }

  after(milliseconds: number, run: () => Promise<void> | void): void {
    this.#planned += 1
    const event = { atMs: this.nowMs + Math.max(0, Math.round(milliseconds)), order: this.#planned, run }
    let at = this.#events.length
    while (at > 0 && (this.#events[at - 1]?.atMs ?? 0) > event.atMs) at -= 1
    this.#events.splice(at, 0, event)
  }

  async runUntil(endMs: number): Promise<void> {
    for (let event = this.#events[0]; event !== undefined && event.atMs <= endMs; event = this.#events[0]) {
      this.#events.shift()
      this.nowMs = event.atMs
      await event.run()
    }
    this.nowMs = endMs
  }
}
