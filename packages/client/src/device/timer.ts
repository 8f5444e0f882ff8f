import type { Environment } from '../types.ts'

/** One thing to do later: setting it again replaces it, null takes it away. */
export type Timer = (ms: number | null, run?: () => void) => void

export function createTimer({ setTimer, clearTimer }: Environment): Timer {
  let timer: unknown
  return (ms, run) => {
    clearTimer(timer)
    if (ms !== null && run) timer = setTimer(run, ms)
  }
}
