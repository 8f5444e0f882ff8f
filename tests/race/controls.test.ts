import { checkRecords, type Report } from '@seatwise/checker'
import { seededRandom, testSeed } from '@seatwise/testbench'
import { expect, test } from 'vitest'
import { rush } from './rush.ts'
import { type Guard, openUnguardedRoom } from './unguarded-room.ts'

const VISITORS = 400

/** The race of three servers, with one guard off: the checker must name what broke. */
async function race(without: Guard | null): Promise<string[]> {
  const random = seededRandom(testSeed())
  // Capacity is scarce where it is raced for. A second ticket that no visitor knows of would keep its slot for ever.
  const capacity = without === null || without === 'capacity' ? 5 : 1_000
  const limits = { capacity, ratePerMinute: without === 'rate' ? 6_000 : 60_000, burst: 10 }
  const room = await openUnguardedRoom({ ...limits, without, servers: 3 })
  try {
    await rush({ random, visitor: room.visitor }, VISITORS, { arriveWithinMs: 500 })
  } finally {
    await room.close()
  }
  return violated(await checkRecords(room.log()))
}

test('[I13][I14][I15][I21][I28] with every guard on, the same race breaks nothing', async () => {
  expect(await race(null)).toEqual([])
})

test('[I13 control] capacity read before the step overfills the floor', async () => {
  expect(await race('capacity')).toContain('I13')
})

test('[I14 control] a bucket in each server lets too many in', async () => {
  expect(await race('rate')).toContain('I14')
})

test('[I28 control] an identity looked up before the step draws two tickets', async () => {
  expect(await race('identity')).toContain('I28')
})

function violated({ invariants }: Report): string[] {
  return invariants.filter(({ verdict }) => verdict.status === 'violated').map(({ id }) => id)
}
