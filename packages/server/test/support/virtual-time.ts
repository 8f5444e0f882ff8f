import { setImmediate as nextTurn } from 'node:timers/promises'

/** A clock that moves only when everything that can happen at an instant has happened. */
export class VirtualTime {
  nowMs = 0
  readonly #waiting = new Map<number, (() => void)[]>()

  /** Resolves when it is so late. */
  until(atMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    // Whole milliseconds, so that much happens at the same instant.
    const at = Math.max(this.nowMs, Math.ceil(atMs))
    const others = this.#waiting.get(at)
    if (others === undefined) this.#waiting.set(at, [resolve])
    else others.push(resolve)
    return promise
  }

  async runTo(endMs: number): Promise<void> {
    while (this.nowMs <= endMs) {
      const due = this.#waiting.get(this.nowMs)
      this.#waiting.delete(this.nowMs)
      for (const go of due ?? []) go()
      // What follows from it takes turns of the event loop, and may be due at once.
      if (due !== undefined) for (let turn = 0; turn < TURNS; turn += 1) await nextTurn()
      if (!this.#waiting.has(this.nowMs)) this.nowMs += 1
    }
  }
}

/** As many as a batch and its answers need. */
const TURNS = 4
