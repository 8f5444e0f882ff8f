export interface Turnstile {
  /** Resolves when it is one's turn; null when too many wait already. Whoever was let in must leave. */
  enter(): Promise<void> | null
  leave(): void
  readonly waiting: number
}

/** Lets `runningMax` through at a time and up to `waitingMax` wait, first come first served. */
export function createTurnstile({
  runningMax,
  waitingMax,
}: {
  readonly runningMax: number
  readonly waitingMax: number
}): Turnstile {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    get waiting() {
      return waiting.length
    },
    enter() {
      if (running < runningMax) {
        running += 1
        return Promise.resolve()
      }
      if (waiting.length >= waitingMax) return null
      return new Promise((resolve) => {
        waiting.push(resolve)
      })
    },
    leave() {
      const next = waiting.shift()
      // The place goes from one to the next, so that nobody can slip in between.
      if (next === undefined) running -= 1
      else next()
    },
  }
}
