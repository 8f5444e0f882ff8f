import { randomUUID } from 'node:crypto'
import { claimSeats, type Ledger, readOperation, readReservation } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeEvent } from '../../events/events-kit.ts'
import {
  begin,
  capture,
  claimOf,
  claimOne,
  countsInOrder,
  hold,
  newsAbout,
  openSale,
  openStalls,
  openStanding,
  seatId,
  sell,
  statusOf,
} from '../sale-kit.ts'

forEachLedger('claims', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  describe('seats', () => {
    it('[B1] a claim takes all its seats or none', async () => {
      const sale = await openStalls(ledger, 1, 4)
      const wish = { seatIds: [seatId(sale, 0), seatId(sale, 1)] }
      const claim = claimOf(sale, wish)
      const reply = await claimOne(sale, claim)
      expect(reply).toMatchObject({
        status: 'held',
        replaced: null,
        reservation: { id: claim.reservationId, status: 'PENDING_PAYMENT', amount: 18_000, currency: 'EUR' },
      })
      const crossing = { seatIds: [seatId(sale, 2), seatId(sale, 1), seatId(sale, 3)] }
      expect(await claimOne(sale, claimOf(sale, crossing))).toEqual({ status: 'taken', seatIds: [seatId(sale, 1)] })
      expect(await countsInOrder(sale)).toEqual({ available: 2, held: 2, sold: 0, blocked: 0 })
      const stored = await readReservation(ledger.db, claim.reservationId)
      expect(stored).toMatchObject(reply.status === 'held' ? { ...reply.reservation } : {})
      expect(await newsAbout(sale, claim.reservationId)).toEqual(['reservation.created'])
    })

    it('[B1] a seat that a claim names twice is taken once, and counts once', async () => {
      const sale = await openStalls(ledger, 1, 2)
      const twice = claimOf(sale, { seatIds: [seatId(sale, 0), seatId(sale, 0)] }, { seatsPerBuyerMax: 1 })
      expect(await claimOne(sale, twice)).toMatchObject({ status: 'held' })
      expect((await readReservation(ledger.db, twice.reservationId))?.amount).toBe(9_000)
      expect(await countsInOrder(sale)).toMatchObject({ held: 1, available: 1 })
    })

    it('[B8] unnumbered seats are the first free ones, also after some came back', async () => {
      const sale = await openStanding(ledger, 5)
      const first = await hold(sale, 2, { holdSeconds: 0 })
      await hold(sale, 2)
      // The first two are overdue by now: they are found again although the map had looked past them.
      expect(await claimOne(sale, claimOf(sale, 3))).toMatchObject({ status: 'held' })
      expect(await statusOf(sale, first)).toBe('EXPIRED')
      expect(await countsInOrder(sale)).toEqual({ available: 0, held: 5, sold: 0, blocked: 0 })
    })

    it('[B8] several types share one map, and each claim gets its own', async () => {
      const types = ['Floor', 'Balcony'].map((name) => ({ name, price: 100, currency: 'EUR', totalQuantity: 3 }))
      const sale = await openSale(ledger, { seatTypes: types })
      const [floor = '', balcony = ''] = sale.event.seatTypes.map(({ id }) => id)
      const claims = [balcony, floor, balcony].map((seatTypeId) => claimOf(sale, { seatTypeId, quantity: 2 }))
      const outcome = await claimSeats(ledger, sale.event.id, claims)
      expect(outcome?.replies.map(({ status }) => status)).toEqual(['held', 'held', 'not_enough'])
      expect(outcome?.replies[2]).toEqual({ status: 'not_enough', available: 1 })
      expect(await claimOne(sale, claimOf(sale, { seatTypeId: floor, quantity: 1 }))).toMatchObject({ status: 'held' })
      await countsInOrder(sale)
    })

    it('[B9] unknown, foreign and retired seats are unknown; blocked ones are taken', async () => {
      const rows = [{ label: 'A', seats: 3, blocked: [3] }]
      const sale = await openSale(ledger, { seatTypes: [{ name: 'Stalls', price: 1, currency: 'EUR', rows }] })
      const other = await openStalls(ledger, 1, 1)
      for (const stranger of [randomUUID(), seatId(other, 0)]) {
        const claim = claimOf(sale, { seatIds: [seatId(sale, 0), stranger] })
        expect(await claimOne(sale, claim)).toEqual({ status: 'unknown_seat', seatIds: [stranger] })
      }
      const retired = seatId(other, 0)
      const off = { retired: true, status: 'blocked' } as const
      await ledger.db.updateTable('seats').set(off).where('id', '=', retired).execute()
      const claim = claimOf(other, { seatIds: [retired] })
      expect(await claimOne(other, claim)).toEqual({ status: 'unknown_seat', seatIds: [retired] })
      const blocked = claimOf(sale, { seatIds: [seatId(sale, 2)] })
      expect(await claimOne(sale, blocked)).toEqual({ status: 'taken', seatIds: [seatId(sale, 2)] })
      for (const seatTypeId of [randomUUID(), other.event.seatTypes[0]?.id ?? '', sale.event.seatTypes[0]?.id ?? '']) {
        const claim = claimOf(sale, { seatTypeId, quantity: 1 })
        expect(await claimOne(sale, claim)).toMatchObject({ status: 'unknown_seat' })
      }
      expect(await countsInOrder(sale)).toEqual({ available: 2, held: 0, sold: 0, blocked: 1 })
      expect(await claimSeats(ledger, randomUUID(), [blocked])).toBeNull()
    })

    it('[B14] sold out is said only when nothing is available and nothing is held', async () => {
      const sale = await openStanding(ledger, 2)
      await sell(sale, 1)
      await hold(sale, 1)
      expect(await claimOne(sale, claimOf(sale, 1))).toEqual({ status: 'not_enough', available: 0 })
      const other = await openStalls(ledger, 1, 2)
      await sell(other, { seatIds: [seatId(other, 0), seatId(other, 1)] })
      expect(await claimOne(other, claimOf(other, { seatIds: [seatId(other, 0)] }))).toEqual({ status: 'sold_out' })
    })
  })

  describe('passes', () => {
    it('[B4] an older fence than the highest seen of the ticket is refused, also one that only the log has shown', async () => {
      const sale = await openStanding(ledger, 4)
      const ticket = { ticketNumber: 900_001, buyerId: randomUUID() }
      await hold(sale, 1, { ...ticket, fence: 20 })
      expect(await claimOne(sale, claimOf(sale, 1, { ...ticket, fence: 19 }))).toEqual({ status: 'stale_pass' })
      expect(await claimOne(sale, claimOf(sale, 1, { ...ticket, fence: 20 }))).toMatchObject({ status: 'held' })
      const entry = { room_id: sale.event.roomId, number: 900_002, identity: randomUUID(), place: 1, epoch: 1 }
      await ledger.db
        .insertInto('queue_entries')
        .values({ ...entry, state: 'active', fence: 30, joined_at: new Date() })
        .execute()
      const late = { ticketNumber: 900_002 }
      expect(await claimOne(sale, claimOf(sale, 1, { ...late, fence: 29 }))).toEqual({ status: 'stale_pass' })
      expect(await claimOne(sale, claimOf(sale, 1, { ...late, fence: 30 }))).toMatchObject({ status: 'held' })
    })

    it('[B4] a ticket that has paid is done, even if the line has not heard of it; the same key still answers', async () => {
      const sale = await openStanding(ledger, 4)
      const claim = claimOf(sale, 1)
      expect(await claimOne(sale, claim)).toMatchObject({ status: 'held' })
      const { ticketNumber, fence, buyerId } = claim
      expect(await capture(sale, await begin(sale, claim.reservationId))).toMatchObject({ status: 'paid' })
      const again = claimOf(sale, 1, { ticketNumber, fence, buyerId })
      expect(await claimOne(sale, again)).toEqual({ status: 'stale_pass' })
      expect(await claimOne(sale, claim)).toMatchObject({ status: 'repeated' })
      expect(await claimOne(sale, claimOf(sale, 1, { buyerId }))).toMatchObject({ status: 'held' })
    })

    it('[B5] a second claim of a ticket replaces the first if it succeeds, and may keep its seats', async () => {
      const sale = await openStalls(ledger, 1, 4)
      const ticket = { ticketNumber: 900_003, buyerId: randomUUID(), fence: 1 }
      const first = await hold(sale, { seatIds: [seatId(sale, 0), seatId(sale, 1)] }, ticket)
      await hold(sale, { seatIds: [seatId(sale, 3)] })
      const failing = claimOf(sale, { seatIds: [seatId(sale, 1), seatId(sale, 3)] }, ticket)
      expect(await claimOne(sale, failing)).toEqual({ status: 'taken', seatIds: [seatId(sale, 3)] })
      expect(await statusOf(sale, first)).toBe('PENDING_PAYMENT')
      const better = claimOf(sale, { seatIds: [seatId(sale, 1), seatId(sale, 2)] }, ticket)
      expect(await claimOne(sale, better)).toMatchObject({ status: 'held', replaced: first })
      expect(await statusOf(sale, first)).toBe('CANCELED')
      expect(await newsAbout(sale, first)).toEqual(['reservation.created', 'reservation.canceled'])
      expect(await countsInOrder(sale)).toEqual({ available: 1, held: 3, sold: 0, blocked: 0 })
    })

    it('[B5] also inside one batch', async () => {
      const sale = await openStanding(ledger, 3)
      const ticket = { ticketNumber: 900_004, buyerId: randomUUID(), fence: 1 }
      const claims = [2, 3, 1].map((quantity) => claimOf(sale, quantity, ticket))
      const outcome = await claimSeats(ledger, sale.event.id, claims)
      expect(outcome?.replies.map(({ status }) => status)).toEqual(['held', 'held', 'held'])
      const states = await Promise.all(claims.map(({ reservationId }) => statusOf(sale, reservationId)))
      expect(states).toEqual(['CANCELED', 'CANCELED', 'PENDING_PAYMENT'])
      expect(await newsAbout(sale, claims[0]?.reservationId ?? '')).toEqual([
        'reservation.created',
        'reservation.canceled',
      ])
      expect(await countsInOrder(sale)).toEqual({ available: 2, held: 1, sold: 0, blocked: 0 })
    })

    it('[B6] no buyer holds and owns more than the limit, over several tickets and inside one batch', async () => {
      const sale = await openStanding(ledger, 20)
      const buyerId = randomUUID()
      await sell(sale, 2, { buyerId })
      await hold(sale, 1, { buyerId, holdSeconds: 0 })
      const claims = [2, 3, 2, 1].map((quantity) => claimOf(sale, quantity, { buyerId }))
      const outcome = await claimSeats(ledger, sale.event.id, claims)
      expect(outcome?.replies.map(({ status }) => status)).toEqual(['held', 'limit_reached', 'held', 'limit_reached'])
      expect(outcome?.replies[1]).toEqual({ status: 'limit_reached', left: 2 })
    })

    it('[B6] also when the claims come at once', async () => {
      const sale = await openStanding(ledger, 20)
      const buyerId = randomUUID()
      const claims = Array.from({ length: 12 }, () => claimOne(sale, claimOf(sale, 1, { buyerId })))
      const replies = await Promise.all(claims)
      expect(replies.filter(({ status }) => status === 'held')).toHaveLength(6)
      expect(replies.filter(({ status }) => status === 'limit_reached')).toHaveLength(6)
    })
  })

  describe('keys', () => {
    it('[B25, P10] the same key and body gives the same answer, also when it was paid since; another body is refused', async () => {
      const sale = await openStanding(ledger, 2)
      const claim = claimOf(sale, 1)
      const first = await claimOne(sale, claim)
      if (first.status !== 'held') throw new Error('not held')
      expect(await claimOne(sale, claim)).toEqual({ status: 'repeated', reservation: first.reservation })
      const both = await claimSeats(ledger, sale.event.id, [claim, claim])
      expect(both?.replies.map(({ status }) => status)).toEqual(['repeated', 'repeated'])
      const stored = await readOperation(ledger.db, claim.buyerId, claim.operation.key)
      expect(stored?.answer?.statusCode).toBe(201)
      const other = { ...claim, operation: { ...claim.operation, fingerprint: 'another' } }
      expect(await claimOne(sale, other)).toEqual({ status: 'key_reused' })
      expect(await capture(sale, await begin(sale, claim.reservationId))).toMatchObject({ status: 'paid' })
      expect(await claimOne(sale, claim)).toEqual({ status: 'repeated', reservation: first.reservation })
      expect(await countsInOrder(sale)).toEqual({ available: 1, held: 0, sold: 1, blocked: 0 })
    })

    it('[B25] a key that comes twice in one batch acts once', async () => {
      const sale = await openStanding(ledger, 4)
      const claim = claimOf(sale, 1)
      const other = { ...claim, operation: { ...claim.operation, fingerprint: 'another' } }
      const outcome = await claimSeats(ledger, sale.event.id, [claim, claim, other])
      expect(outcome?.replies.map(({ status }) => status)).toEqual(['held', 'repeated', 'key_reused'])
      expect(await countsInOrder(sale)).toMatchObject({ held: 1 })
    })

    it('[B26] a refusal leaves the key free and is judged anew', async () => {
      const sale = await openStanding(ledger, 1)
      await hold(sale, 1, { holdSeconds: 1_000 })
      const claim = claimOf(sale, 1)
      expect(await claimOne(sale, claim)).toMatchObject({ status: 'not_enough' })
      expect(await readOperation(ledger.db, claim.buyerId, claim.operation.key)).toBeNull()
      await ledger.db
        .updateTable('reservations')
        .set({ expires_at: new Date(0) })
        .execute()
      expect(await claimOne(sale, claim)).toMatchObject({ status: 'held' })
    })
  })

  it('[B15] a refused claim changes nothing, not even the version', async () => {
    const event = await makeEvent(ledger, { totalSeats: 1 })
    const sale = { ledger, event, seats: [] }
    const held = await claimSeats(ledger, event.id, [claimOf(sale, 1)])
    const refused = await claimSeats(ledger, event.id, [claimOf(sale, 1)])
    expect(refused).toMatchObject({ version: held?.version, changes: [], counts: { available: 0, held: 1 } })
  })
})
