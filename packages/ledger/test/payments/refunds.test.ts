import { randomUUID } from 'node:crypto'
import {
  cancelEvent,
  checkIn,
  finishCancellation,
  finishRefund,
  type Ledger,
  leaseCancellation,
  noteCancelledOrder,
  noteToldBuyers,
  numberReceipts,
  readCancellation,
  readEticketsOf,
  readPurchase,
  readReceipts,
  readRefundsOf,
  reconcileEvent,
  startRefund,
  takeCancelledOrders,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  begin,
  capture,
  claimOf,
  claimOne,
  countsInOrder,
  hold,
  openSale,
  type Sale,
  sell,
  statusOf,
} from '../reservations/sale-kit.ts'

const FEES = [{ name: 'Booking', perTicket: 101 }]

forEachLedger('refunds by seat', (open) => {
  let ledger: Ledger
  let sale: Sale
  beforeAll(async () => {
    ledger = await open()
  }, 60_000)
  beforeEach(async () => {
    const types = [{ name: 'Standing', price: 4_500, currency: 'EUR', totalQuantity: 12 }]
    sale = await openSale(ledger, { fees: FEES, seatTypes: types })
  })

  /** A purchase of so many seats, with their ids and e-tickets. */
  async function bought(seats: number) {
    const purchase = await sell(sale, seats)
    const rows = await ledger.db
      .selectFrom('reservation_items')
      .select('seat_id')
      .where('reservation_id', '=', purchase.reservationId)
      .orderBy('seat_id')
      .execute()
    await ledger.db.transaction().execute(async (db) => {
      await sql`insert into etickets (reservation_id, seat_id, event_id)
                select reservation_id, seat_id, ${sale.event.id} from reservation_items
                 where reservation_id = ${purchase.reservationId} on conflict do nothing`.execute(db)
    })
    return { id: purchase.id, reservationId: purchase.reservationId, seatIds: rows.map(({ seat_id }) => seat_id) }
  }

  const start = (purchaseId: string, more: object = {}) => startRefund(ledger, { purchaseId, reason: 'asked', ...more })

  async function refund(purchaseId: string, more: object = {}) {
    const outcome = await start(purchaseId, more)
    if (outcome.status !== 'refunding') throw new Error(`Not refunded: ${outcome.status}`)
    for (const { id } of outcome.refunds) await finishRefund(ledger, id)
    return outcome.refunds
  }

  it('[B130] some seats come back, the others stay sold, and the last one ends the reservation', async () => {
    const { id, reservationId, seatIds } = await bought(3)
    const [first = '', second = '', third = ''] = seatIds
    await start(id, { seatIds: [first] })
    expect(await readPurchase(ledger.db, id)).toMatchObject({ status: 'PAID', refunded: 0 })
    const isVoid = async () =>
      new Map((await readEticketsOf(ledger.db, [reservationId])).map((one) => [one.seatId, one.isVoid]))
    expect(await isVoid()).toEqual(
      new Map([
        [first, true],
        [second, false],
        [third, false],
      ]),
    )
    expect(await countsInOrder(sale)).toMatchObject({ sold: 3 })
    for (const { id: refundId } of await readRefundsOf(ledger.db, id)) await finishRefund(ledger, refundId)
    expect(await readPurchase(ledger.db, id)).toMatchObject({ status: 'PARTLY_REFUNDED', refunded: 4_601, kept: 0 })
    expect(await statusOf(sale, reservationId)).toBe('PAID')
    expect(await countsInOrder(sale)).toEqual({ available: 10, held: 0, sold: 2, blocked: 0 })
    // The seat can be sold again, and belongs to its new buyer.
    const again = await sell(sale, { seatIds: [first] })
    await refund(id, { keepFees: true })
    expect(await readPurchase(ledger.db, id)).toMatchObject({ status: 'REFUNDED', refunded: 13_601, kept: 202 })
    expect(await statusOf(sale, reservationId)).toBe('REFUNDED')
    expect(await countsInOrder(sale)).toMatchObject({ sold: 1 })
    expect(await readPurchase(ledger.db, again.id)).toMatchObject({ status: 'PAID' })
    expect(await reconcileEvent(ledger, { eventId: sale.event.id, dryRun: true })).toEqual({ repaired: [], left: [] })
  })

  it('[B134] seats of other purchases are unknown, refunded ones are refused, used ones ask twice', async () => {
    const { id, seatIds } = await bought(2)
    const other = await bought(1)
    const [first = '', second = ''] = seatIds
    expect(await start(id, { seatIds: other.seatIds })).toMatchObject({
      status: 'unknown_seats',
      seatIds: other.seatIds,
    })
    await refund(id, { seatIds: [first] })
    expect(await start(id, { seatIds })).toMatchObject({ status: 'already', seatIds: [first] })
    const eticket = (await readEticketsOf(ledger.db, [(await readPurchase(ledger.db, id))?.reservationId ?? ''])).find(
      ({ seatId }) => seatId === second,
    )
    await checkIn(ledger, { eticketId: eticket?.id ?? '', by: randomUUID() })
    expect(await start(id)).toMatchObject({ status: 'used', seatIds: [second] })
    await refund(id, { evenIfUsed: true })
    expect(await readPurchase(ledger.db, id)).toMatchObject({ status: 'REFUNDED', refunded: 9_202 })
    expect(await start(id)).toMatchObject({ status: 'refunded' })
    expect(await start(id, { seatIds: [second] })).toMatchObject({ status: 'already' })
  })

  it('[B135] a call that is repeated under its key finds its own refund, whatever was refunded since', async () => {
    const { id, seatIds } = await bought(2)
    const operation = { actorId: randomUUID(), key: randomUUID(), fingerprint: 'one' }
    const begun = await start(id, { seatIds: seatIds.slice(0, 1), operation })
    const again = await start(id, { seatIds: seatIds.slice(0, 1), operation })
    const refundsOf = (outcome: typeof begun) => ('refunds' in outcome ? outcome.refunds.map((one) => one.id) : [])
    expect(refundsOf(again)).toEqual(refundsOf(begun))
    expect(await readRefundsOf(ledger.db, id)).toHaveLength(1)
  })

  it('[B136] [B101] each refund has a credit note of its own, and the numbers have no gap', async () => {
    const { id, seatIds } = await bought(3)
    await refund(id, { seatIds: seatIds.slice(0, 1) })
    await refund(id, { seatIds: seatIds.slice(1, 2), keepFees: true })
    await numberReceipts(ledger)
    await refund(id)
    await numberReceipts(ledger)
    const receipts = await readReceipts(ledger.db, id)
    expect(receipts.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['receipt', 13_803],
      ['credit_note', 4_601],
      ['credit_note', 4_500],
      ['credit_note', 4_601],
    ])
    const from = receipts[0]?.number ?? 0
    expect(receipts.map(({ number }) => number)).toEqual([from, from + 1, from + 2, from + 3])
    const { credited, refunded } = await ledger.db
      .selectFrom('purchases')
      .select(['credited', 'refunded'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(credited).toBe(refunded)
  })

  it('[B131] any order of partial refunds ends with what was captured, to the cent, in our books', async () => {
    const plan = fc.array(fc.record({ seat: fc.nat(2), keepFees: fc.boolean() }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(plan, async (steps) => {
        const { id, seatIds } = await bought(3)
        for (const { seat, keepFees } of steps) {
          const outcome = await start(id, { seatIds: [seatIds[seat]], keepFees })
          if (outcome.status === 'refunding') await finishRefund(ledger, outcome.refunds[0]?.id ?? '')
          else expect(outcome.status).toBe('already')
        }
        const partly = await readPurchase(ledger.db, id)
        const owed = steps.reduce(
          (sum, { seat }, index) => (steps.findIndex((step) => step.seat === seat) === index ? sum + 4_601 : sum),
          0,
        )
        expect((partly?.refunded ?? 0) + (partly?.kept ?? 0)).toBe(owed)
        await start(id).then(async (rest) => {
          if (rest.status === 'refunding') for (const one of rest.refunds) await finishRefund(ledger, one.id)
        })
        const all = await readPurchase(ledger.db, id)
        expect(all?.status).toBe('REFUNDED')
        expect((all?.refunded ?? 0) + (all?.kept ?? 0)).toBe(all?.captured)
      }),
      { numRuns: 12 },
    )
    expect(await countsInOrder(sale)).toMatchObject({ sold: 0, available: 12 })
  })

  describe('reconciling', () => {
    /**
     * A table, its key and the value of it, a column with money, and what is found when it is a cent off. Two columns where
     * the database itself refuses that they differ.
     */
    type Planted = readonly [table: string, key: string, of: string, columns: string, found: readonly string[]]

    const kinds = async () => {
      const { repaired, left } = await reconcileEvent(ledger, { eventId: sale.event.id, dryRun: false })
      expect(repaired).toEqual([])
      return left.map(({ kind }) => kind).sort()
    }
    async function expectFound(planted: readonly Planted[], cents: readonly number[]): Promise<void> {
      expect(await kinds()).toEqual([])
      for (const [table, key, of, columns, found] of planted) {
        for (const cent of cents) {
          const move = (by: number) => {
            const moved = columns.split(' ').map((column) => sql`${sql.ref(column)} = ${sql.ref(column)} + ${by}`)
            return sql`update ${sql.table(table)} set ${sql.join(moved)} where ${sql.ref(key)} = ${of}`.execute(
              ledger.db,
            )
          }
          await move(cent)
          expect(await kinds(), `${table}.${columns} ${cent}`).toEqual(found)
          await move(-cent)
        }
      }
      expect(await kinds()).toEqual([])
    }

    it('[B137] a cent too many or too few is found in each book of the money, and money is never touched', async () => {
      const { id, reservationId, seatIds } = await bought(2)
      const [one] = await refund(id, { seatIds: seatIds.slice(0, 1) })
      await sql`insert into sandbox_payments (ref, purchase_id, amount, currency, return_url, status, captured, refunded)
                values (${id}, ${id}, 9202, 'EUR', '', 'succeeded', 9202, 4601)`.execute(ledger.db)
      await sql`update purchases set updated_at = now() - interval '2 minutes' where id = ${id}`.execute(ledger.db)
      const planted: readonly Planted[] = [
        ['purchases', 'id', id, 'refunded', ['provider', 'refunds']],
        ['purchases', 'id', id, 'amount captured', ['captured', 'provider']],
        ['refunds', 'id', one?.id ?? '', 'amount', ['refund-seats', 'refunds']],
        ['sandbox_payments', 'purchase_id', id, 'refunded', ['provider']],
        ['sandbox_payments', 'purchase_id', id, 'amount captured', ['provider']],
        ['reservations', 'id', reservationId, 'amount', ['captured', 'order']],
        ['reservations', 'id', reservationId, 'tax', ['order']],
        ['reservation_items', 'seat_id', seatIds[0] ?? '', 'fees', ['order', 'refund-seats']],
        ['reservation_items', 'seat_id', seatIds[1] ?? '', 'price', ['order']],
      ]
      await expectFound(planted, [1, -1])
    })

    it('[B137] and in each paper', async () => {
      const { id, reservationId, seatIds } = await bought(2)
      await refund(id, { seatIds: seatIds.slice(0, 1) })
      await numberReceipts(ledger)
      const [receipt, note] = await readReceipts(ledger.db, id)
      if (receipt === undefined || note === undefined) throw new Error('Two papers were expected')
      const planted: readonly Planted[] = [
        ['receipts', 'number', String(receipt.number), 'amount', ['papers']],
        ['receipts', 'number', String(note.number), 'amount', ['papers']],
        ['reservations', 'id', reservationId, 'tax', ['order', 'papers']],
        ['purchases', 'id', id, 'amount captured', ['captured', 'papers']],
      ]
      await expectFound(planted, [1, -1])
      // The database itself refuses to credit more than went back, and a tax below 0.
      await expectFound([['purchases', 'id', id, 'credited', ['papers']]], [-1])
      await expectFound([['receipts', 'number', String(receipt.number), 'tax', ['papers']]], [1])
      await sql`update reservations set lines = replace(lines::text, '9000', '9001')::json where id = ${reservationId}`.execute(
        ledger.db,
      )
      expect(await kinds()).toEqual(['order'])
    })
  })

  describe('cancelling an event', () => {
    const cancel = () => cancelEvent(ledger, { eventId: sale.event.id, message: 'Rain', by: randomUUID() })

    it('[B140] nothing more is sold, what is only reserved ends, and a second call is the same work', async () => {
      await bought(1)
      const pending = await hold(sale, 2)
      const first = await cancel()
      expect(first?.isNew).toBe(true)
      expect(await statusOf(sale, pending)).toBe('CANCELED')
      expect(await claimOne(sale, claimOf(sale, 1))).toEqual({ status: 'cancelled' })
      expect(await cancel()).toMatchObject({ isNew: false, operation: first?.operation })
      expect(await readCancellation(ledger.db, sale.event.id)).toMatchObject({
        status: 'running',
        orders: 1,
        refunded: 0,
      })
    })

    it('[B143] money for a cancelled event goes back, however late it comes', async () => {
      const purchase = await begin(sale, await hold(sale, 1))
      await cancel()
      expect(await capture(sale, purchase)).toMatchObject({ status: 'refund', purchase: { status: 'REFUNDING' } })
      const [one] = await readRefundsOf(ledger.db, purchase.id)
      await finishRefund(ledger, one?.id ?? '')
      expect(await readPurchase(ledger.db, purchase.id)).toMatchObject({ status: 'REFUNDED', refunded: 4_601 })
      expect(await countsInOrder(sale)).toMatchObject({ sold: 0 })
    })

    it('[B142] one server at a time works on it; failures are retried later, and counted', async () => {
      const order = await bought(1)
      await cancel()
      const { eventId } = { eventId: sale.event.id }
      // Events of other tests wait, too: take until it is this one.
      const lease = async () => {
        for (;;) {
          const taken = await leaseCancellation(ledger.db, 60)
          if (taken === null || taken.eventId === eventId) return taken
          await finishCancellation(ledger.db, taken.eventId, 0)
        }
      }
      expect(await lease()).toMatchObject({ eventId, message: 'Rain', isLineTold: false })
      expect(await lease()).toBeNull()
      const take = () => takeCancelledOrders(ledger.db, { eventId, max: 10, leaseSeconds: 60 })
      expect(await take()).toEqual([order.id])
      expect(await take()).toEqual([])
      await noteCancelledOrder(ledger.db, order.id, 'no answer')
      expect(await readCancellation(ledger.db, eventId)).toMatchObject({ refunded: 0, failed: 1 })
      expect(await noteToldBuyers(ledger.db, eventId)).toMatchObject({ isRefunded: false })
      await noteCancelledOrder(ledger.db, order.id, null)
      expect(await readCancellation(ledger.db, eventId)).toMatchObject({ refunded: 1, failed: 0 })
      expect(await noteToldBuyers(ledger.db, eventId)).toMatchObject({ isRefunded: true })
    })
  })
})
