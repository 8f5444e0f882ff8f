import { isPassing } from '../errors.ts'
import type { Environment } from '../types.ts'
import { backOffMs } from './schedule.ts'

/** With growing distances this is a minute and a half. */
const ATTEMPTS_MAX = 8

/** Repeats what is safe to repeat until it is answered for good. */
export async function insist<Result>(
  { random, setTimer }: Environment,
  attempt: (failures: number) => Promise<Result>,
  attemptsMax = ATTEMPTS_MAX,
): Promise<Result> {
  for (let failures = 0; ; ) {
    try {
      return await attempt(failures)
    } catch (error) {
      if (!isPassing(error) || ++failures >= attemptsMax) throw error
      const ms = backOffMs(failures - 1, error.retryAfterMs, random())
      await new Promise<void>((resolve) => {
        setTimer(resolve, ms)
      })
    }
  }
}
