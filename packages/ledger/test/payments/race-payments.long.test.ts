import type { Ledger } from '@seatwise/ledger'
import { forEachLedger, seededRandom, testSeed } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { payManyAtTheDeadline } from './race-payments-kit.ts'

forEachLedger('the long race between paying and expiring', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  it('[B16, B28, B31] money within 50 ms of the deadline, 2,000 times: each capture is one purchase or one refund', async () => {
    const random = seededRandom(testSeed())
    const tally = await payManyAtTheDeadline(ledger, { times: 2_000, lanes: ledger.kind === 'pglite' ? 4 : 8, random })
    for (const count of Object.values(tally)) expect(count).toBeGreaterThan(0)
  })
})
