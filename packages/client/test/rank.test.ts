import { applyMoves, rankAt as domainRankAt } from '@seatwise/domain'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mapRank, moveRank, rankAt, type ShownRank, tellRank } from '../src/place/rank.ts'
import type { RoomNow } from '../src/types.ts'

const at = (rank: number, seq: number, exact = true, epoch = 1): ShownRank => ({
  ...{ rank, exact, epoch, seq, reason: null },
})
const roomAt = (seq: number, rankMap: RoomNow['rankMap'], epoch = 1) => ({ epoch, seq, rankMap }) as RoomNow
const movesOf = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: -5, max: 3 })), { maxLength: 8 })
const news = fc.oneof(
  fc.record({
    kind: fc.constant('told' as const),
    rank: fc.nat(2_000),
    exact: fc.boolean(),
    epoch: fc.integer({ min: 1, max: 2 }),
    seq: fc.nat(50),
  }),
  fc.record({ kind: fc.constant('moved' as const), from: fc.nat(50), length: fc.nat(5), moves: movesOf }),
  fc.record({ kind: fc.constant('mapped' as const), seq: fc.nat(50), rank: fc.nat(2_000) }),
)

it('[K10] whatever is told in whatever order, a position rises only together with a reason', () => {
  fc.assert(
    fc.property(fc.array(news, { maxLength: 40 }), (all) => {
      let shown = at(1_000, 0)
      for (const one of all) {
        const before = shown
        if (one.kind === 'told') shown = tellRank(shown, one)
        else if (one.kind === 'moved') {
          shown = moveRank(shown, { epoch: 1, from: one.from, seq: one.from + one.length, moves: one.moves })
        } else {
          const rankMap: RoomNow['rankMap'] = [
            [0, 0],
            [10_000, one.rank * 2],
          ]
          shown = mapRank(shown, roomAt(one.seq, rankMap), 5_000)
        }
        expect(shown.rank).toBeGreaterThanOrEqual(0)
        if (shown.rank > before.rank) expect(shown.reason).not.toBeNull()
        expect(shown.epoch * 1_000 + shown.seq).toBeGreaterThanOrEqual(before.epoch * 1_000 + before.seq)
      }
    }),
  )
})

it('[K10] moves give the exact rank where nothing was missed, and count nothing twice', () => {
  fc.assert(
    fc.property(fc.nat(60), movesOf, (rank, moves) => {
      const moved = moveRank(at(rank, 10), { epoch: 1, from: 10, seq: 17, moves })
      expect(moved).toMatchObject({ rank: applyMoves(rank, moves), exact: true, seq: 17 })
      // The same again, and one that the rank knows in part: a poll came in between.
      expect(moveRank(moved, { epoch: 1, from: 10, seq: 17, moves })).toBe(moved)
      expect(moveRank(at(rank, 12), { epoch: 1, from: 10, seq: 17, moves })).toEqual(at(rank, 12))
      expect(moveRank(at(rank, 8), { epoch: 1, from: 10, seq: 17, moves }).exact).toBe(false)
      expect(moveRank(at(rank, 10), { epoch: 2, from: 10, seq: 17, moves })).toEqual(at(rank, 10))
      expect(moveRank(at(rank, 10), { epoch: 1, from: 10, seq: 17, moves: null })).toEqual(at(rank, 10))
    }),
  )
})

it('[K10] a visitor who comes in exactly at our rank stands ahead of us, and right behind it does not', () => {
  const moved = (rank: number, by: number) =>
    moveRank(at(5, 1), { epoch: 1, from: 1, seq: 2, moves: [[rank, by]] }).rank
  expect([moved(4, 1), moved(5, 1), moved(6, 1)]).toEqual([6, 6, 5])
  expect([moved(4, -1), moved(5, -1)]).toEqual([4, 5])
})

it('[K10] a rounding error does not raise the position; a visitor who came ahead does, with the reason', () => {
  // Read from the rank map and off by 2 %: stays.
  expect(tellRank(at(1_000, 1, false), at(1_015, 2))).toMatchObject({ rank: 1_000, exact: false, seq: 2, reason: null })
  expect(tellRank(at(1_000, 1, false), at(1_100, 2))).toMatchObject({ rank: 1_100, reason: 'corrected' })
  expect(tellRank(at(1_000, 1), at(1_001, 2), 'came_ahead')).toMatchObject({ rank: 1_001, reason: 'came_ahead' })
  expect(tellRank(at(1_000, 9), at(1_001, 1, true, 2))).toMatchObject({ rank: 1_001, reason: 'restored' })
  expect(moveRank(at(5, 1), { epoch: 1, from: 1, seq: 2, moves: [[0, 2]] })).toMatchObject({
    ...{ rank: 7, reason: 'came_ahead' },
  })
})

it('[K10] the public document moves a position forward, never back, and does not spoil an exact one', () => {
  const map: RoomNow['rankMap'] = [
    [1, 0],
    [1_001, 1_000],
  ]
  expect(mapRank(at(600, 1, false), roomAt(2, map), 501)).toMatchObject({ rank: 500, exact: false })
  expect(mapRank(at(400, 1, false), roomAt(2, map), 501)).toMatchObject({ rank: 400 })
  expect(mapRank(at(501, 1), roomAt(2, map), 501)).toMatchObject({ rank: 501, exact: true })
  expect(mapRank(at(600, 3, false), roomAt(2, map), 501)).toMatchObject({ rank: 600 })
})

it('[K10] a rank read from the map is the one that the server reads from it', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 50 }),
      fc.nat(110_000),
      (places, place) => {
        const map = places.sort((a, b) => a - b).map((point, index) => [point, index * 3] as const)
        expect(rankAt(map, place)).toBe(domainRankAt(map, place))
      },
    ),
  )
})
