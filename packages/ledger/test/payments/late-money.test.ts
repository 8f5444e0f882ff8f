import { randomUUID } from 'node:crypto'
import { cancelReservation, declinePayment, expireReservations, type Ledger, readReservation } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import {
  begin,
  capture,
  countsInOrder,
  hold,
  moveDeadline,
  openStalls,
  openStanding,
  type Sale,
  seatId,
  sell,
  statusOf,
} from '../reservations/sale-kit.ts'
import { finishRefundsOf } from '../support/finish-refunds.ts'

forEachLedger('money that comes late', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  /** A payment under way with a hold that has expired and was swept up. */
  const beginAndExpire = async (sale: Sale, seats: number[] | number, more = {}) => {
    const wish = typeof seats === 'number' ? seats : { seatIds: seats.map((index) => seatId(sale, index)) }
    const purchase = await begin(sale, await hold(sale, wish, more))
    await moveDeadline(sale, purchase.reservationId, -1)
    await expireReservations(ledger, sale.event.id)
    expect(await statusOf(sale, purchase.reservationId)).toBe('EXPIRED')
    return purchase
  }

  const seatsOf = async (reservationId: string): Promise<string[]> =>
    (await readReservation(ledger.db, reservationId))?.items.map(({ seatId }) => seatId) ?? []

  it('[B31] takes the same seats again while they are free', async () => {
    const sale = await openStalls(ledger, 1, 4)
    const purchase = await beginAndExpire(sale, [1, 2])
    expect(await capture(sale, purchase)).toMatchObject({ status: 'paid', isMoved: false })
    expect(await seatsOf(purchase.reservationId)).toEqual([seatId(sale, 1), seatId(sale, 2)])
    expect(await countsInOrder(sale)).toEqual({ available: 2, held: 0, sold: 2, blocked: 0 })
  })

  it('[B31] takes equal seats, side by side, when one of its own is gone; they cost what was paid', async () => {
    const sale = await openStalls(ledger, 2, 4)
    const purchase = await beginAndExpire(sale, [1, 2])
    await sell(sale, { seatIds: [seatId(sale, 2)] })
    const outcome = await capture(sale, purchase)
    expect(outcome).toMatchObject({ status: 'paid', isMoved: true, reservation: { amount: 18_000 } })
    const items = (await readReservation(ledger.db, purchase.reservationId))?.items ?? []
    expect(new Set(items.map(({ row }) => row)).size).toBe(1)
    expect(Math.abs((items[0]?.number ?? 0) - (items[1]?.number ?? 0))).toBe(1)
    expect(items.map(({ price }) => price)).toEqual([9_000, 9_000])
    expect(await countsInOrder(sale)).toEqual({ available: 5, held: 0, sold: 3, blocked: 0 })
  })

  it('[B31] takes any free ones of a type without numbers', async () => {
    const sale = await openStanding(ledger, 4)
    const purchase = await beginAndExpire(sale, 2)
    await hold(sale, 2)
    expect(await capture(sale, purchase)).toMatchObject({ status: 'paid', isMoved: true })
    expect(await countsInOrder(sale)).toEqual({ available: 0, held: 2, sold: 2, blocked: 0 })
  })

  it('[B31] takes its seat from another expired hold', async () => {
    const sale = await openStanding(ledger, 1)
    const purchase = await beginAndExpire(sale, 1)
    const rival = await hold(sale, 1, { holdSeconds: 0 })
    expect(await capture(sale, purchase)).toMatchObject({ status: 'paid' })
    expect(await statusOf(sale, rival)).toBe('EXPIRED')
    expect(await countsInOrder(sale)).toEqual({ available: 0, held: 0, sold: 1, blocked: 0 })
  })

  it('[B31] is refunded automatically when no seat is left', async () => {
    const sale = await openStanding(ledger, 3)
    const purchase = await beginAndExpire(sale, 2)
    await hold(sale, 2)
    const before = await countsInOrder(sale)
    expect(await capture(sale, purchase)).toMatchObject({ status: 'refund', purchase: { status: 'REFUNDING' } })
    expect(await statusOf(sale, purchase.reservationId)).toBe('EXPIRED')
    expect(await capture(sale, purchase)).toMatchObject({ status: 'repeated' })
    expect(await finishRefundsOf(ledger, purchase.id)).toMatchObject({
      status: 'refunded',
      purchase: { captured: 9_000, refunded: 9_000 },
      changes: [],
    })
    expect(await countsInOrder(sale)).toEqual(before)
  })

  it('[B31] takes no seat of a hold that is still valid', async () => {
    const sale = await openStalls(ledger, 1, 1)
    const purchase = await beginAndExpire(sale, [0])
    const rival = await hold(sale, { seatIds: [seatId(sale, 0)] })
    expect(await capture(sale, purchase)).toMatchObject({ status: 'refund' })
    expect(await capture(sale, await begin(sale, rival))).toMatchObject({ status: 'paid' })
    expect(await countsInOrder(sale)).toMatchObject({ sold: 1 })
  })

  it('[B6, B31] goes back when its buyer has taken others instead', async () => {
    const sale = await openStanding(ledger, 20)
    const buyerId = randomUUID()
    const purchase = await beginAndExpire(sale, 4, { buyerId })
    await sell(sale, 3, { buyerId })
    expect(await capture(sale, purchase)).toMatchObject({ status: 'refund' })
    expect(await countsInOrder(sale)).toMatchObject({ sold: 3, available: 17 })
  })

  it('[B6, B31] goes back when its buyer holds others by now, and not when their time is over, too', async () => {
    const sale = await openStanding(ledger, 20)
    const buyerId = randomUUID()
    const purchase = await beginAndExpire(sale, 4, { buyerId })
    await hold(sale, 3, { buyerId })
    expect(await capture(sale, purchase)).toMatchObject({ status: 'refund' })
    expect(await countsInOrder(sale)).toMatchObject({ sold: 0, held: 3 })
    const another = { buyerId: randomUUID() }
    const late = await beginAndExpire(sale, 4, another)
    await moveDeadline(sale, await hold(sale, 3, another), -1)
    expect(await capture(sale, late)).toMatchObject({ status: 'paid' })
  })

  it('[B31] is good for a reservation that was declined and then given up', async () => {
    const sale = await openStanding(ledger, 1)
    const purchase = await begin(sale, await hold(sale, 1))
    await declinePayment(ledger, { purchaseId: purchase.id, reason: 'a mistake of the provider' })
    await cancelReservation(ledger, { reservationId: purchase.reservationId, buyerId: null })
    expect(await capture(sale, purchase)).toMatchObject({ status: 'paid', reservation: { status: 'PAID' } })
  })
})
