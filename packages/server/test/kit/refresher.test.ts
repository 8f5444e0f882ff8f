import { expect, it } from 'vitest'
import { createRefresher } from '../../src/kit/refresher.ts'

/** A read that the test ends by hand. */
function openRead() {
  const reads: PromiseWithResolvers<void>[] = []
  const read = (): Promise<void> => {
    const one = Promise.withResolvers<void>()
    reads.push(one)
    return one.promise
  }
  return { reads, read }
}

it('[A31] who asks while the list is being read waits for a read that began afterwards, together with all others', async () => {
  const { reads, read } = openRead()
  const refresh = createRefresher(read)
  const first = refresh()
  const [second, third] = [refresh(), refresh()]
  expect(reads).toHaveLength(1)
  reads[0]?.resolve()
  await first
  await new Promise(setImmediate)
  expect(reads).toHaveLength(2)
  let isThere = false
  const both = Promise.all([second, third]).then(() => {
    isThere = true
  })
  await new Promise(setImmediate)
  expect(isThere).toBe(false)
  reads[1]?.resolve()
  await both
})

it('[A31] a read that fails rejects for its own callers only', async () => {
  const { reads, read } = openRead()
  const refresh = createRefresher(read)
  const first = refresh()
  const second = refresh()
  reads[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await new Promise(setImmediate)
  reads[1]?.resolve()
  await expect(second).resolves.toBeUndefined()
  const third = refresh()
  expect(reads).toHaveLength(3)
  reads[2]?.resolve()
  await third
})
