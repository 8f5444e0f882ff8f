import { equal, ok } from 'node:assert/strict'
import { describe, it } from 'vitest'
import { ServiceTimes } from '../../src/index.ts'

/** A floor of a hundred. Each leaver is followed by a visitor of the same kind; one in five takes ten times as long. */
function floorUntil(end: number): ServiceTimes {
  const times = new ServiceTimes()
  for (let second = 0; second <= end; second += 1) {
    for (let index = 0; index < 100; index += 1) {
      const stay = index % 5 === 0 ? 20 : 2
      if (second % stay !== 0) continue
      if (second > 0) times.left(second - stay, second)
      times.came(second)
    }
  }
  return times
}

describe('service times', () => {
  it('[R10] slow visitors count before the first of them has left', () => {
    // Two hundred have left after two seconds each, and twenty are there for ten seconds already.
    const early = floorUntil(10).read(10, 30).mean
    ok(early > 2.2 && early < 5, `${early}`)
    // For each that takes twenty seconds, forty take two: 42 stays in 100 seconds.
    const late = floorUntil(400).read(400, 30).mean
    ok(Math.abs(late - 100 / 42) < 0.2, `${late}`)
  })

  it('[R10] without data, a visitor is assumed to stay for a fifth of the usual maximum', () => {
    for (const usualMax of [30, 300]) {
      const { mean } = new ServiceTimes().read(10, usualMax)
      ok(Math.abs(mean / usualMax - 0.2) < 0.02, `${mean} of ${usualMax}`)
    }
    // Once people have been seen to the end of their stays, settings do not matter.
    const [one, other] = [30, 300].map((usualMax) => floorUntil(200).read(200, usualMax).mean)
    ok(Math.abs((one ?? 0) - (other ?? 0)) < 0.2, `${one}, ${other}`)
  })

  it('[R10] visitors who all need some time before the first of them leaves do not look slow', () => {
    for (const silent of [2, 4, 6]) {
      const times = new ServiceTimes()
      times.came(100, 1_000)
      const { mean } = times.read(101 + silent, 30)
      // What was seen, and then what is assumed of a visitor who has just come.
      ok(mean > 6 && mean < silent + 8, `${mean} after ${silent} s`)
    }
  })

  it('[R10] that many leave early does not make the others slower', () => {
    const times = new ServiceTimes()
    times.came(100, 1_000)
    times.left(100, 101, 790)
    const { shareAfter } = times.read(103, 30)
    // A quarter of the others leave in the next three seconds; of the last in the assumed crowd, a sixth would.
    const gone = 1 - shareAfter(6) / shareAfter(3)
    ok(gone > 0.25, `${gone}`)
  })

  it('[R10] the current second does not count yet', () => {
    const times = new ServiceTimes()
    for (let index = 0; index < 1_000; index += 1) times.came(100)
    times.left(100, 103, 500)
    const before = times.read(103, 30).shareAfter(3.5)
    const stays = times.read(104, 30)
    ok(before > 0.8, `${before}`)
    ok(stays.shareAfter(2) > 0.99, `${stays.shareAfter(2)}`)
    // One in two has left after three seconds.
    ok(Math.abs(stays.shareAfter(3.5) - 0.5) < 0.01, `${stays.shareAfter(3.5)}`)
    equal(stays.thereByAge[4], 500)
  })

  it('[R10] the seats that leavers bought are known by the length of their stay', () => {
    const times = new ServiceTimes()
    times.came(100, 30)
    times.left(100, 102, 20, 26)
    times.left(100, 115, 10, 0)
    const { keptAfter } = times.read(116, 30, 1)
    ok(keptAfter(2) > 1.2 && keptAfter(15) < 0.2, `${keptAfter(2)}, ${keptAfter(15)}`)
    // Nobody has left after eight seconds yet.
    equal(keptAfter(8), 1)
  })

  it('[R10] a late report counts for its own time', () => {
    const times = new ServiceTimes()
    times.read(110, 30)
    times.came(100)
    times.came(100)
    times.left(100, 105)
    const stays = times.read(111, 30)
    equal(stays.thereByAge[11], 1)
    equal(
      stays.thereByAge.reduce((sum, count) => sum + count),
      1,
    )
  })

  it('[R10] the share of visitors still there falls from one to zero', () => {
    const stays = floorUntil(15).read(15, 30)
    let before = 1
    for (let seconds = 0; seconds < 200; seconds += 0.25) {
      const share: number = stays.shareAfter(seconds)
      ok(share <= before + 1e-12 && share >= 0, `${share} after ${seconds} s, ${before} before`)
      before = share
    }
    ok(before < 0.01)
  })

  it('[R10] after losing track of the floor, the lengths of stays are still known', () => {
    const times = floorUntil(100)
    const before = times.read(100, 30).mean
    times.loseSight()
    const after = times.read(100, 30)
    equal(after.mean, before)
    equal(
      after.thereByAge.reduce((sum, count) => sum + count),
      0,
    )
  })

  it('[I26] before the first visitor nothing is counted, although the clock is fifty years old', () => {
    equal(new ServiceTimes().read(1_800_000_000, 30).thereByAge[0], 0)
  }, 1_000)

  it('[I26] keeps 15 minutes and no more, however long it runs', () => {
    const times = floorUntil(800)
    const later = times.read(2_000_000, 30)
    equal(later.thereByAge.length, 900)
    equal(
      later.thereByAge.reduce((sum, count) => sum + count),
      0,
    )
    times.came(2_000_000)
    times.left(2_000_000, 2_000_901)
    ok(times.read(2_001_000, 30).mean < 4)
  }, 1_000)
})
