import { setTimeout as sleep } from 'node:timers/promises'

/** People who try again at once come back this often; it costs them little, who would have waited longer anyway. */
const REFUSAL_MS = 500
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
  let held = 0
  return {
    get held() {
      return held
    },
    async hold() {
      // A server that stops has no time for it, and more than these do not fit.
      if (held >= REFUSALS_HELD_MAX || isStopping()) return
      held += 1
      const ms = Math.max(REFUSAL_MS, (held / REFUSALS_PER_SECOND) * 1_000)
      await delay(Math.min(REFUSAL_MS_MAX, ms * (1 + JITTER * Math.random())))
      held -= 1
    },
  }
}
