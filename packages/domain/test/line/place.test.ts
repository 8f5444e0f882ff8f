import { equal, ok } from 'node:assert/strict'
import { describe, it } from 'vitest'
import { lanePlace, placeBetween, skipRank } from '../../src/index.ts'

describe('places', () => {
  it('[L12] skips a tenth, a half, or all of the line', () => {
    equal(skipRank(0, 999), 999)
    equal(skipRank(1, 999), 899)
    equal(skipRank(2, 999), 499)
    equal(skipRank(3, 999), 0)
  })

  it('[L13] half a million tickets of a class fit between two neighbours without a tie', () => {
    const high = 1_000_001
    let low = placeBetween(1_000_000, high, false)
    for (let count = 0; count < 500_000; count++) {
      const place = placeBetween(low, high, true)
      ok(place > low && place < high, `tied after ${count}`)
      low = place
    }
  })

  it('[L14] lanes of different classes never meet', () => {
    ok(lanePlace(3, 9e9) < lanePlace(2, 1))
    ok(lanePlace(1, 9e9) < lanePlace(0, 1))
  })
})
