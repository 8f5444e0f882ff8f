import { forEachLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld, type World } from '../security-world.ts'
import { fuzz } from './fuzz.ts'

const CALLS = 40_000

forEachLedger('a long time of hostile calls', (openLedger) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(openLedger())
    await world.bench.server.app.listen({ port: 0, host: '127.0.0.1' })
  })
  // The ledger is the suite's, which closes it.
  afterAll(() => world.bench.server.close())

  it('[X26] every route answers within its catalogue', async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
    console.log(`fuzz: seed ${seed}`)
    const report = await fuzz(world, { seed, calls: CALLS })
    expect({ seed, problems: report.problems }).toEqual({ seed, problems: [] })
    expect(report.calls).toBeGreaterThanOrEqual(CALLS)
    expect((await world.bench.server.app.inject('/health/ready')).statusCode).toBe(200)
  })
})
