import { suiteSeed } from '@seatwise/testbench'
import { expect, test } from 'vitest'
import { openLaboratory } from './laboratory.ts'
import { expectCopies, openPublicReads } from './public-reads.ts'

const MINUTE_MS = 60_000
const RIGHT_MS_MAX = 2_000

test('[F12] [C10] PostgreSQL is stopped for a minute: no public read fails, nothing is sold, all is right 2 s after its return', async () => {
  const laboratory = await openLaboratory({ servers: 1, seed: suiteSeed() })
  try {
    const reads = await openPublicReads(laboratory, suiteSeed())
    await reads.readAll()
    await laboratory.postgres.stop()
    const answers = await reads.readFor(MINUTE_MS)
    expectCopies(answers)
    expect(await reads.reserve()).toBe(503)
    await laboratory.postgres.restart('kept')
    const rightAfterMs = await reads.untilRight('Aurora at Noon')
    console.info(`${answers.length} answers, all 200; right again after ${Math.round(rightAfterMs)} ms`)
    expect(rightAfterMs).toBeLessThan(RIGHT_MS_MAX)
    expect(await reads.taken()).toBe(0)
  } finally {
    await laboratory.close()
  }
}, 300_000)
