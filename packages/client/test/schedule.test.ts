import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Memory, remember } from '../src/device/memory.ts'
import { backOffMs, beforeDeadline, nextNowMs, nextPollMs } from '../src/network/schedule.ts'
import { position, roomNow } from './support/told.ts'

const random = fc.double({ min: 0, max: 0.999, noNaN: true })

function memoryAt(rank: number, pollAfterMs: number): Memory {
  return { ...remember(position({ rank, pollAfterMs }), 0, 0), room: roomNow() }
}

it('[K6] no client polls much sooner than the server wished, nor later than counts as presence', () => {
  fc.assert(
    fc.property(
      fc.nat(100_000),
      fc.integer({ min: 500, max: 30_000 }),
      fc.boolean(),
      fc.boolean(),
      random,
      (rank, pollAfterMs, isHidden, isListening, dice) => {
        const ms = nextPollMs(memoryAt(rank, pollAfterMs), isHidden, isListening, dice)
        // Jitter of our own may take a fifth, as the server's does.
        expect(ms).toBeGreaterThanOrEqual(pollAfterMs * 0.8)
        expect(ms).toBeLessThanOrEqual(Math.max(pollAfterMs, roomNow().poll.farMs) * 1.2)
      },
    ),
  )
  expect(nextPollMs(memoryAt(5, 2_000), false, false, 0.9)).toBe(2_000)
})

it('[K7] hidden, one asks as seldom as the room allows; near the head and without a socket, three times as often', () => {
  const { farMs } = roomNow().poll
  expect(nextPollMs(memoryAt(5_000, 9_000), true, false, 0.5)).toBe(farMs)
  expect(nextPollMs(memoryAt(5, 2_000), true, false, 0.5)).toBe(farMs / 3)
  expect(nextPollMs(memoryAt(5, 2_000), true, true, 0.5)).toBe(farMs)
})

it('[K13] while a socket tells, one asks a third as often, to find what got lost', () => {
  expect(nextPollMs(memoryAt(5, 2_000), false, true, 0.5)).toBe(6_000)
  expect(nextPollMs(memoryAt(5_000, 20_000), false, true, 0.5)).toBe(30_000)
})

it('[K8] distances grow up to an end, differ, and are never shorter than Retry-After', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(60_000), random, (failures, retryAfterMs, dice) => {
      const ms = backOffMs(failures, retryAfterMs, dice)
      expect(ms).toBeGreaterThanOrEqual(Math.max(retryAfterMs, retryAfterMs > 0 ? 0 : 500))
      expect(ms).toBeLessThanOrEqual(retryAfterMs + 30_000)
      expect(backOffMs(failures + 1, retryAfterMs, dice)).toBeGreaterThanOrEqual(ms)
    }),
  )
  expect(backOffMs(4, 0, 0.9)).toBeGreaterThan(backOffMs(4, 0, 0.1))
  expect(backOffMs(4, 5_000, 0.9)).toBeGreaterThan(backOffMs(4, 5_000, 0.1))
})

it('[K9] the end of a time on the floor comes first, and is asked for after it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 1, max: 60_000 }), random, (ms, left, dice) => {
      const found = beforeDeadline(ms, left, dice)
      expect(found).toBeLessThanOrEqual(ms)
      if (found < ms) expect(found).toBeGreaterThan(left)
    }),
  )
  expect(beforeDeadline(5_000, Number.NaN, 0.5)).toBe(5_000)
  // Over already, and the server has not said so yet: no faster than usual.
  expect(beforeDeadline(5_000, -10_000, 0.5)).toBe(5_000)
})

it('[K6] the public document is read every few seconds, at different moments', () => {
  fc.assert(
    fc.property(fc.integer({ min: 500, max: 60_000 }), random, (pollAfterMs, dice) => {
      const ms = nextNowMs(memoryAt(5, pollAfterMs), dice)
      expect(ms).toBeGreaterThanOrEqual(4_000)
      expect(ms).toBeLessThanOrEqual(18_000)
    }),
  )
})
