import { isPassing, LineError } from './errors.ts'
import { backOffMs } from './schedule.ts'
import type { Environment } from './types.ts'

const ATTEMPTS_MAX = 8

/** Repeats what is safe to repeat, at growing distances, until it is answered for good. */
export async function insist<Result>(
  environment: Environment,
  attempt: () => Promise<Result>,
  attemptsMax = ATTEMPTS_MAX,
): Promise<Result> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof LineError) || !isPassing(error) || failures + 1 >= attemptsMax) throw error
      await pause(environment, backOffMs(failures, error.retryAfterMs, environment.random()))
    }
  }
}

export function pause({ setTimer }: Environment, ms: number): Promise<void> {
  return new Promise((resolve) => void setTimer(resolve, ms))
}
