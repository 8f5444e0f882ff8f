import fc, { constantFrom, double, integer, option, property, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Room } from '../src/room/room.ts'
import { tellStanding } from '../src/room/routes/tell-standing.ts'
import { writeWaiting } from '../src/room/routes/write-waiting.ts'
import { createRoomTokens, type RoomTokens } from '../src/room/tokens/room-tokens.ts'

const id = '594b8308-3f5e-4d0c-9c53-0f3a6a1f7e11'

describe('what a waiting visitor is told', () => {
  it('[R12] far from the head in the very words of any other answer', () => {
    const tokens: RoomTokens = createRoomTokens([Buffer.alloc(32, 'any')], {} as Parameters<typeof createRoomTokens>[1])
    const answer = record({
      number: integer({ min: 1, max: 2 ** 40 }),
      place: double({ noNaN: true, noDefaultInfinity: true }),
      rank: integer({ min: 0, max: 10_000_000 }),
      waiting: integer({ min: 0, max: 10_000_000 }),
      joinedAt: integer({ min: 0, max: 4_000_000_000_000 }),
      seq: integer({ min: 0 }),
      p50: option(integer({ min: 0 })),
      reason: option(constantFrom('paused' as const, 'slower' as const, 'returns' as const)),
      name: option(string({ unit: 'binary' })),
      avatar: option(string({ unit: 'grapheme' })),
    })
    fc.assert(
      property(answer, ({ number, place, rank, waiting, joinedAt, seq, p50, reason, name, avatar }) => {
        // Only what an answer is made from; both ways ask the room the same.
        const room = {
          id,
          epoch: 3,
          estimate: () => ({ p50, p90: p50, reason }),
          pollAfterMs: () => 12_345,
          shouldListen: () => false,
          isJustBack: () => false,
        } as unknown as Room
        const ticket = { number, place, rank, waiting, joinedAt, seq, class: 0 as const, generation: 1, now: joinedAt }
        const none = { epoch: 3, reason: null, away: false, deadline: null, fence: null, extended: false } as const
        const view = { ...ticket, ...none, state: 'waiting' as const }
        const written = writeWaiting(room, view, rank, false, { name, avatar })
        expect(written).toBe(JSON.stringify(tellStanding(tokens, room, { view, exact: false }, { name, avatar })))
      }),
      { numRuns: 300 },
    )
  })
})
