import { expect, test } from 'vitest'
import { Pace } from '../../src/batcher/pace.ts'
import { type Batcher, createBatcher } from '../../src/index.ts'

interface Call {
  items: readonly number[]
  answer: (replies: readonly number[]) => void
  fail: (error: Error) => void
}

test('[L35] a lone request is sent at once', async () => {
  const { batcher, calls } = open()
  const reply = batcher.send(7)
  await turn()
  expect(calls.map(({ items }) => items)).toEqual([[7]])
  answer(calls[0])
  expect(await reply).toBe(70)
  expect([batcher.queued, batcher.inFlight]).toEqual([0, 0])
})

test('[L35] requests of one turn travel together; later ones wait for a call to come back', async () => {
  const { batcher, calls } = open({ maxInFlight: 1 })
  const first = [batcher.send(1), batcher.send(2)]
  await turn()
  const second = [batcher.send(3), batcher.send(4), batcher.send(5)]
  await turn()
  expect(calls.map(({ items }) => items)).toEqual([[1, 2]])
  answer(calls[0])
  expect(await Promise.all(first)).toEqual([10, 20])
  await turn()
  expect(calls.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
  answer(calls[1])
  expect(await Promise.all(second)).toEqual([30, 40, 50])
})

test('[L35] no call has more items, and no more calls are under way, than allowed', async () => {
  const { batcher, calls } = open({ maxItems: 2, maxInFlight: 2 })
  const replies = [1, 2, 3, 4, 5].map((item) => batcher.send(item))
  await turn()
  expect(calls.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect([batcher.queued, batcher.inFlight]).toEqual([1, 2])
  answer(calls[1])
  await turn()
  expect(calls[2]?.items).toEqual([5])
  answer(calls[0])
  answer(calls[2])
  expect(await Promise.all(replies)).toEqual([10, 20, 30, 40, 50])
})

test('[L35] [I26] more than the bound are refused with a time to retry, and nothing of them is sent', async () => {
  const { batcher, calls } = open({ maxItems: 1, maxQueued: 2, maxInFlight: 1 })
  const replies = [batcher.send(1)]
  await turn()
  replies.push(batcher.send(2), batcher.send(3))
  await expect(batcher.send(4)).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 1 })
  for (let call = 0; call < 3; call++) {
    answer(calls[call])
    await turn()
  }
  expect(await Promise.all(replies)).toEqual([10, 20, 30])
  expect(calls).toHaveLength(3)
})

test('[L35] a failed call fails its own items only, and is not repeated', async () => {
  const { batcher, calls } = open({ maxInFlight: 1 })
  const failing = batcher.send(1)
  await turn()
  const next = batcher.send(2)
  calls[0]?.fail(new Error('The store is away'))
  await expect(failing).rejects.toThrow('The store is away')
  await turn()
  answer(calls[1])
  expect(await next).toBe(20)
  expect(calls).toHaveLength(2)
})

