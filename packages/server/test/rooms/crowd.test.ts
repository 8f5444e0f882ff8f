import { expect, it } from 'vitest'
import { Crowd } from '../../src/rooms/crowd.ts'

/** A crowd before a store, in virtual time. */
function openCrowd() {
  const state = { nowMs: 0, waiting: 0 }
  const crowd = new Crowd({ waiting: () => state.waiting, now: () => state.nowMs })
  return { state, crowd, isRefused: () => crowd.refusal() !== null }
}

/** For some seconds more wait than are completed: so many each 100 ms. */
function rush({ state, crowd }: ReturnType<typeof openCrowd>, completedEach100Ms: number, seconds = 5): void {
  state.waiting = 1
  for (let tick = 0; tick < seconds * 10; tick += 1) {
    state.nowMs += 100
    crowd.completed(completedEach100Ms)
  }
}

it('[R80] as many may wait as the server completes in a second of a rush', () => {
  const bench = openCrowd()
  rush(bench, 900)
  bench.state.waiting = 8_800
  expect(bench.isRefused()).toBe(false)
  bench.state.waiting = 9_200
  expect(bench.isRefused()).toBe(true)
  // It gets slower: within a second fewer may wait.
  rush(bench, 200, 2)
  bench.state.waiting = 2_400
  expect(bench.isRefused()).toBe(true)
  bench.state.waiting = 1_900
  expect(bench.isRefused()).toBe(false)
})

it('[R80] a starved server still lets one call of joins wait, however slow it is', () => {
  const bench = openCrowd()
  rush(bench, 1, 30)
  bench.state.waiting = 499
  expect(bench.isRefused()).toBe(false)
})

it('[R80] a quiet hour says nothing about the capacity', () => {
  const bench = openCrowd()
  rush(bench, 900)
  bench.state.waiting = 0
  for (let minute = 0; minute < 60; minute += 1) {
    bench.state.nowMs += 60_000
    bench.crowd.completed(1)
  }
  bench.state.waiting = 8_800
  expect(bench.isRefused()).toBe(false)
})

it('[R81] a crowd that is refused together returns one after the other, at half the pace, within 15 s', () => {
  const bench = openCrowd()
  rush(bench, 50)
  bench.state.waiting = 1_000
  const seconds = new Map<number, number>()
  for (let refused = 0; refused < 20_000; refused += 1) {
    const second = bench.crowd.refusal()?.retryAfterSeconds ?? 0
    seconds.set(second, (seconds.get(second) ?? 0) + 1)
  }
  // 20,000 at two milliseconds and every second place would be 80 s: the times are given out several times over.
  expect([Math.min(...seconds.keys()), Math.max(...seconds.keys()) <= 16]).toEqual([2, true])
  const most = Math.max(...seconds.values())
  expect(most).toBeLessThan(2 * (20_000 / 13))
})
