import { randomUUID } from 'node:crypto'
import { faults } from '@seatwise/domain'
import {
  cancelOfTickets,
  cancelReservation,
  claimSeats,
  eventsWithOverdueHolds,
  expireReservations,
  forgetSeatChanges,
  type Ledger,
  readReservation,
  readSeatChanges,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  begin,
  buyerOf,
  capture,
  claimOf,
  countsInOrder,
  hold,
  newsAbout,
  openStanding,
  sell,
  statusOf,
} from '../sale-kit.ts'

forEachLedger('the end of holds', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })
  afterEach(() => faults.disarm())

  describe('expiry', () => {
    it('[B16, B17] ends what is overdue by the ledger’s clock and nothing else, once', async () => {
      const sale = await openStanding(ledger, 6)
      const live = await hold(sale, 1)
      await sell(sale, 1)
      const over = await hold(sale, 2, { holdSeconds: 0, ticketNumber: 920_001 })
      expect(await eventsWithOverdueHolds(ledger.db, 100)).toContain(sale.event.id)
      const first = await expireReservations(ledger, sale.event.id)
      const buyerId = await buyerOf(sale, over)
      const ended = { reservationId: over, buyerId, roomId: sale.event.roomId, ticketNumber: 920_001 }
      expect(first).toMatchObject({ expired: [ended], isFull: false, counts: { available: 4, held: 1, sold: 1 } })
      expect(first?.changes.map(({ status }) => status)).toEqual(['available', 'available'])
      const second = await expireReservations(ledger, sale.event.id)
      expect(second).toMatchObject({ expired: [], changes: [], version: first?.version })
      expect(await statusOf(sale, live)).toBe('PENDING_PAYMENT')
      expect(await newsAbout(sale, over)).toEqual(['reservation.created', 'reservation.expired'])
      expect(await eventsWithOverdueHolds(ledger.db, 100)).not.toContain(sale.event.id)
      expect(await countsInOrder(sale)).toEqual({ available: 4, held: 1, sold: 1, blocked: 0 })
    })

    it('[B16] goes on where a full round stopped', async () => {
      const sale = await openStanding(ledger, 250)
      const claims = Array.from({ length: 250 }, () => claimOf(sale, 1, { holdSeconds: 0 }))
      await claimSeats(ledger, sale.event.id, claims)
      expect(await expireReservations(ledger, sale.event.id)).toMatchObject({ isFull: true })
      expect(await expireReservations(ledger, sale.event.id)).toMatchObject({ isFull: false })
      expect(await countsInOrder(sale)).toEqual({ available: 250, held: 0, sold: 0, blocked: 0 })
      expect(await expireReservations(ledger, randomUUID())).toBeNull()
    })

    it('[B16] a round that breaks inside has returned nothing; one that breaks after has returned all, once', async () => {
      const sale = await openStanding(ledger, 2)
      const over = await hold(sale, 2, { holdSeconds: 0 })
      for (const [point, status] of [
        ['expire.inside-transaction', 'PENDING_PAYMENT'],
        ['expire.after-commit', 'EXPIRED'],
      ] as const) {
        faults.arm(point, () => {
          throw new Error('broken')
        })
        await expect(expireReservations(ledger, sale.event.id)).rejects.toThrow('broken')
        faults.disarm()
        expect(await statusOf(sale, over)).toBe(status)
      }
      expect(await expireReservations(ledger, sale.event.id)).toMatchObject({ expired: [] })
      expect(await countsInOrder(sale)).toMatchObject({ available: 2 })
    })
  })

  describe('giving up', () => {
    it('[B16] a canceled reservation returns its seats once; strangers cannot', async () => {
      const sale = await openStanding(ledger, 3)
      const reservationId = await hold(sale, 2)
      const stranger = await cancelReservation(ledger, { reservationId, buyerId: randomUUID() })
      expect(stranger).toEqual({ status: 'not_yours' })
      const buyerId = await buyerOf(sale, reservationId)
      const outcome = await cancelReservation(ledger, { reservationId, buyerId })
      expect(outcome).toMatchObject({
        status: 'canceled',
        reservation: { status: 'CANCELED' },
        counts: { available: 3 },
      })
      const again = await cancelReservation(ledger, { reservationId, buyerId })
      expect(again).toMatchObject({ status: 'canceled', ended: null, changes: [] })
      expect(await newsAbout(sale, reservationId)).toEqual(['reservation.created', 'reservation.canceled'])
      const unknown = await cancelReservation(ledger, { reservationId: randomUUID(), buyerId: null })
      expect(unknown).toEqual({ status: 'unknown' })
    })

    it('[B16] what is paid or expired cannot be given up', async () => {
      const sale = await openStanding(ledger, 3)
      const { reservationId } = await sell(sale, 1)
      expect(await cancelReservation(ledger, { reservationId, buyerId: null })).toMatchObject({ status: 'ended' })
      const over = await hold(sale, 1, { holdSeconds: 0 })
      await expireReservations(ledger, sale.event.id)
      expect(await cancelReservation(ledger, { reservationId: over, buyerId: null })).toMatchObject({
        status: 'ended',
        reservation: { status: 'EXPIRED' },
      })
      expect(await countsInOrder(sale)).toEqual({ available: 2, held: 0, sold: 1, blocked: 0 })
    })

    it('[B19] leaving the floor gives up what the tickets hold, unless a payment is under way', async () => {
      const sale = await openStanding(ledger, 6)
      const leaving = await hold(sale, 1, { ticketNumber: 930_001 })
      const paying = await hold(sale, 2, { ticketNumber: 930_002 })
      await hold(sale, 1, { ticketNumber: 930_003 })
      const purchase = await begin(sale, paying)
      const tickets = { eventId: sale.event.id, roomId: sale.event.roomId, ticketNumbers: [930_001, 930_002, 930_009] }
      const outcome = await cancelOfTickets(ledger, tickets)
      expect(outcome?.canceled.map(({ reservationId }) => reservationId)).toEqual([leaving])
      expect(await cancelOfTickets(ledger, tickets)).toMatchObject({ canceled: [], changes: [] })
      expect(await cancelReservation(ledger, { reservationId: paying, buyerId: null })).toMatchObject({
        status: 'paying',
      })
      expect(await capture(sale, purchase)).toMatchObject({ status: 'paid' })
      expect(await countsInOrder(sale)).toEqual({ available: 3, held: 1, sold: 2, blocked: 0 })
    })
  })

  it('[B19] leaving one room ends nothing of the ticket with the same number in another', async () => {
    const [left, other] = [await openStanding(ledger, 1), await openStanding(ledger, 1)]
    const ticket = { ticketNumber: 930_011 }
    const [leaving, staying] = [await hold(left, 1, ticket), await hold(other, 1, ticket)]
    const tickets = { eventId: left.event.id, roomId: left.event.roomId, ticketNumbers: [930_011] }
    expect(await cancelOfTickets(ledger, tickets)).toMatchObject({ canceled: [{ reservationId: leaving }] })
    expect(await statusOf(other, staying)).toBe('PENDING_PAYMENT')
    expect(await countsInOrder(other)).toMatchObject({ held: 1 })
  })

  describe('the versions of a seat map', () => {
    it('[B15] a client with a version gets what changed since, the last state of each seat, or is sent to the whole map', async () => {
      const sale = await openStanding(ledger, 3)
      const start = (await readSeatChanges(ledger, sale.event.id, 0))?.version ?? 0
      const reservationId = await hold(sale, 1)
      const { items } = (await readReservation(ledger.db, reservationId)) ?? { items: [] }
      const first = items[0]?.seatId ?? ''
      const news = await readSeatChanges(ledger, sale.event.id, start)
      expect(news).toMatchObject({ version: start + 1, changes: [{ seatId: first, status: 'held' }] })
      await cancelReservation(ledger, { reservationId, buyerId: null })
      expect(await readSeatChanges(ledger, sale.event.id, start)).toMatchObject({
        version: start + 2,
        counts: { available: 3, held: 0 },
        changes: [{ seatId: first, status: 'available' }],
      })
      expect(await readSeatChanges(ledger, sale.event.id, start + 2)).toMatchObject({ changes: [] })
      expect(await readSeatChanges(ledger, sale.event.id, start + 3)).toMatchObject({ changes: null })
      expect(await forgetSeatChanges(ledger.db, 3_600)).toBe(0)
      expect(await forgetSeatChanges(ledger.db, -60)).toBeGreaterThanOrEqual(2)
      expect(await readSeatChanges(ledger, sale.event.id, start)).toMatchObject({ changes: null })
      expect(await readSeatChanges(ledger, randomUUID(), 0)).toBeNull()
    })
  })
})
