import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bendCountdown, remainingMs } from '../src/place/countdown.ts'
import type { Countdown } from '../src/types.ts'

const estimates = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 120_000 }),
    estimateMs: fc.option(fc.integer({ min: 0, max: 7_200_000 }), { nil: null }),
  }),
  { minLength: 1, maxLength: 30 },
)

/** What is shown at every second, and just before and after each estimate. */
function watch(steps: readonly { afterMs: number; estimateMs: number | null }[]): { at: number; ms: number }[] {
  const shown: { at: number; ms: number }[] = []
  let countdown: Countdown | null = null
  let now = 1_000_000
  for (const { afterMs, estimateMs } of steps) {
    for (let at = now; countdown !== null && at <= now + afterMs; at += 1_000) {
      shown.push({ at, ms: remainingMs(countdown, at) })
    }
    now += afterMs
    if (countdown !== null) shown.push({ at: now, ms: remainingMs(countdown, now) })
    countdown = bendCountdown(countdown, estimateMs, now)
    if (countdown !== null) shown.push({ at: now, ms: remainingMs(countdown, now) })
  }
  return shown
}

it('[K11] whatever the estimates do, the countdown never rises and never falls below zero', () => {
  fc.assert(
    fc.property(estimates, (steps) => {
      const shown = watch(steps)
      const isWrong = (ms: number, before: number) => !(ms >= 0 && ms <= before + 1e-6)
      expect(shown.filter(({ ms }, index) => isWrong(ms, shown[index - 1]?.ms ?? ms))).toEqual([])
    }),
  )
})

it('[K11] a new estimate changes how fast it runs, not what it shows', () => {
  fc.assert(
    fc.property(estimates, (steps) => {
      const shown = watch(steps)
      for (const [index, { at, ms }] of shown.entries()) {
        const before = shown[index - 1]
        // Down to nothing it may go at once: then there is no more time to run down in.
        if (before?.at === at && ms > 0) expect(ms).toBeCloseTo(before.ms, 5)
      }
    }),
  )
})

it('[K11] it ends when the wait ends, not earlier and not later', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7_200_000 }),
      fc.integer({ min: 0, max: 600_000 }),
      fc.integer({ min: 1, max: 7_200_000 }),
      (first, afterMs, second) => {
        const started = bendCountdown(null, first, 0)
        const bent = bendCountdown(started, second, afterMs)
        if (started === null || bent === null || remainingMs(started, afterMs) === 0) return
        expect(remainingMs(bent, afterMs + second)).toBeLessThan(1e-3)
        expect(remainingMs(bent, afterMs + second * 0.99)).toBeGreaterThan(0)
      },
    ),
  )
})

it('[K11] it stands still without an estimate, and a clock that is set back does not turn it back', () => {
  const running = bendCountdown(null, 60_000, 0)
  const held = bendCountdown(running, null, 10_000)
  expect(held && remainingMs(held, 1_000_000)).toBe(50_000)
  expect(held && remainingMs(held, -1_000_000)).toBe(50_000)
  expect(bendCountdown(null, null, 0)).toBeNull()
})
