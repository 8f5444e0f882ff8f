export interface Turnstile {
  /** Resolves when the caller may run; null when the queue is full. A caller that entered must call `leave`. */
  enter(): Promise<void> | null
  leave(): void
  readonly waiting: number
}

/** Runs at most `runningMax` callers at a time and queues up to `waitingMax` more, first come first served. */
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
      // The slot passes directly to the next caller in the queue, so that a newcomer cannot overtake it.
      if (next === undefined) running -= 1
      else next()
    },
  }
}
