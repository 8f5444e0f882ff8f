import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { buildRankMap, rankAt, rankMapError, rankMapRanks } from '../../src/index.ts'

describe('rank map', () => {
  it('[L29] samples the first and the last rank, neighbours at most max(1, 1 %) apart', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), (count) => {
        const ranks = rankMapRanks(count)
        equal(ranks[0], 0)
        equal(ranks.at(-1), count - 1)
        for (let i = 1; i < ranks.length; i++) {
          const gap = (ranks[i] ?? 0) - (ranks[i - 1] ?? 0)
          ok(gap >= 1 && gap <= Math.max(1, (ranks[i - 1] ?? 0) / 100), `gap ${gap} at ${ranks[i - 1]}`)
        }
      }),
    )
    deepEqual(rankMapRanks(0), [])
  })

  it('[R8] is off by at most max(1, 2 %) for every ticket of a line with churn and priority', () => {
    fc.assert(
      fc.property(churnedLine(), (places) => {
        const map = mapOf(places)
        for (const [rank, place] of places.entries()) {
          const error = Math.abs(rankAt(map, place) - rank)
          ok(error <= rankMapError(rank), `rank ${rank}: off by ${error} with ${map.length} points`)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('[R8] stays small: about a kilobyte for a million with a fifth of them gone', () => {
    const places: number[] = []
    let state = 7
    for (let number = 1; number <= 1_000_000; number++) {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      if (state / 2_147_483_648 > 0.2) places.push(number)
    }
    const map = mapOf(places)
    ok(JSON.stringify(map).length < 1_500, `${map.length} points, ${JSON.stringify(map).length} bytes`)
  })

  it('[R8] puts places before the head at rank 0 and places after the end behind all tickets', () => {
    const map = mapOf([10, 11, 12])
    equal(rankAt(map, 3), 0)
    equal(rankAt(map, 12), 2)
    equal(rankAt(map, 99), 3)
    equal(rankAt([], 5), 0)
  })
})

/** Ascending, distinct places: runs of numbers with a changing share of gaps, and fractions where people skipped. */
function churnedLine(): fc.Arbitrary<number[]> {
  const stretch = fc.record({
    length: fc.integer({ min: 1, max: 1_500 }),
    keepEvery: fc.integer({ min: 1, max: 9 }),
    crowd: fc.integer({ min: 0, max: 30 }),
  })
  return fc.array(stretch, { minLength: 1, maxLength: 8 }).map((stretches) => {
    const places: number[] = []
    let number = 1
    for (const { length, keepEvery, crowd } of stretches) {
      for (let i = 1; i <= crowd; i++) places.push(number - 1 + i / (crowd + 1))
      for (let i = 0; i < length; i++, number++) if ((number * 7_919) % keepEvery === 0) places.push(number)
      number += 1
    }
    return places
  })
}

function mapOf(places: readonly number[]) {
  const samples = rankMapRanks(places.length).map((rank) => ({ rank, place: places[rank] ?? Number.NaN }))
  return buildRankMap(samples)
}
