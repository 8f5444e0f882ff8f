import { randomUUID } from 'node:crypto'
import {
  type ConfirmTogether,
  cancelReservation,
  confirmTogether,
  type Ledger,
  markPaymentStuck,
  type PaidPayment,
  type Purchase,
  readOperation,
  readPurchase,
  readReservation,
  type StartPayment,
  type StoredAnswer,
  startTogether,
} from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import {
  begin,
  buyerOf,
  capture,
  claimOf,
  claimOne,
  countsInOrder,
  hold,
  moveDeadline,
  newsAbout,
  openStanding,
  type Sale,
  seatRows,
  statusOf,
} from '../reservations/sale-kit.ts'

forEachLedger('paying together', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  const payment = async (sale: Sale, reservationId: string, more: Partial<StartPayment> = {}) => {
    const buyerId = await buyerOf(sale, reservationId)
    const operation = { actorId: buyerId, key: randomUUID(), fingerprint: 'pay' }
    const window = { paySeconds: 600, holdSecondsMax: 900 }
    return { purchaseId: randomUUID(), reservationId, buyerId, provider: 'sandbox', operation, ...window, ...more }
  }

  const money = ({ id, reservationId }: Money, more: Partial<ConfirmTogether> = {}): ConfirmTogether => ({
    ...{ purchaseId: id, reservationId, captured: 4500, providerRef: null, ...more },
  })

  const answerOf = ({ purchase }: PaidPayment): StoredAnswer => ({ statusCode: 201, body: { paid: purchase.id } })

  it('[B18] starts every payment that nothing stands in the way of, as it would be started alone', async () => {
    const sale = await openStanding(ledger, 4)
    const reservations = [await hold(sale, 1), await hold(sale, 2)]
    const payments = [await payment(sale, reservations[0] ?? ''), await payment(sale, reservations[1] ?? '')]
    const started = await startTogether(ledger, sale.event.id, payments)
    for (const [index, outcome] of started.entries()) {
      if (outcome?.status !== 'started') throw new Error(`not started: ${outcome?.status}`)
      expect(outcome.purchase).toEqual(await readPurchase(ledger.db, payments[index]?.purchaseId ?? ''))
      expect(outcome.reservation).toEqual(await readReservation(ledger.db, reservations[index] ?? ''))
      expect(outcome.reservation.isExtended).toBe(true)
      const seats = (await seatRows(sale)).filter(({ reservation_id }) => reservation_id === reservations[index])
      expect(seats.map(({ held_until }) => held_until)).toEqual(seats.map(() => outcome.reservation.expiresAt))
      expect(await newsAbout(sale, reservations[index] ?? '')).toEqual(['reservation.created', 'purchase.started'])
    }
    expect(await countsInOrder(sale)).toMatchObject({ held: 3, available: 1 })
  })

  it('[B25] [B28] leaves every other payment to be judged alone, and changes nothing about it', async () => {
    const sale = await openStanding(ledger, 10)
    const mine = await hold(sale, 1)
    const first = await payment(sale, mine)
    const paying = await hold(sale, 1)
    await begin(sale, paying)
    const canceled = await hold(sale, 1)
    await cancelReservation(ledger, { reservationId: canceled, buyerId: await buyerOf(sale, canceled) })
    const overdue = await hold(sale, 1)
    await moveDeadline(sale, overdue, -1)
    const others = [
      await payment(sale, mine),
      await payment(sale, paying),
      await payment(sale, canceled),
      await payment(sale, overdue),
      { ...(await payment(sale, await hold(sale, 1))), buyerId: randomUUID() },
      { ...(await payment(sale, await hold(sale, 1))), operation: first.operation },
      { ...first, purchaseId: randomUUID(), reservationId: randomUUID() },
    ]
    const elsewhere = await openStanding(ledger, 1)
    const foreign = await payment(elsewhere, await hold(elsewhere, 1))
    const outcomes = await startTogether(ledger, sale.event.id, [first, ...others, foreign])
    expect(outcomes.map((outcome) => outcome?.status ?? null)).toEqual(['started', ...others.map(() => null), null])
    for (const { purchaseId } of [...others, foreign]) expect(await readPurchase(ledger.db, purchaseId)).toBeNull()
    const again = await startTogether(ledger, sale.event.id, [first])
    expect(again).toEqual([null])
  })

  it('[B28] [B33] nothing else pays for, ends or replaces a reservation with a stuck payment', async () => {
    const sale = await openStanding(ledger, 3)
    const claim = claimOf(sale, 1)
    const { reservationId, buyerId, ticketNumber, fence } = claim
    await claimOne(sale, claim)
    const { id: purchaseId } = await begin(sale, reservationId)
    await markPaymentStuck(ledger, { purchaseId, reason: 'silence' })
    expect(await startTogether(ledger, sale.event.id, [await payment(sale, reservationId)])).toEqual([null])
    expect(await cancelReservation(ledger, { reservationId, buyerId })).toMatchObject({ status: 'paying' })
    const another = claimOf(sale, 2, { buyerId, ticketNumber, fence })
    expect(await claimOne(sale, another)).toEqual({ status: 'paying', reservationId })
    expect(await statusOf(sale, reservationId)).toBe('PENDING_PAYMENT')
    expect(await countsInOrder(sale)).toMatchObject({ held: 1, available: 2 })
  })

  it('[B28] sells the seats of every payment that came in time, each once, and stores the answers', async () => {
    const sale = await openStanding(ledger, 5)
    const one = await begin(sale, await hold(sale, 1))
    const other = await begin(sale, await hold(sale, 2))
    const payments = [money(one), money(other, { captured: 9000, providerRef: 'ref' }), money(one)]
    const outcomes = await confirmTogether(ledger, sale.event.id, payments, answerOf)
    expect(outcomes.map((outcome) => outcome?.status ?? null)).toEqual(['paid', 'paid', 'repeated'])
    for (const outcome of outcomes) {
      if (outcome?.status !== 'paid') continue
      const { purchase, reservation } = outcome
      expect(purchase).toEqual(await readPurchase(ledger.db, purchase.id))
      expect(reservation).toEqual(await readReservation(ledger.db, reservation.id))
      const stored = await readOperation(ledger.db, purchase.actorId ?? '', purchase.operationKey ?? '')
      expect(stored?.answer).toEqual({ statusCode: 201, body: { paid: purchase.id } })
      expect((await newsAbout(sale, reservation.id)).at(-1)).toBe('purchase.paid')
    }
    expect(await countsInOrder(sale)).toMatchObject({ sold: 3, available: 2 })
    expect((await capture(sale, one)).status).toBe('repeated')
  })

  it('[B28] tells of payments that were decided before how they were, and changes nothing about them', async () => {
    const sale = await openStanding(ledger, 3)
    const before = await begin(sale, await hold(sale, 1))
    await capture(sale, before)
    const news = await newsAbout(sale, before.reservationId)
    const first = await begin(sale, await hold(sale, 1))
    const payments = [money(before), money(first), money(first, { captured: 1 })]
    const outcomes = await confirmTogether(ledger, sale.event.id, payments, answerOf)
    expect(outcomes.map((outcome) => outcome?.status)).toEqual(['repeated', 'paid', 'repeated'])
    for (const [index, { purchaseId }] of payments.entries()) {
      expect(outcomes[index]).toMatchObject({ purchase: await readPurchase(ledger.db, purchaseId) })
    }
    expect(await newsAbout(sale, before.reservationId)).toEqual(news)
    expect(await countsInOrder(sale)).toMatchObject({ sold: 2, available: 1 })
  })

  it('[B28] [B31] leaves money that is late, wrong, unknown or of another event to be judged alone', async () => {
    const sale = await openStanding(ledger, 5)
    const late = await begin(sale, await hold(sale, 1))
    await ledger.db.updateTable('purchases').set({ status: 'DECLINED' }).where('id', '=', late.id).execute()
    const wrong = await begin(sale, await hold(sale, 1))
    const elsewhere = await openStanding(ledger, 1)
    const foreign = await begin(elsewhere, await hold(elsewhere, 1))
    const tooMuch = await begin(sale, await hold(sale, 1))
    const payments = [
      ...[money(late), money(wrong, { captured: 1 }), money(tooMuch, { captured: 4501 })],
      ...[money({ id: randomUUID(), reservationId: randomUUID() }), money(foreign)],
    ]
    const outcomes = await confirmTogether(ledger, sale.event.id, payments, answerOf)
    expect(outcomes).toEqual(payments.map(() => null))
    expect(await statusOf(sale, wrong.reservationId)).toBe('PENDING_PAYMENT')
    expect(await statusOf(sale, tooMuch.reservationId)).toBe('PENDING_PAYMENT')
    expect(await countsInOrder(sale)).toMatchObject({ held: 3, sold: 0 })
    expect(await countsInOrder(elsewhere)).toMatchObject({ held: 1, sold: 0 })
  })

  it('[B28] leaves all to be judged alone when one of them cannot be written', async () => {
    const sale = await openStanding(ledger, 2)
    const good = await payment(sale, await hold(sale, 1))
    const bad = { ...(await payment(sale, await hold(sale, 1))), purchaseId: 'no id' }
    expect(await startTogether(ledger, sale.event.id, [good, bad])).toEqual([null, null])
    expect(await readPurchase(ledger.db, good.purchaseId)).toBeNull()
  })
})

type Money = Pick<Purchase, 'id' | 'reservationId'>
