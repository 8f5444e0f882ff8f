import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LineHarness, OpenHarness } from './harness.ts'
import { joinRequest, type OpenRoom, openTestRoom, type TestRoom } from './test-room.ts'

const RUNS = { numRuns: 100 }
/** Each run makes dozens of calls to a store. */
const TIMEOUT_MS = 120_000

/** The properties of the fifth design note that the line alone must have. */
export function lineProperties(name: string, openHarness: OpenHarness): void {
  describe(`line properties: ${name}`, () => {
    let harness: LineHarness | undefined
    beforeAll(async () => {
      harness = await openHarness()
    })
    afterAll(async () => {
      await harness?.close()
    })
    const openRoom: OpenRoom = async (options) => {
      if (harness === undefined) throw new Error('The line was not opened')
      return await openTestRoom(harness, options)
    }
    test(
      '[P2] joining any number of times draws one ticket for each visitor',
      () => idempotentJoin(openRoom),
      TIMEOUT_MS,
    )
    test('[P3] a join is accepted exactly inside the sale window', () => saleWindow(openRoom), TIMEOUT_MS)
    test(
      '[P4] tickets of one class are admitted in the order of joining',
      () => firstComeFirstServed(openRoom),
      TIMEOUT_MS,
    )
    test('[P5] an active ticket ends exactly at its deadline', () => endsAtDeadline(openRoom), TIMEOUT_MS)
  })
}

/** Visitors, in calls of several, each joining a random number of times. */
const calls = fc.array(fc.array(fc.nat(15), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 12 })

async function idempotentJoin(openRoom: OpenRoom): Promise<void> {
  await fc.assert(
    fc.asyncProperty(calls, async (visitors) => {
      const room = await openRoom()
      const numbers = new Map<string, number>()
      for (const call of visitors) {
        const requests = call.map((visitor) => joinRequest(`visitor-${visitor}`))
        const replies = await room.line.join(room.at, requests)
        for (const [index, reply] of replies.entries())
          expectSameTicket(numbers, requests[index]?.identity ?? '', reply)
      }
      expect((await room.now()).waiting).toBe(new Set(visitors.flat()).size)
    }),
    RUNS,
  )
}

/** The first join draws the next number at the back; every later one gives that number and that rank again. */
function expectSameTicket(numbers: Map<string, number>, identity: string, reply: object): void {
  const before = numbers.get(identity)
  const number = before ?? numbers.size + 1
  expect(reply).toMatchObject({ status: before === undefined ? 'joined' : 'present', number, rank: number - 1 })
  numbers.set(identity, number)
}

async function saleWindow(openRoom: OpenRoom): Promise<void> {
  const window = fc.record({ opensIn: fc.nat(5_000), lasts: fc.nat(5_000), joinsAfter: fc.nat(12_000) })
  await fc.assert(
    fc.asyncProperty(window, async ({ opensIn, lasts, joinsAfter }) => {
      const room = await openRoom()
      const { now } = await room.now()
      await room.change({ opensAt: now + opensIn, closesAt: now + opensIn + lasts })
      await room.advance(joinsAfter)
      const { status } = await room.join('ada')
      if (joinsAfter < opensIn) expect(status).toBe('not_started')
      else if (joinsAfter > opensIn + lasts) expect(status).toBe('sale_ended')
      else expect(status).toBe('joined')
    }),
    {
      ...RUNS,
      // The four boundaries, which chance would rarely meet.
      examples: [499, 500, 1_500, 1_501].map((joinsAfter) => [{ opensIn: 500, lasts: 1_000, joinsAfter }]),
    },
  )
}

async function firstComeFirstServed(openRoom: OpenRoom): Promise<void> {
  const sale = fc.record({
    crowds: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }),
    capacity: fc.integer({ min: 1, max: 40 }),
    batches: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
  })
  await fc.assert(
    fc.asyncProperty(sale, async ({ crowds, capacity, batches }) => {
      const room = await openRoom({ settings: { capacity } })
      const joined = await joinCrowds(room, crowds)
      const promoted: number[] = []
      for (const batch of batches) promoted.push(...(await room.admitted(batch)))
      const wanted = batches.reduce((sum, batch) => sum + batch, 0)
      expect(promoted).toEqual(joined.slice(0, Math.min(capacity, wanted)))
    }),
    RUNS,
  )
}

async function joinCrowds(room: TestRoom, crowds: readonly number[]): Promise<number[]> {
  const joined: number[] = []
  for (const [index, count] of crowds.entries()) {
    joined.push(...(await room.crowd(count, `crowd-${index}`)).map(({ number }) => number))
    await room.advance(index)
  }
  return joined
}

async function endsAtDeadline(openRoom: OpenRoom): Promise<void> {
  const session = fc.record({
    sessionSeconds: fc.integer({ min: 1, max: 3_600 }),
    claimAfterMs: fc.nat(59_999),
    early: fc.integer({ min: 1, max: 1_000 }),
    late: fc.nat(10_000),
  })
  await fc.assert(
    fc.asyncProperty(session, async ({ sessionSeconds, claimAfterMs, early, late }) => {
      const room = await openRoom({ settings: { sessionSeconds } })
      const ada = await room.draw('ada')
      await room.admit()
      await room.advance(claimAfterMs)
      expect(await room.enter(ada)).toMatchObject({ status: 'active' })
      await room.advance(sessionSeconds * 1_000 - early)
      expect((await room.admit()).ended).toEqual([])
      expect(await room.look(ada)).toMatchObject({ state: 'active' })
      await room.advance(early + late)
      expect((await room.admit()).ended).toEqual([{ number: ada.number, reason: 'timeout' }])
      expect(await room.look(ada)).toMatchObject({ state: 'expired', reason: 'timeout' })
    }),
    { ...RUNS, examples: [[{ sessionSeconds: 300, claimAfterMs: 0, early: 1, late: 0 }]] },
  )
}
