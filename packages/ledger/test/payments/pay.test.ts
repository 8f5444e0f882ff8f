import { randomUUID } from 'node:crypto'
import { faults } from '@seatwise/domain'
import {
  confirmPayment,
  declinePayment,
  type Ledger,
  markPaymentStuck,
  readOperation,
  readPurchase,
  readReservation,
  startPayment,
  startRefund,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  begin,
  buyerOf,
  capture,
  countsInOrder,
  hold,
  newsAbout,
  openSale,
  openStanding,
  type Sale,
  seatRows,
  sell,
  statusOf,
} from '../reservations/sale-kit.ts'
import { finishRefundsOf } from '../support/finish-refunds.ts'

forEachLedger('paying', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })
  afterEach(() => faults.disarm())

  const start = async (sale: Sale, reservationId: string, more: Partial<Parameters<typeof startPayment>[1]> = {}) => {
    const buyerId = await buyerOf(sale, reservationId)
    const operation = { actorId: buyerId, key: randomUUID(), fingerprint: 'pay' }
    const window = { paySeconds: 0, holdSecondsMax: 900 }
    const what = { purchaseId: randomUUID(), reservationId, buyerId, provider: 'sandbox', operation }
    return await startPayment(ledger, { ...what, ...window, ...more })
  }

  const deadline = async (reservationId: string): Promise<number> =>
    (await readReservation(ledger.db, reservationId))?.expiresAt.getTime() ?? 0

  describe('starting', () => {
    it('[B18] gives the hold more time once, within a cap, and its seats with it', async () => {
      const sale = await openStanding(ledger, 4)
      const reservationId = await hold(sale, 2, { holdSeconds: 10 })
      const before = await deadline(reservationId)
      const created = before - 10_000
      const first = await start(sale, reservationId, { paySeconds: 600, holdSecondsMax: 60 })
      expect(await deadline(reservationId)).toBe(created + 60_000)
      const held = (await seatRows(sale)).filter(({ status }) => status === 'held')
      expect(held.map(({ held_until }) => held_until?.getTime())).toEqual([created + 60_000, created + 60_000])
      if (first.status !== 'started') throw new Error(first.status)
      await declinePayment(ledger, { purchaseId: first.purchase.id, reason: 'no money' })
      await start(sale, reservationId, { paySeconds: 600, holdSecondsMax: 900 })
      expect(await deadline(reservationId)).toBe(created + 60_000)
    })

    it('[B55] [I30] paying extends every reservation of a visit to the same end, also when no payment succeeds', async () => {
      const sale = await openStanding(ledger, 2)
      const buyerId = randomUUID()
      const visit = { buyerId, ticketNumber: 931_001, fence: 1 }
      const first = await hold(sale, 1, { ...visit, holdSeconds: 20 })
      const sessionEnd = (await deadline(first)) - 50_000
      await ledger.db
        .insertInto('queue_entries')
        .values({
          ...{ room_id: sale.event.roomId, number: visit.ticketNumber, identity: randomUUID(), epoch: 1 },
          ...{ state: 'active', place: 1, joined_at: new Date(), session_end: new Date(sessionEnd) },
        })
        .execute()
      // One reservation's time is 60 seconds, and paying may take 30.
      const window = { paySeconds: 600, holdSecondsMax: 90 }
      for (const round of [1, 2]) {
        const reservationId = round === 1 ? first : await hold(sale, 1, { ...visit, holdSeconds: 20 })
        const started = await start(sale, reservationId, window)
        if (started.status !== 'started') throw new Error(started.status)
        expect(await deadline(reservationId)).toBe(sessionEnd + 90_000)
        await declinePayment(ledger, { purchaseId: started.purchase.id, reason: 'no money' })
      }
    })

    it('[B18] never shortens a hold', async () => {
      const sale = await openStanding(ledger, 1)
      const reservationId = await hold(sale, 1, { holdSeconds: 300 })
      const before = await deadline(reservationId)
      await start(sale, reservationId, { paySeconds: 1 })
      expect(await deadline(reservationId)).toBe(before)
    })

    it('[B28] no buyer pays for a reservation that is not theirs, is over, or is being paid for', async () => {
      const sale = await openStanding(ledger, 5)
      const reservationId = await hold(sale, 1)
      expect(await start(sale, reservationId, { buyerId: randomUUID() })).toEqual({ status: 'not_yours' })
      expect(await start(sale, reservationId)).toMatchObject({ status: 'started' })
      expect(await start(sale, reservationId)).toMatchObject({ status: 'paying' })
      const { reservationId: paid } = await sell(sale, 1)
      expect(await start(sale, paid)).toMatchObject({ status: 'paid' })
      const over = await hold(sale, 1, { holdSeconds: 0 })
      expect(await start(sale, over)).toMatchObject({ status: 'expired' })
      const unknown = { reservationId: randomUUID() }
      expect(await start(sale, over, unknown)).toEqual({ status: 'unknown' })
    })

    it('[B25] the same key again finds its purchase, and its answer once there is one', async () => {
      const sale = await openStanding(ledger, 1)
      const reservationId = await hold(sale, 1)
      const operation = { actorId: await buyerOf(sale, reservationId), key: randomUUID(), fingerprint: 'pay' }
      const first = await start(sale, reservationId, { operation })
      if (first.status !== 'started') throw new Error(first.status)
      const { purchase } = first
      expect(await start(sale, reservationId, { operation })).toMatchObject({
        status: 'repeated',
        purchase: { id: purchase.id },
        answer: null,
      })
      const other = { ...operation, fingerprint: 'another' }
      expect(await start(sale, reservationId, { operation: other })).toMatchObject({ status: 'key_reused' })
      const terms = { captured: purchase.amount, providerRef: 'ref-1', seatsPerBuyerMax: 6 }
      const answer = { statusCode: 201, body: { hello: 'world' } }
      await confirmPayment(ledger, { purchaseId: purchase.id, ...terms, alongside: async () => answer })
      expect(await start(sale, reservationId, { operation })).toMatchObject({ status: 'repeated', answer })
      expect(await readOperation(ledger.db, operation.actorId, operation.key)).toMatchObject({ answer })
    })
  })

  describe('the end of a payment', () => {
    it('[B28] a capture sells the seats once, however often it is told', async () => {
      const sale = await openStanding(ledger, 3)
      const reservationId = await hold(sale, 2)
      const purchase = await begin(sale, reservationId)
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => capture(sale, purchase)))
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['paid', ...Array(4).fill('repeated')])
      expect(await readPurchase(ledger.db, purchase.id)).toMatchObject({ status: 'PAID', captured: 9_000, refunded: 0 })
      expect(await statusOf(sale, reservationId)).toBe('PAID')
      expect(await newsAbout(sale, reservationId)).toEqual(['reservation.created', 'purchase.started', 'purchase.paid'])
      expect(await countsInOrder(sale)).toEqual({ available: 1, held: 0, sold: 2, blocked: 0 })
    })

    it('[B28] free seats are sold without a capture', async () => {
      const sale = await openSale(ledger, { totalSeats: 1 })
      expect(await sell(sale, 1)).toMatchObject({ status: 'PAID', amount: 0, captured: 0 })
    })

    it('[B28] a confirmation that breaks before its commit can be told again', async () => {
      const sale = await openStanding(ledger, 1)
      const purchase = await begin(sale, await hold(sale, 1))
      faults.arm('pay.inside-confirm', () => {
        throw new Error('broken')
      })
      await expect(capture(sale, purchase)).rejects.toThrow('broken')
      faults.disarm()
      expect(await readPurchase(ledger.db, purchase.id)).toMatchObject({ status: 'PROCESSING', captured: 0 })
      expect(await capture(sale, purchase)).toMatchObject({ status: 'paid' })
    })

    it('[B30] a declined payment leaves the hold until its deadline, and another may follow', async () => {
      const sale = await openStanding(ledger, 1)
      const reservationId = await hold(sale, 1)
      const before = await deadline(reservationId)
      const { id: purchaseId } = await begin(sale, reservationId)
      const declined = await declinePayment(ledger, { purchaseId, reason: 'no money' })
      expect(declined).toMatchObject({ status: 'declined', purchase: { status: 'DECLINED', reason: 'no money' } })
      expect(await declinePayment(ledger, { purchaseId, reason: 'again' })).toMatchObject({ status: 'repeated' })
      expect(await deadline(reservationId)).toBe(before)
      expect(await countsInOrder(sale)).toMatchObject({ held: 1 })
      expect(await capture(sale, await begin(sale, reservationId))).toMatchObject({ status: 'paid' })
    })

    it('[B28] money for a reservation that was paid otherwise goes back and leaves the sale alone', async () => {
      const sale = await openStanding(ledger, 1)
      const reservationId = await hold(sale, 1)
      const first = await begin(sale, reservationId)
      await declinePayment(ledger, { purchaseId: first.id, reason: 'too slow' })
      await capture(sale, await begin(sale, reservationId))
      expect(await capture(sale, first)).toMatchObject({ status: 'refund', purchase: { status: 'REFUNDING' } })
      const refunded = await finishRefundsOf(ledger, first.id)
      expect(refunded).toMatchObject({
        status: 'refunded',
        purchase: { refunded: 4_500 },
        reservation: { status: 'PAID' },
      })
      expect(await countsInOrder(sale)).toMatchObject({ sold: 1 })
    })

    it('[B33] another amount than was asked for is stuck, and can be sent back', async () => {
      const sale = await openStanding(ledger, 1)
      const purchase = await begin(sale, await hold(sale, 1))
      const terms = { purchaseId: purchase.id, captured: 1, providerRef: null, seatsPerBuyerMax: 6 }
      expect(await confirmPayment(ledger, terms)).toMatchObject({ status: 'stuck', purchase: { captured: 1 } })
      expect(await start(sale, purchase.reservationId)).toMatchObject({ status: 'paying' })
      expect(await startRefund(ledger, { purchaseId: purchase.id, reason: 'wrong amount' })).toMatchObject({
        status: 'refunding',
      })
      expect(await finishRefundsOf(ledger, purchase.id)).toMatchObject({
        status: 'refunded',
        purchase: { captured: 1, refunded: 1 },
      })
    })

    it('[B33] more than was asked for is stuck, too, and all of it goes back', async () => {
      const sale = await openStanding(ledger, 1)
      const { id: purchaseId, amount, reservationId } = await begin(sale, await hold(sale, 1))
      const terms = { purchaseId, captured: amount + 1, providerRef: null, seatsPerBuyerMax: 6 }
      expect(await confirmPayment(ledger, terms)).toMatchObject({ status: 'stuck' })
      expect(await statusOf(sale, reservationId)).toBe('PENDING_PAYMENT')
      await startRefund(ledger, { purchaseId, reason: 'wrong amount' })
      const purchase = { captured: amount + 1, refunded: amount + 1 }
      expect(await finishRefundsOf(ledger, purchaseId)).toMatchObject({ status: 'refunded', purchase })
    })

    it('[B33] a stuck payment with captured money is not declined: the money is still there', async () => {
      const sale = await openStanding(ledger, 1)
      const { id: purchaseId } = await begin(sale, await hold(sale, 1))
      const terms = { purchaseId, captured: 1, providerRef: null, seatsPerBuyerMax: 6 }
      expect(await confirmPayment(ledger, terms)).toMatchObject({ status: 'stuck' })
      for (const end of [declinePayment, markPaymentStuck]) {
        expect(await end(ledger, { purchaseId, reason: 'an operator' })).toMatchObject({ status: 'repeated' })
      }
      expect(await readPurchase(ledger.db, purchaseId)).toMatchObject({ status: 'STUCK', captured: 1, refunded: 0 })
    })

    it('[B33] an undecided payment is stuck until an operator decides', async () => {
      const sale = await openStanding(ledger, 2)
      const { id: purchaseId } = await begin(sale, await hold(sale, 1))
      expect(await markPaymentStuck(ledger, { purchaseId, reason: 'silence' })).toMatchObject({ status: 'stuck' })
      expect(await declinePayment(ledger, { purchaseId, reason: 'an operator' })).toMatchObject({
        status: 'declined',
      })
      const other = await begin(sale, await hold(sale, 1))
      await markPaymentStuck(ledger, { purchaseId: other.id, reason: 'silence' })
      expect(await capture(sale, other)).toMatchObject({ status: 'paid' })
      expect(await declinePayment(ledger, { purchaseId: randomUUID(), reason: '' })).toEqual({ status: 'unknown' })
    })
  })

  describe('refunds', () => {
    it('[B34] a refund returns the seats once, and they can be sold again', async () => {
      const sale = await openStanding(ledger, 2)
      const { id: purchaseId, reservationId } = await sell(sale, 2)
      expect(await startRefund(ledger, { purchaseId, reason: 'rain' })).toMatchObject({ status: 'refunding' })
      expect(await countsInOrder(sale)).toMatchObject({ sold: 2 })
      const outcomes = await Promise.all([1, 2, 3].map(() => finishRefundsOf(ledger, purchaseId)))
      const returned = outcomes.flatMap((outcome) => ('changes' in outcome ? outcome.changes : []))
      expect(returned).toHaveLength(2)
      expect(await statusOf(sale, reservationId)).toBe('REFUNDED')
      expect(await readPurchase(ledger.db, purchaseId)).toMatchObject({ status: 'REFUNDED', refunded: 9_000 })
      expect(await newsAbout(sale, reservationId)).toEqual([
        'reservation.created',
        'purchase.started',
        'purchase.paid',
        'purchase.refunding',
        'purchase.refunded',
      ])
      await sell(sale, 2)
      expect(await countsInOrder(sale)).toEqual({ available: 0, held: 0, sold: 2, blocked: 0 })
    })

    it('[B34] there is nothing to send back before it was captured', async () => {
      const sale = await openStanding(ledger, 1)
      const { id: purchaseId } = await begin(sale, await hold(sale, 1))
      expect(await startRefund(ledger, { purchaseId, reason: '' })).toMatchObject({ status: 'not_captured' })
      expect(await finishRefundsOf(ledger, purchaseId)).toEqual({ status: 'unknown' })
    })
  })
})
