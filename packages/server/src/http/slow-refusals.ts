import { setTimeout as sleep } from 'node:timers/promises'

/**
 * People who try again at once come back this often; it costs them little, who would have waited longer anyway. Half as
 * long let them in when their patience was almost at its end, and what was done for them came too late.
 */
const REFUSAL_MS = 1_000
/** A tenth of a core. The more there are to refuse, the longer each is kept back, so that it never gets to be more. */
const REFUSALS_PER_SECOND = 2_000
/** Those who were refused at the same moment do not come back at the same moment. */
const JITTER = 0.5
/** Nobody is kept longer: browsers and proxies wait for at least half a minute. */
const REFUSAL_MS_MAX = 5_000
/** Some ten kilobytes each. */
const REFUSALS_HELD_MAX = 20_000

/**
 * Keeps refusals back for a moment. Under overload, programs that ignore `Retry-After` would otherwise keep the server
 * busy with refusing them, and as little would get done as if it served everybody. Waiting costs nothing.
 */
export interface SlowRefusals {
  hold(): Promise<void>
  readonly held: number
}

export function createSlowRefusals(isStopping: () => boolean, delay = (ms: number) => sleep(ms)): SlowRefusals {
  /** What lets each of them go, those kept longest first. */
  const held = new Set<() => void>()
  return {
    get held() {
      return held.size
    },
    hold() {
      // A server that stops has no time for it.
      if (isStopping()) return Promise.resolve()
      // More do not fit. Answering the new one at once would make a loop of everybody who tries again at once.
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
