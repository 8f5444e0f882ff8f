export interface Repeater {
  /** Does the work now, or once more when it is just being done. */
  wake(): void
  /** Waits until the work in hand is done; no more follows. */
  close(): Promise<void>
}

export interface RepeatOptions {
  /** About how long to rest between two times; servers that started together drift apart. */
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/** Does some work again and again, never twice at once. Work that returns true has more to do and is not kept waiting. */
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
