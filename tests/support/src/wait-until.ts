import { setTimeout as delay } from 'node:timers/promises'

export interface WaitOptions {
  timeoutMs?: number
  everyMs?: number
}

/**
 * Waits for a condition and returns its first truthy value. A condition that throws counts as not yet true, and what it
 * threw last becomes the cause when the time is up.
 */
export async function waitUntil<T>(
  what: string,
  condition: () => T | Promise<T>,
  { timeoutMs = 40_000, everyMs = 20 }: WaitOptions = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    let cause: unknown
    try {
      const value = await condition()
      if (value) return value
    } catch (error) {
      cause = error
    }
    if (performance.now() >= deadline) {
      throw new Error(`Waited ${timeoutMs} ms in vain until ${what}`, cause === undefined ? undefined : { cause })
    }
    await delay(everyMs)
  }
}
