import type { Ledger } from '@seatwise/ledger'
import { forEachLedger, seededRandom, testSeed } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { claimOf, countsInOrder, openStalls, openStanding, seatId, seatRows } from '../sale-kit.ts'
import { claimUnguarded, overheld, payBlindly, race, takeBlindly } from './race-kit.ts'

forEachLedger('the race for seats', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  it('[B2, B3] 1,000 buyers, one seat: exactly one wins', async () => {
    const sale = await openStalls(ledger, 1, 1)
    const claims = Array.from({ length: 1_000 }, () => claimOf(sale, { seatIds: [seatId(sale, 0)] }))
    const replies = await race(sale, claims, { batchMax: 30, random: seededRandom(testSeed()) })
    expect(replies.filter(({ status }) => status === 'held')).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 'taken')).toHaveLength(999)
    expect(await overheld(sale)).toBe(0)
    expect(await countsInOrder(sale)).toEqual({ available: 0, held: 1, sold: 0, blocked: 0 })
  })

  it('[B2, B3] 2,000 buyers, 100 seats without numbers: exactly 100 win', async () => {
    const sale = await openStanding(ledger, 100)
    const claims = Array.from({ length: 2_000 }, () => claimOf(sale, 1))
    const replies = await race(sale, claims, { batchMax: 60, random: seededRandom(testSeed()) })
    expect(replies.filter(({ status }) => status === 'held')).toHaveLength(100)
    expect(replies.filter(({ status }) => status === 'not_enough')).toHaveLength(1_900)
    expect(await overheld(sale)).toBe(0)
    expect(await countsInOrder(sale)).toEqual({ available: 0, held: 100, sold: 0, blocked: 0 })
  })

  it('[B1, B2, B3] crossing groups of 2 to 8 numbered seats: whole groups or nothing, and no claim waits for ever', async () => {
    const random = seededRandom(testSeed())
    const sale = await openStalls(ledger, 4, 30)
    const claims = Array.from({ length: 400 }, () => {
      const size = 2 + Math.floor(random() * 7)
      const row = Math.floor(random() * 4) * 30
      const first = row + Math.floor(random() * (31 - size))
      const seats = Array.from({ length: size }, (_, index) => seatId(sale, first + index))
      // In any order: claims for the same seats in reverse order must not deadlock.
      const seatIds = random() < 0.5 ? seats : seats.toReversed()
      return claimOf(sale, { seatIds }, { seatsPerBuyerMax: 8 })
    })
    const replies = await race(sale, claims, { batchMax: 20, random })
    const won = claims.filter((_, index) => replies[index]?.status === 'held')
    expect(won.length).toBeGreaterThan(10)
    const seats = await seatRows(sale)
    for (const { reservationId, wish } of won) {
      const held = seats.filter(({ reservation_id }) => reservation_id === reservationId).map(({ id }) => id)
      expect(held.sort()).toEqual('seatIds' in wish ? [...wish.seatIds].sort() : [])
    }
    expect(await overheld(sale)).toBe(0)
    await countsInOrder(sale)
  })

  it('[B2, B3 control] looking and taking in two statements without the lock, the same race overholds', async () => {
    const sale = await openStalls(ledger, 1, 1)
    // The embedded ledger has one session, and the other claims wait for it: all read before one writes.
    const winners = await claimUnguarded(
      sale,
      Array.from({ length: 50 }, () => seatId(sale, 0)),
    )
    expect(winners.length).toBeGreaterThan(1)
    expect(await overheld(sale)).toBe(1)
  })

  it('[B2] without any check and any gate the database alone sells a seat once', async () => {
    const sale = await openStanding(ledger, 1)
    const rivals = await Promise.all(Array.from({ length: 50 }, () => takeBlindly(sale, seatId(sale, 0))))
    const payments = await Promise.allSettled(rivals.map((rival) => payBlindly(sale, rival)))
    expect(payments.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = payments.flatMap((payment) => (payment.status === 'rejected' ? [payment.reason] : []))
    for (const reason of refused) expect(reason).toMatchObject({ constraint: 'reservation_items_sold_once' })
  })
})
