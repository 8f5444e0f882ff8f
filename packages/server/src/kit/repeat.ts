export interface Repeater {
  /** Runs the work now, or once more if it is already running. */
  wake(): void
  /** Waits for the current run to end; no other run follows. */
  close(): Promise<void>
}

export interface RepeatOptions {
  /** About how long to wait between two runs; random jitter makes servers that started together drift apart. */
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/**
 * Runs work periodically, never twice at once. Work that returns true has more to do and runs again without a pause.
 */
export function repeat(work: () => Promise<boolean>, { everyMs, onError }: RepeatOptions): Repeater {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isWanted = false
  let isClosed = false
  rest(0)
  return {
    wake() {
      isWanted = true
      if (running === null) rest(0)
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }

  function rest(ms: number): void {
    clearTimeout(timer)
    if (isClosed) return
    timer = setTimeout(() => {
      running = runOnce()
    }, ms)
  }

  async function runOnce(): Promise<void> {
    isWanted = false
    let hasMore = false
    try {
      hasMore = await work()
    } catch (error) {
      onError(error)
    }
    running = null
    rest(hasMore || isWanted ? 0 : everyMs * (0.75 + Math.random() / 2))
  }
}
