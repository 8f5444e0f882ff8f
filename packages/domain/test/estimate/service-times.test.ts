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
    equal(new ServiceTimes().read(10, 30), null)
    // Two hundred have left after two seconds each, and twenty are there for ten seconds already.
    const early = floorUntil(10).read(10, 30)?.mean ?? 0
    ok(early > 2.2 && early < 5, `${early}`)
    // For each that takes twenty seconds, forty take two: 42 stays in 100 seconds.
    const late = floorUntil(400).read(400, 30)?.mean ?? 0
    ok(Math.abs(late - 100 / 42) < 0.2, `${late}`)
  })

  it('[R10] longer sessions in the settings give longer expected stays', () => {
    const [short = 0, long = 0] = [30, 300].map((usualMax) => floorUntil(10).read(10, usualMax)?.mean ?? 0)
    ok(short < long, `${short} < ${long}`)
    // Once people have been seen to the end of their stays, settings do not matter.
    const [one, other] = [30, 300].map((usualMax) => floorUntil(200).read(200, usualMax)?.mean)
    equal(one, other)
  })

  it('[R10] the current second does not count yet', () => {
    const times = new ServiceTimes()
    for (let index = 0; index < 10; index += 1) times.came(100)
    times.left(100, 103)
    equal(times.read(103, 30), null)
    // One in ten has left after three seconds.
    const stays = times.read(104, 30)
    equal(stays?.shareAfter(2), 1)
    ok(Math.abs((stays?.shareAfter(3.5) ?? 0) - 0.9) < 1e-9)
    equal(stays?.thereByAge[4], 9)
  })

  it('[R10] a late report counts for its own time', () => {
    const times = new ServiceTimes()
    times.read(110, 30)
    times.came(100)
    times.came(100)
    times.left(100, 105)
    const stays = times.read(111, 30)
    equal(stays?.thereByAge[11], 1)
    equal(
      stays?.thereByAge.reduce((sum, count) => sum + count),
      1,
    )
  })

  it('[R10] the share of visitors still there falls from one to zero', () => {
    const stays = floorUntil(15).read(15, 30)
    ok(stays !== null)
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
    const before = times.read(100, 30)?.mean
    times.loseSight()
    const after = times.read(100, 30)
    equal(after?.mean, before)
    equal(
      after?.thereByAge.reduce((sum, count) => sum + count),
      0,
    )
  })

  it('[I26] before the first visitor there is nothing to count, although the clock is fifty years old', () => {
    equal(new ServiceTimes().read(1_800_000_000, 30), null)
  }, 1_000)

  it('[I26] keeps 15 minutes and no more, however long it runs', () => {
    const times = floorUntil(800)
    const later = times.read(2_000_000, 30)
    equal(later?.thereByAge.length, 900)
    equal(
      later?.thereByAge.reduce((sum, count) => sum + count),
      0,
    )
    times.came(2_000_000)
    times.left(2_000_000, 2_000_901)
    ok((times.read(2_001_000, 30)?.mean ?? 0) < 4)
  }, 1_000)
})
