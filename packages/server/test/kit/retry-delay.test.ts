import { expect, it } from 'vitest'
import { retrySeconds } from '../../src/kit/retry-delay.ts'

it('[B36] twelve tries in about a day with growing delays, and then no more', () => {
  const delays: number[] = []
  for (let attempts = 1; ; attempts += 1) {
    const seconds = retrySeconds(attempts, 0.5)
    if (seconds === null) break
    delays.push(seconds)
  }
  expect(delays).toHaveLength(11)
  expect(delays[0]).toBe(5)
  expect(delays).toEqual(delays.toSorted((one, other) => one - other))
  const hours = delays.reduce((sum, seconds) => sum + seconds, 0) / 3_600
  expect(hours).toBeGreaterThan(16)
  expect(hours).toBeLessThan(30)
})

it('[B36] deliveries that failed together are not retried together', () => {
  expect(retrySeconds(1, 0)).toBeCloseTo(4)
  expect(retrySeconds(1, 1)).toBeCloseTo(6)
})
