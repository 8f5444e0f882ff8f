import { setTimeout as sleep } from 'node:timers/promises'

/**
 * How often a client that retries at once comes back; it would have waited longer anyway. With half of this, visitors
 * got in when they were about to give up, and the work for them came too late.
 */
const REFUSAL_MS = 1_000
/** A tenth of a core. The more refusals there are, the longer each is delayed, so that this rate is never exceeded. */
const REFUSALS_PER_SECOND = 2_000
/** Random spread, so that clients refused together do not retry together. */
const JITTER = 0.5
/** The maximum delay: browsers and proxies wait for at least half a minute. */
const REFUSAL_MS_MAX = 5_000
/** About ten kilobytes each. */
const REFUSALS_HELD_MAX = 20_000

/**
 * Delays refusals. Under overload, clients that ignore `Retry-After` would otherwise keep the server busy refusing
 * them, and it would get as little done as if it served every request. A delayed refusal costs no processor time.
 */
export interface SlowRefusals {
  hold(): Promise<void>
  readonly held: number
}

export function createSlowRefusals(isStopping: () => boolean, delay = (ms: number) => sleep(ms)): SlowRefusals {
  /** The release function of each delayed refusal, oldest first. */
  const held = new Set<() => void>()
  return {
    get held() {
      return held.size
    },
    hold() {
      // A stopping server does not delay its answers.
      if (isStopping()) return Promise.resolve()
      // The buffer is full: release the oldest. Answering the new one at once would let clients retry in a tight loop.
      if (held.size >= REFUSALS_HELD_MAX) for (const letGo of held.values().take(1)) letGo()
      const { promise, resolve } = Promise.withResolvers<void>()
      const letGo = (): void => {
        if (held.delete(letGo)) resolve()
      }
      held.add(letGo)
      const ms = Math.max(REFUSAL_MS, (held.size / REFUSALS_PER_SECOND) * 1_000)
      void delay(Math.min(REFUSAL_MS_MAX, ms * (1 + JITTER * Math.random()))).then(letGo)
      return promise
    },
  }
}
