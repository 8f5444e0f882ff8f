import { randomBytes, randomUUID } from 'node:crypto'
import { faults } from '@seatwise/domain'
import {
  type Claim,
  claimSeats,
  type Ledger,
  LedgerUnreachable,
  readOperation,
  readSeatChanges,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { grantPlainClaims } from '../../../src/reservations/claims/grant-plain-claims.ts'
import {
  claimOf,
  claimOne,
  countsInOrder,
  hold,
  openStalls,
  openStanding,
  type Sale,
  seatId,
  statusOf,
} from '../sale-kit.ts'

forEachLedger('claims that arrive together', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })
  afterEach(() => faults.disarm())

  it('[B3] the earlier wins, and all of them are one version', async () => {
    const sale = await openStalls(ledger, 1, 5)
    const before = await readSeatChanges(ledger, sale.event.id, 0)
    const wishes = [[0, 1], [1, 2], [2, 3], [4]].map((seats) => ({ seatIds: seats.map((seat) => seatId(sale, seat)) }))
    const claims = wishes.map((wish) => claimOf(sale, wish))
    const outcome = await claimSeats(ledger, sale.event.id, claims)
    expect(outcome?.replies.map(({ status }) => status)).toEqual(['held', 'taken', 'held', 'held'])
    expect(outcome).toMatchObject({ version: (before?.version ?? 0) + 1, counts: { available: 0, held: 5 } })
    expect(outcome?.changes.map(({ status }) => status)).toEqual(Array(5).fill('held'))
    expect(await countsInOrder(sale)).toEqual({ available: 0, held: 5, sold: 0, blocked: 0 })
  })

  it('[B4] an older fence is refused behind a newer one of the same batch, whichever wish it has', async () => {
    const sale = await openStalls(ledger, 1, 3)
    const ticket = { ticketNumber: 900_101, buyerId: randomUUID() }
    const wishFor = (index: number) => ({ seatIds: [seatId(sale, index)] })
    const claims = [
      claimOf(sale, wishFor(0), { ...ticket, fence: 8 }),
      claimOf(sale, wishFor(1), { ...ticket, fence: 7 }),
      claimOf(sale, wishFor(2), { ...ticket, fence: 9 }),
    ]
    const outcome = await claimSeats(ledger, sale.event.id, claims)
    expect(outcome?.replies.map(({ status }) => status)).toEqual(['held', 'stale_pass', 'held'])
    expect(await countsInOrder(sale)).toMatchObject({ available: 2, held: 1 })
  })

  it('[B3] a claim that the ledger cannot store fails alone', async () => {
    const sale = await openStanding(ledger, 10)
    const twin = randomUUID()
    const claims = [
      claimOf(sale, 1),
      claimOf(sale, 1, { roomId: 'no id at all' }),
      claimOf(sale, 1),
      claimOf(sale, 1, { reservationId: twin }),
      // The same id for another reservation: the database refuses the second.
      claimOf(sale, 1, { reservationId: twin }),
      claimOf(sale, 1),
    ]
    const outcome = await claimSeats(ledger, sale.event.id, claims)
    expect(outcome?.replies.map(({ status }) => status)).toEqual(['held', 'failed', 'held', 'held', 'failed', 'held'])
    expect(outcome).toMatchObject({ counts: { available: 6, held: 4 } })
    expect(outcome?.changes).toHaveLength(4)
    expect(await countsInOrder(sale)).toEqual({ available: 6, held: 4, sold: 0, blocked: 0 })
  })

  /** Each is refused by another part of the ledger, or by our own code. */
  const poisons: { what: string; spoil: (claim: Claim) => Claim }[] = [
    { what: 'a key that no index takes', spoil: withKey(randomBytes(20_000).toString('base64')) },
    { what: 'a key with a NUL', spoil: withKey('a\0b') },
    { what: 'a number that no column takes', spoil: (claim) => ({ ...claim, fence: 1e30 }) },
    { what: 'an id that is none', spoil: (claim) => ({ ...claim, reservationId: 'no id at all' }) },
    { what: 'no seats at all', spoil: (claim) => ({ ...claim, wish: { ...claim.wish, quantity: 0, seatIds: [] } }) },
  ]

  describe.each([
    { way: 'granted by the ledger (B49)', wish: (sale: Sale, index: number) => ({ seatIds: [seatId(sale, index)] }) },
    { way: 'decided by us', wish: () => 1 },
  ])('$way', ({ wish }) => {
    it.each(poisons)('[B58][I33] a claim with $what fails alone', async ({ spoil }) => {
      const sale = await openStanding(ledger, 9)
      const claims = sale.seats.map((_, index) => claimOf(sale, wish(sale, index)))
      const bad = spoil(claimOf(sale, wish(sale, 4)))
      const outcome = await claimSeats(ledger, sale.event.id, claims.with(4, bad))
      const statuses = outcome?.replies.map(({ status }) => status)
      expect(statuses?.toSpliced(4, 1)).toEqual(Array(8).fill('held'))
      expect(statuses?.[4]).not.toBe('held')
      expect(outcome).toMatchObject({ counts: { available: 1, held: 8 } })
      expect(await countsInOrder(sale)).toMatchObject({ available: 1, held: 8 })
      // A repeated claim gets the same answer.
      const again = await claimSeats(ledger, sale.event.id, claims.toSpliced(4, 1))
      expect(again?.replies.map(({ status }) => status)).toEqual(Array(8).fill('repeated'))
    })
  })

  it.each(poisons.slice(0, 4))('[B58 control] without that, $what fails all claims of the batch', async ({ spoil }) => {
    const sale = await openStanding(ledger, 9)
    const claims = sale.seats.map((_, index) => claimOf(sale, { seatIds: [seatId(sale, index)] }))
    const batch = claims.with(4, spoil(claims[4] as Claim))
    await expect(grantPlainClaims(ledger, sale.event.id, batch)).rejects.toThrow()
    expect(await countsInOrder(sale)).toMatchObject({ available: 9, held: 0 })
  })

  describe.each([
    { way: 'decided by us', wish: () => 2 },
    { way: 'granted by the ledger (B49)', wish: (sale: Sale) => ({ seatIds: [seatId(sale, 0), seatId(sale, 1)] }) },
  ])('$way', ({ wish }) => {
    it('[B3] what breaks before the commit leaves nothing behind, and the same key may come again', async () => {
      const sale = await openStanding(ledger, 3)
      const claim = claimOf(sale, wish(sale))
      faults.arm('reserve.inside-transaction', () => {
        throw new LedgerUnreachable('the ledger went away')
      })
      await expect(claimSeats(ledger, sale.event.id, [claim])).rejects.toThrow('the ledger went away')
      faults.disarm()
      expect(await readOperation(ledger.db, claim.buyerId, claim.operation.key)).toBeNull()
      expect(await countsInOrder(sale)).toEqual({ available: 3, held: 0, sold: 0, blocked: 0 })
      expect(await claimOne(sale, claim)).toMatchObject({ status: 'held' })
    })

    it('[B3, B25] what breaks after the commit is found again under its key', async () => {
      const sale = await openStanding(ledger, 3)
      const claim = claimOf(sale, wish(sale))
      faults.arm('reserve.after-commit', () => {
        throw new Error('the reply was lost')
      })
      await expect(claimSeats(ledger, sale.event.id, [claim])).rejects.toThrow('the reply was lost')
      faults.disarm()
      const again = { status: 'repeated', reservation: { id: claim.reservationId } }
      expect(await claimOne(sale, claim)).toMatchObject(again)
      expect(await countsInOrder(sale)).toEqual({ available: 1, held: 2, sold: 0, blocked: 0 })
    })
  })

  it('[B7] an expired hold is free, however many others are overdue, and ends before its seat is taken', async () => {
    const sale = await openStalls(ledger, 3, 100)
    const overdue = sale.seats.map(({ id }) => claimOf(sale, { seatIds: [id] }, { holdSeconds: 0 }))
    await claimSeats(ledger, sale.event.id, overdue)
    // Those before it are older, so one transaction would not come as far as the last one by itself.
    const last = { seatIds: [seatId(sale, 299)] }
    const outcome = await claimSeats(ledger, sale.event.id, [claimOf(sale, last)])
    expect(outcome?.replies).toMatchObject([{ status: 'held' }])
    expect(outcome?.expired.map(({ reservationId }) => reservationId)).toContain(overdue.at(-1)?.reservationId)
    expect(await statusOf(sale, overdue.at(-1)?.reservationId ?? '')).toBe('EXPIRED')
    const counts = await countsInOrder(sale)
    expect(counts).toMatchObject({ available: (outcome?.expired.length ?? 0) - 1 })
  })

  it('[B7] a ticket with an expired hold may claim again', async () => {
    const sale = await openStanding(ledger, 1)
    const ticket = { ticketNumber: 910_001, buyerId: randomUUID(), fence: 1 }
    const first = await hold(sale, 1, { ...ticket, holdSeconds: 0 })
    expect(await claimOne(sale, claimOf(sale, 1, ticket))).toMatchObject({ status: 'held', replaced: null })
    expect(await statusOf(sale, first)).toBe('EXPIRED')
  })
})

function withKey(key: string): (claim: Claim) => Claim {
  return (claim) => ({ ...claim, operation: { ...claim.operation, key } })
}
