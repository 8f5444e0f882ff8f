import type { Ledger } from '@seatwise/seats'
import { forEachLedger } from '@seatwise/testbench'
import { beforeAll, describe, expect, it } from 'vitest'
import { claimOf, claimOne, openStalls, openStanding, seatId } from './sale-kit.ts'

forEachLedger('claims', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  describe('numbered seats', () => {
    it('[B1] a claim takes all its seats or none', async () => {
      const sale = await openStalls(ledger, 1, 4)
      const wish = { seatIds: [seatId(sale, 0), seatId(sale, 1)] }
      expect(await claimOne(sale, claimOf(sale, wish))).toMatchObject({ status: 'held', replaced: null })
      const crossing = { seatIds: [seatId(sale, 1), seatId(sale, 2)] }
      expect(await claimOne(sale, claimOf(sale, crossing))).toEqual({ status: 'taken', seatIds: [seatId(sale, 1)] })
      const rest = { seatIds: [seatId(sale, 2), seatId(sale, 3)] }
      expect(await claimOne(sale, claimOf(sale, rest))).toMatchObject({ status: 'held' })
    })
  })
  it('[B8] unnumbered', async () => {
    const sale = await openStanding(ledger, 3)
    expect(await claimOne(sale, claimOf(sale, 2))).toMatchObject({ status: 'held' })
    expect(await claimOne(sale, claimOf(sale, 2))).toMatchObject({ status: 'not_enough', available: 1 })
  })
})
