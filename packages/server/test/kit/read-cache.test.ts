import { LedgerUnreachable } from '@seatwise/ledger'
import { describe, expect, it } from 'vitest'
import { type Load, ReadCache, type ReadCacheOptions } from '../../src/kit/read-cache.ts'

/** A ledger of numbers that answers when the test says so, and a clock that the test moves. */
function bench(options: Partial<ReadCacheOptions<number>> = {}) {
  const clock = { now: 1_000_000 }
  const stored = new Map<string, number>()
  const loads: { keys: readonly string[]; isFresh: boolean }[] = []
  const gate = { open: Promise.resolve() }
  const cache = new ReadCache<number>({
    load: async ({ keys, isFresh }: Load<number>) => {
      loads.push({ keys, isFresh })
      const seen = new Map(keys.flatMap((key) => (stored.has(key) ? [[key, stored.get(key) ?? 0] as const] : [])))
      await gate.open
      return seen
    },
    weigh: () => 1,
    weightMax: 100,
    batchMax: 50,
    batchesAtOnce: 2,
    waitingMax: 20_000,
    now: () => clock.now,
    random: () => 0,
    ...options,
  })
  const close = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    gate.open = promise
    return resolve
  }
  return { cache, clock, stored, loads, close }
}

/** Lets everything run that is ready to. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('reading through the cache', () => {
  it('[C1] 10,000 simultaneous readers of a cold key cause one load', async () => {
    const { cache, stored, loads } = bench()
    stored.set('a', 1)
    const values = await Promise.all(Array.from({ length: 10_000 }, () => cache.read('a')))
    expect(new Set(values)).toEqual(new Set([1]))
    expect(loads).toHaveLength(1)
  })

  it('[C1 control] without single flight the same crowd causes one load each', async () => {
    const { stored, loads } = bench()
    stored.set('a', 1)
    const unguarded = async (): Promise<number | undefined> => {
      loads.push({ keys: ['a'], isFresh: false })
      await settle()
      return stored.get('a')
    }
    await Promise.all(Array.from({ length: 100 }, unguarded))
    expect(loads).toHaveLength(100)
  })

  it('[C2] a stale answer is given at once while one load refreshes it', async () => {
    const { cache, clock, stored, loads, close } = bench()
    stored.set('a', 1)
    await cache.read('a')
    stored.set('a', 2)
    clock.now += 699
    expect(cache.peek('a')).toBe(1)
    expect(loads).toHaveLength(1)
    clock.now += 1
    const open = close()
    for (let reader = 0; reader < 100; reader += 1) expect(cache.peek('a')).toBe(1)
    await settle()
    for (let reader = 0; reader < 100; reader += 1) expect(cache.peek('a')).toBe(1)
    expect(loads).toHaveLength(2)
    open()
    await settle()
    expect(cache.peek('a')).toBe(2)
  })

  it('[C2] no answer is older than a second', async () => {
    const { cache, clock, stored, close } = bench()
    stored.set('a', 1)
    await cache.read('a')
    clock.now += 970
    expect(cache.peek('a')).toBeUndefined()
    // A load that hangs is not worth waiting for after a second: another one begins.
    const open = close()
    const slow = cache.read('a')
    await settle()
    clock.now += 1_000
    stored.set('a', 2)
    const late = cache.read('a')
    open()
    expect(await slow).toBe(1)
    expect(await late).toBe(2)
  })

  it('[C2] an answer expires also when the clock is set back', async () => {
    const { cache, clock, stored } = bench()
    stored.set('a', 1)
    await cache.read('a')
    clock.now -= 3_600_000
    expect(cache.peek('a')).toBeUndefined()
  })

  it('[C3] expiry is spread, so that a crowd of keys is not refreshed in one moment', async () => {
    const randoms = [0, 0.5, 0.999]
    const { cache, clock, stored, loads } = bench({ random: () => randoms.shift() ?? 0 })
    for (const key of ['a', 'b', 'c']) stored.set(key, 1)
    await Promise.all(['a', 'b', 'c'].map((key) => cache.read(key)))
    const refreshed: number[] = []
    for (const elapsed of [700, 800, 900]) {
      clock.now = 1_000_000 + elapsed
      for (const key of ['a', 'b', 'c']) cache.peek(key)
      await settle()
      refreshed.push(loads.slice(1).flatMap(({ keys }) => keys).length)
    }
    expect(refreshed).toEqual([1, 2, 3])
  })

  it('[C4] after a write on this server, its readers never get the old value, not even from a load that had begun', async () => {
    const { cache, stored, loads, close } = bench()
    stored.set('a', 1)
    const open = close()
    const before = cache.read('a')
    await settle()
    stored.set('a', 2)
    cache.forget('a')
    const after = cache.read('a')
    open()
    expect(await before).toBe(1)
    expect(await after).toBe(2)
    expect(cache.peek('a')).toBe(2)
    expect(loads.map(({ isFresh }) => isFresh)).toEqual([false, true])
  })

  it('[C4] a reader who may have written on another server gets a value loaded after the read began, and readers share loads', async () => {
    const { cache, stored, loads, close } = bench()
    stored.set('a', 1)
    await cache.read('a')
    const open = close()
    const early = cache.readNow('a')
    await settle()
    stored.set('a', 2)
    const late = Array.from({ length: 1_000 }, () => cache.readNow('a'))
    open()
    expect(await early).toBe(1)
    expect(new Set(await Promise.all(late))).toEqual(new Set([2]))
    expect(loads).toHaveLength(3)
    expect(loads.slice(1).every(({ isFresh }) => isFresh)).toBe(true)
  })

  it('[C5] missing keys are cached too, and do not evict existing ones', async () => {
    const { cache, clock, stored, loads } = bench({ weightMax: 2 })
    stored.set('a', 1)
    await cache.read('a')
    for (let index = 0; index < 30_000; index += 1_000) {
      await Promise.all(Array.from({ length: 1_000 }, (_, more) => cache.read(`made up ${index + more}`)))
    }
    expect(cache.peek('made up 29999')).toBeNull()
    expect(cache.peek('a')).toBe(1)
    const before = loads.length
    stored.set('made up 29999', 3)
    clock.now += 970
    expect(await cache.read('made up 29999')).toBe(3)
    expect(loads).toHaveLength(before + 1)
  })

  it('[C5] keys read together are loaded in batches, few at a time, and too many are refused', async () => {
    const { cache, loads, close } = bench({ batchMax: 10, batchesAtOnce: 2, waitingMax: 100 })
    const open = close()
    const reads = Array.from({ length: 100 }, (_, index) => cache.read(`k${index}`))
    await expect(cache.read('one too many')).rejects.toMatchObject({ code: 'OVERLOADED' })
    await settle()
    expect(loads).toHaveLength(2)
    open()
    await Promise.all(reads)
    expect(loads).toHaveLength(10)
  })

  it('[C5] [I26] memory is bounded by weight; what is in use stays', async () => {
    const { cache, clock, stored } = bench({ weightMax: 10 })
    stored.set('used', 1)
    await cache.read('used')
    for (let index = 0; index < 100; index += 1) {
      stored.set(`k${index}`, index)
      await cache.read(`k${index}`)
      clock.now += 750
      cache.peek('used')
      await settle()
    }
    expect(cache.size).toBeLessThanOrEqual(10)
    expect(cache.weight).toBe(cache.size)
    expect(cache.peek('used')).toBe(1)
  })

  it('[C6] a failed load fails for its waiting readers, and the next reader tries again', async () => {
    let isBroken = true
    const { cache, clock } = bench({
      load: async ({ keys }) => {
        if (isBroken) throw new Error('no ledger')
        return new Map(keys.map((key) => [key, 1]))
      },
    })
    const failed = await Promise.allSettled([cache.read('a'), cache.read('a')])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isBroken = false
    expect(await cache.read('a')).toBe(1)
    // A refresh that fails in the background fails no reader while the cached answer is young enough.
    isBroken = true
    clock.now += 800
    expect(cache.peek('a')).toBe(1)
    await settle()
    expect(cache.peek('a')).toBe(1)
  })
})

describe('copies while the ledger is away', () => {
  const away = new LedgerUnreachable('The ledger is away')
  const MINUTE_MS = 60_000

  function failingBench() {
    const failing: { error: Error | null } = { error: null }
    const stored = new Map<string, number>()
    const clock = { now: 1_000_000 }
    const cache = new ReadCache<number>({
      load: async ({ keys }) => {
        if (failing.error !== null) throw failing.error
        return new Map(keys.flatMap((key) => (stored.has(key) ? [[key, stored.get(key) ?? 0] as const] : [])))
      },
      ...{ weigh: () => 1, weightMax: 3, batchMax: 50, batchesAtOnce: 2, waitingMax: 100 },
      ...{ now: () => clock.now, random: () => 0 },
    })
    return { cache, clock, stored, failing }
  }

  it('[C10] the last good value is given for 15 minutes, and tells its age once it is older than 5 s', async () => {
    const { cache, clock, stored, failing } = failingBench()
    stored.set('a', 1)
    await cache.read('a')
    failing.error = away
    clock.now += 5_000
    expect(await cache.readCopy('a')).toEqual({ value: 1, staleSeconds: null })
    clock.now += 1
    expect(await cache.readCopy('a')).toEqual({ value: 1, staleSeconds: 5 })
    clock.now += 15 * MINUTE_MS - 5_002
    expect(await cache.readCopy('a')).toEqual({ value: 1, staleSeconds: 899 })
    clock.now += 1
    await expect(cache.readCopy('a')).rejects.toBe(away)
    failing.error = null
    expect(await cache.readCopy('a')).toEqual({ value: 1, staleSeconds: null })
  })

  it('[C10] what was never read fails, and so does every failure that is not the ledger’s absence', async () => {
    const { cache, clock, stored, failing } = failingBench()
    stored.set('a', 1)
    await cache.read('a')
    clock.now += 2_000
    failing.error = away
    await expect(cache.readCopy('b')).rejects.toBe(away)
    failing.error = new Error('a bug')
    await expect(cache.readCopy('a')).rejects.toThrow('a bug')
  })

  it('[C12] a caller who must see the ledger’s word gets no copy', async () => {
    const { cache, stored, failing } = failingBench()
    stored.set('a', 1)
    await cache.read('a')
    failing.error = away
    await expect(cache.readNow('a')).rejects.toBe(away)
  })

  it('[C12] a write drops the copies that contain it, and keeps the others for an outage only', async () => {
    const { cache, stored, failing } = failingBench()
    for (const [index, key] of ['a', 'b'].entries()) stored.set(key, index)
    await Promise.all([cache.read('a'), cache.read('b')])
    cache.forgetAll((value) => value === 0)
    expect(cache.peek('b')).toBeUndefined()
    failing.error = away
    await expect(cache.readCopy('a')).rejects.toBe(away)
    expect(await cache.readCopy('b')).toEqual({ value: 1, staleSeconds: null })
  })

  it('[C12] a written key that is in use has a new copy at once, and the old one never again', async () => {
    const { cache, stored, failing } = failingBench()
    stored.set('a', 1)
    await cache.read('a')
    stored.set('a', 2)
    cache.forget('a')
    await settle()
    failing.error = away
    expect(await cache.readCopy('a')).toEqual({ value: 2, staleSeconds: null })
  })

  it('[C5] copies are bounded by their weight like all answers', async () => {
    const { cache, clock, stored, failing } = failingBench()
    for (const key of ['a', 'b', 'c', 'd']) {
      stored.set(key, 1)
      await cache.read(key)
      clock.now += 2_000
    }
    failing.error = away
    expect(cache.weight).toBe(3)
    await expect(cache.readCopy('a')).rejects.toBe(away)
    expect(await cache.readCopy('d')).toMatchObject({ value: 1 })
  })
})