test('[L35] a call that answers too few fails all its items', async () => {
  const { batcher, calls } = open()
  const replies = Promise.allSettled([batcher.send(1), batcher.send(2)])
  await turn()
  calls[0]?.answer([10])
  expect((await replies).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('[L50] an item that would wait longer than the patience is refused, by the current pace of the store', async () => {
  let nowMs = 0
  const { batcher, calls } = open({
    maxItems: 16,
    maxQueued: 1_000,
    maxInFlight: 1,
    patienceMs: 1_000,
    now: () => nowMs,
  })
  const callOf = async (items: number, tookMs: number) => {
    const replies = Array.from({ length: items }, (_, item) => batcher.send(item))
    await turn()
    nowMs += tookMs
    answer(calls.at(-1))
    await Promise.all(replies)
  }
  // The pace is unknown yet, so no item is refused.
  batcher.refuseBehind(100)
  await callOf(16, 1_600)
  expect(() => batcher.refuseBehind(11)).toThrow(expect.objectContaining({ code: 'OVERLOADED', retryAfterSeconds: 2 }))
  batcher.refuseBehind(9)
  // It gets faster, and soon more may wait.
  for (let round = 0; round < 20; round += 1) await callOf(8, 8)
  batcher.refuseBehind(500)
  // One call that took long was a pause; a second one is the pace.
  await callOf(16, 160_000)
  batcher.refuseBehind(500)
  await callOf(16, 160_000)
  // The first item in the queue is never refused, however slow the store is.
  expect(() => batcher.refuseBehind(1)).toThrow('busy')
  batcher.refuseBehind(0)
})

test('[L50] an item that has waited too long because the store got slower is refused, not served too late', async () => {
  let nowMs = 0
  const { batcher, calls } = open({ maxItems: 16, maxInFlight: 1, patienceMs: 1_000, now: () => nowMs })
  const first = batcher.send(1)
  await turn()
  const stale = batcher.send(2)
  nowMs = 900
  const patient = batcher.send(3)
  nowMs = 1_500
  answer(calls[0])
  await expect(stale).rejects.toMatchObject({ code: 'OVERLOADED' })
  await turn()
  expect(calls[1]?.items).toEqual([3])
  answer(calls[1])
  expect(await Promise.all([first, patient])).toEqual([10, 30])
})

test('[L50] the fixed cost of a call does not count as pace', () => {
  const pace = new Pace()
  let nowMs = 0
  for (const items of [20, 60, 20, 100, 40]) {
    const startMs = nowMs
    nowMs += 300 + items
    pace.note(items, startMs, nowMs)
  }
  expect(pace.msPerItem).toBeGreaterThan(1)
  expect(pace.msPerItem).toBeLessThan(3)
})

test('[L50] after refusing for longer than the patience, the queue is kept short until the rush is over', () => {
  let nowMs = 0
  const { batcher } = open({ maxItems: 2, patienceMs: 1_000, msPerItem: 100, now: () => nowMs })
  const isRefused = (ahead: number): boolean => {
    try {
      batcher.refuseBehind(ahead)
      return false
    } catch {
      return true
    }
  }
  // A burst of less than a second.
  for (; nowMs <= 900; nowMs += 300) expect([isRefused(10), isRefused(11)]).toEqual([false, true])
  nowMs = 1_100
  expect([isRefused(10), isRefused(3), isRefused(2)]).toEqual([true, true, false])
  nowMs = 2_000
  expect([isRefused(3), isRefused(2)]).toEqual([true, false])
  nowMs = 3_100
  expect([isRefused(10), isRefused(11)]).toEqual([false, true])
})

test.each([
  { turnMs: 0, turns: 16 },
  { turnMs: 20, turns: 5 },
])('[L90] with turns of $turnMs ms, 512 replies are handed out in $turns turns', async ({ turnMs, turns }) => {
  let nowMs = 0
  const { batcher, calls } = open({ maxItems: 512, maxQueued: 512, now: () => nowMs })
  let answered = 0
  const replies = Array.from({ length: 512 }, (_, item) => batcher.send(item).then(() => answered++))
  await turn()
  answer(calls[0])
  let taken = 0
  for (; answered < 512; taken += 1) {
    await turn()
    nowMs += turnMs
  }
  await Promise.all(replies)
  expect(Math.abs(taken - turns)).toBeLessThanOrEqual(2)
})

test('[L50] before the first call, the assumed pace refuses part of a sudden crowd', async () => {
  const { batcher, calls } = open({ maxItems: 2, maxInFlight: 1, patienceMs: 1_000, msPerItem: 300 })
  const replies = [1, 2, 3, 4].map((item) => batcher.send(item))
  await expect(batcher.send(5)).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 2 })
  for (let call = 0; call < 2; call += 1) {
    await turn()
    answer(calls[call])
  }
  expect(await Promise.all(replies)).toEqual([10, 20, 30, 40])
  expect(batcher.msPerItem).toBeLessThan(300)
})

test('[L51][I33] an item that makes a call fail does so alone, where calls may be repeated', async () => {
  const bad = new TypeError('a bad item')
  const run = async (items: readonly number[]): Promise<number[]> => {
    if (items.includes(4)) throw bad
    return items.map((item) => item * 10)
  }
  const isAboutItems = (error: unknown): boolean => error === bad
  const guarded = createBatcher({ run, maxItems: 100, maxQueued: 100, isAboutItems })
  const told = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((item) => guarded.send(item)))
  expect(told.map((one) => (one.status === 'fulfilled' ? one.value : one.reason))).toEqual([10, 20, 30, bad, 50, 60])
  const unguarded = createBatcher({ run, maxItems: 100, maxQueued: 100 })
  const all = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((item) => unguarded.send(item)))
  expect(all.map(({ status }) => status)).toEqual(Array(6).fill('rejected'))
})

interface Limits {
  maxItems?: number
  maxQueued?: number
  maxInFlight?: number
  patienceMs?: number
  msPerItem?: number
  now?: () => number
}

function open(limits: Limits = {}): {
  batcher: Batcher<number, number>
  calls: Call[]
} {
  const calls: Call[] = []
  const run = (items: readonly number[]): Promise<readonly number[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>()
    calls.push({ items, answer: resolve, fail: reject })
    return promise
  }
  return { batcher: createBatcher({ run, maxItems: 100, maxQueued: 100, ...limits }), calls }
}

function answer(call: Call | undefined): void {
  call?.answer(call.items.map((item) => item * 10))
}

/** Lets everything happen that needs no outside event. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

test('[L50] one slow call of a single item does not make the store look slow, but many do', () => {
  const pace = new Pace(0.25, 13)
  pace.note(1, 0, 57)
  expect(pace.msPerItem).toBeLessThan(0.4)
  for (let call = 1; call <= 10; call += 1) pace.note(20, call * 100, call * 100 + 100)
  expect(pace.msPerItem).toBeGreaterThan(4)
})

test('[L50] a first call far slower than assumed is ignored, and a second one counts', () => {
  const pace = new Pace(0.25, 13)
  pace.note(200, 0, 400)
  expect(pace.msPerItem).toBe(0.25)
  pace.note(200, 400, 800)
  expect(pace.msPerItem).toBeGreaterThan(1)
})
