import { suiteSeed } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Laboratory, openLaboratory } from './laboratory.ts'
import { expectCopies, openPublicReads, type PublicReads } from './public-reads.ts'

/** Long enough that copies have to tell their age. */
const OUTAGE_MS = 8_000
const RIGHT_MS_MAX = 2_000

describe('public reads without PostgreSQL', { timeout: 120_000 }, () => {
  let laboratory: Laboratory
  let reads: PublicReads
  beforeAll(async () => {
    laboratory = await openLaboratory({ servers: 1, seed: suiteSeed() })
    reads = await openPublicReads(laboratory, suiteSeed())
  }, 120_000)
  afterAll(() => laboratory?.close())

  test('[F12] [C10] [C11] PostgreSQL is stopped: all of it is answered from copies, and nothing is sold', async () => {
    const { postgres } = laboratory
    await reads.readAll()
    await postgres.stop()
    try {
      expectCopies(await reads.readFor(OUTAGE_MS))
      expect(await reads.reserve()).toBe(503)
      const unasked = await fetch(`${reads.server.url}/api/events/search?q=never+asked`)
      expect(unasked.status).toBe(503)
      expect(Number(unasked.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await postgres.restart('kept')
    }
    expect(await reads.untilRight('Aurora at Noon')).toBeLessThan(RIGHT_MS_MAX)
    expect(await reads.taken()).toBe(0)
  })

  test('[F12] [C10] [C11] PostgreSQL hangs: the first readers wait once, the others get copies at once', async () => {
    const { postgres } = laboratory
    await reads.readAll()
    postgres.pause()
    try {
      expectCopies(await reads.readFor(OUTAGE_MS))
      const startedAt = performance.now()
      await reads.readAll()
      expect(performance.now() - startedAt).toBeLessThan(1_000)
    } finally {
      postgres.resume()
    }
    expect(await reads.untilRight('Aurora at Night')).toBeLessThan(RIGHT_MS_MAX)
    expect(await reads.taken()).toBe(0)
  })
})
