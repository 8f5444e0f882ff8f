import type { RoomClient } from './room-client.ts'

/** Slots that wait to be freed. Those that find no room end by their own deadline. */
const WAITING_MAX = 10_000
const AT_ONCE_MAX = 10
/** Half a minute in all: after that the room is away for longer than it is worth. */
const DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000]

/** Frees slots in the background, trying again while the room cannot be reached. */
export interface Completions {
  add(pass: string): void
  readonly size: number
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>
}

export function createCompletions(client: RoomClient, onProblem: (problem: string) => void): Completions {
  const waiting: string[] = []
  const running = new Set<Promise<void>>()

  async function work(): Promise<void> {
    for (let pass = waiting.shift(); pass !== undefined; pass = waiting.shift()) {
      if (!(await free(client, pass))) onProblem('A slot could not be freed; it ends by its own deadline.')
    }
  }

  return {
    add(pass) {
      if (waiting.length >= WAITING_MAX) return onProblem('Too many slots wait to be freed; one ends by its deadline.')
      waiting.push(pass)
      if (running.size >= AT_ONCE_MAX) return
      const worker: Promise<void> = work().finally(() => running.delete(worker))
      running.add(worker)
    },
    get size() {
      return waiting.length
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

async function free(client: RoomClient, pass: string): Promise<boolean> {
  for (const delayMs of [0, ...DELAYS_MS]) {
    if (delayMs > 0) await pause(delayMs)
    try {
      if ((await client.complete(pass)) === 'done') return true
    } catch {
      // Unreachable, or too slow: tried again.
    }
  }
  return false
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, delayMs)
    // Where timers are objects, a process that wants to end need not wait for them.
    if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
      timer.unref()
  })
}
