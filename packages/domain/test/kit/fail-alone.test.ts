import { expect, test } from 'vitest'
import { failAlone } from '../../src/index.ts'

const BAD = new Error('bad item')
const AWAY = new Error('the store is away')

/** A store that cannot digest the bad items; remembers its calls and what took effect, in order. */
function store(bad: ReadonlySet<number>) {
  const calls: (readonly number[])[] = []
  const done: number[] = []
  const run = async (items: readonly number[]): Promise<number[]> => {
    calls.push(items)
    if (items.some((item) => bad.has(item))) throw BAD
    done.push(...items)
    return items.map((item) => item * 10)
  }
  return { calls, done, run }
}

const isAboutItems = (error: unknown): boolean => error === BAD
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

test('[I33] items that fail do so alone; the others are answered, in their order, with bounded calls', async () => {
  for (const [count, bad] of [
    [1, [0]],
    [2, [1]],
    [7, [0, 6]],
    [200, [77]],
    [200, numbers(200)],
  ] as const) {
    const { run, calls, done } = store(new Set(bad))
    const outcomes = await failAlone(numbers(count), { run, isAboutItems })
    const isBad = new Set<number>(bad)
    expect(outcomes).toEqual(numbers(count).map((item) => (isBad.has(item) ? { error: BAD } : { reply: item * 10 })))
    expect(done).toEqual(numbers(count).filter((item) => !isBad.has(item)))
    expect(calls.length).toBeLessThanOrEqual(2 * count)
    if (bad.length === 1) expect(calls.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(count)))
  }
})

test('[I33] a store that is away is asked once', async () => {
  let calls = 0
  const run = async (): Promise<number[]> => {
    calls += 1
    throw AWAY
  }
  await expect(failAlone(numbers(50), { run, isAboutItems })).rejects.toBe(AWAY)
  expect(calls).toBe(1)
})

test('[I33] one that goes away while a bad item is looked for ends the search', async () => {
  let calls = 0
  const run = async (): Promise<number[]> => {
    calls += 1
    throw calls < 3 ? BAD : AWAY
  }
  await expect(failAlone(numbers(50), { run, isAboutItems })).rejects.toBe(AWAY)
  expect(calls).toBe(3)
})
