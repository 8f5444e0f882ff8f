import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Change } from '../../src/index.ts'
import { escapeText, unescapeText } from '../../src/redis/wire/text.ts'
import { openTestRoom } from '../contract/test-room.ts'
import { openRedisHarness, type RedisHarness } from './harness.ts'

/** Everything that could be mistaken for a separator, an escape or an end. */
const NASTY = 'tab\tline\nback\\slash \\t\\n "quoted" {brace} é 한국 \u0001 -'

describe('the log on Redis', () => {
  let harness: RedisHarness
  beforeAll(async () => {
    harness = await openRedisHarness()
  })
  afterAll(async () => {
    await harness.close()
  })

  test('[L39] any text survives being put between tabs and line ends', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\t', '\n', '\\', 't', 'n') }),
    )
    fc.assert(
      fc.property(text, (value) => {
        expect(escapeText(value)).not.toMatch(/[\t\n]/)
        expect(unescapeText(escapeText(value))).toBe(value)
      }),
      { numRuns: 500 },
    )
  })

  test('[M21, M24] a request that the gate cannot read lets no claim through, and nothing is taken or settled', async () => {
    const room = await openTestRoom(harness)
    const quantity = 1
    const readable = { number: 1, fence: 1, quantity, operation: 'one' }
    const unreadable = { number: 2, fence: 1, quantity, identity: '', operation: 'other' }
    await expect(room.line.take(room.at, [readable, unreadable])).rejects.toThrow('a request cannot be read')
    const results = [{ operation: 'one', number: 1.5 }]
    await expect(room.settle({ results })).rejects.toThrow('A ticket number must be')
    const told = [{ operation: 'one', number: 1, reserved: { until: 1, quantity: 0.5 } }]
    await expect(room.settle({ results: told })).rejects.toThrow('a result cannot be read')
    expect((await room.log()).map(({ change }) => change.kind)).toEqual(['opened'])
  })

  test('[L39] every kind of change is read back as it was', async () => {
    const room = await openTestRoom(harness, {
      state: { reason: NASTY, nextNumber: 50, marks: { 1: 10 }, stock: 9 },
      settings: { claimSeconds: 60, sessionSeconds: 300, heartbeatTimeoutSeconds: 10, graceSeconds: 20 },
    })
    const limit = { key: NASTY, max: 5 }
    const shown = { name: NASTY, avatar: null }
    const ada = await room.draw('ada', {
      class: 2,
      code: NASTY,
      limit,
      shown,
      profile: JSON.stringify({ name: NASTY }),
    })
    const bob = await room.draw('bob', { profile: NASTY })
    await room.restore({ number: 20, place: 20.125, class: 1, identity: 'eve', generation: 3, epoch: 1, joinedAt: 5 })
    await room.attend(15_000)
    await room.heartbeat(ada, bob)
    await room.admit(1, NASTY)
    await room.look({ number: 20, identity: 'eve', generation: 3 }, true)
    await room.admit(1, 'again')
    await room.enter({ number: 20, identity: 'eve', generation: 3 })
    await room.extend({ number: 20, identity: 'eve', generation: 3 }, 1_000, NASTY)
    await room.move({ number: 20, identity: 'eve', generation: 3 }, NASTY)
    await room.change({ operation: NASTY, by: NASTY, message: NASTY, held: null, settings: { capacity: 7 } })
    const reserved = { until: 9_000_000_000_000, quantity: 3 }
    await room.settle({ results: [{ operation: NASTY, number: 20, reserved }] })
    await room.end({ number: 20, identity: 'eve', generation: 4 }, 'completed', NASTY)
    await room.end(bob, 'cancelled', NASTY)
    await room.draw('last')
    await room.advance(4_000)
    await room.sweep()

    const entries = await room.log()
    const byKind = new Map<string, Change>(entries.map(({ change }) => [change.kind, change]))
    expect([...byKind.keys()].sort()).toEqual(
      'opened joined restored away back admitted entered extended moved changed reserved completed expired attended'
        .split(' ')
        .sort(),
    )
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
    expect(byKind.get('opened')).toMatchObject({ reason: NASTY, nextNumber: 50, waiting: 0, floor: 0 })
    expect(entries[1]?.change).toMatchObject({
      ...{ kind: 'joined', number: 50, class: 2, code: NASTY, limitKey: NASTY, shown },
      profile: JSON.stringify({ name: NASTY }),
    })
    expect(entries[2]?.change).toMatchObject({ profile: NASTY, code: null, limitKey: null, shown: null })
    expect(byKind.get('restored')).toEqual({
      ...{ kind: 'restored', number: 20, identity: 'eve', class: 1, place: 20.125, rank: 0 },
      ...{ generation: 3, joinedAt: 5, fromEpoch: 1 },
    })
    expect(byKind.get('changed')).toEqual({
      ...{ kind: 'changed', by: NASTY, message: NASTY, held: null, settings: { capacity: 7 } },
    })
    expect(byKind.get('reserved')).toEqual({
      ...{ kind: 'reserved', numbers: [20], deadline: 9_000_000_000_000, quantity: 3 },
    })
    expect(entries.at(-3)).toMatchObject({ operation: NASTY, change: { kind: 'expired', reason: 'cancelled' } })
    expect((await room.now()).message).toBe(NASTY)
    expect((await room.range(0, 10)).map(({ shown: name }) => name)).toContainEqual(shown)
  })

  test('[L18] a reader with a small limit gets a large step in pieces, without gaps', async () => {
    const room = await openTestRoom(harness)
    await room.crowd(300)
    const seqs: number[] = []
    for (let after = 0; ; ) {
      const entries = await room.line.readLog(room.at, after, { limit: 70, waitMs: 0 })
      if (entries.length === 0) break
      seqs.push(...entries.map(({ seq }) => seq))
      after = seqs.at(-1) ?? 0
    }
    expect(seqs).toEqual(Array.from({ length: 301 }, (_, index) => index + 1))
  })

  test('[L18] a reader that waits for the log is woken by the next entry, and ended by close', async () => {
    const room = await openTestRoom(harness)
    const waiting = room.line.readLog(room.at, 1, { limit: 10, waitMs: 20_000 })
    await room.draw('ada')
    expect((await waiting).map(({ change }) => change.kind)).toEqual(['joined'])

    const other = await openRedisHarness()
    const otherRoom = await openTestRoom(other)
    const abandoned = otherRoom.line.readLog(otherRoom.at, 1, { limit: 10, waitMs: 20_000 })
    await other.close()
    await expect(abandoned).resolves.toEqual([])
  })
})
