import { randomUUID } from 'node:crypto'
import {
  type ConfirmTogether,
  confirmTogether,
  readEticketsOf,
  type StartPayment,
  startTogether,
} from '@seatwise/ledger'
import { expect, it } from 'vitest'
import { buyerOf, claimAll, claimOf, hold, openStanding, type Sale } from '../reservations/sale-kit.ts'
import { countedLedger } from '../support/counted-ledger.ts'
import { countRoundTrips } from '../support/counted-round-trips.ts'

const PAYMENTS = 20
/** With the lock comes what is read; with the commit goes what is written. */
const ROUND_TRIPS = 2

const ledger = countedLedger()

it('[B45] starting and confirming a batch of payments takes two round trips each, all statements prepared', async () => {
  const sale = await openStanding(ledger.current, PAYMENTS)
  const payments = await Promise.all(sale.seats.map(() => paymentOf(sale)))
  const starting = () => startTogether(ledger.current, sale.event.id, payments)
  const started = await keepResult(starting)
  expect(started.asked).toEqual({ roundTrips: ROUND_TRIPS, unprepared: [] })
  expect(started.result.map((outcome) => outcome?.status)).toEqual(payments.map(() => 'started'))

  const money = payments.map(({ purchaseId, reservationId }): ConfirmTogether => {
    return { purchaseId, reservationId, captured: 4500, providerRef: null }
  })
  const shown = new Map<string, readonly unknown[]>()
  const confirming = () =>
    confirmTogether(ledger.current, sale.event.id, money, ({ reservation, etickets }) => {
      shown.set(reservation.id, etickets)
      return { statusCode: 201, body: {} }
    })
  const confirmed = await keepResult(confirming)
  expect(confirmed.asked).toEqual({ roundTrips: ROUND_TRIPS, unprepared: [] })
  expect(confirmed.result.map((outcome) => outcome?.status)).toEqual(payments.map(() => 'paid'))
  for (const { reservationId } of payments) {
    const read = await readEticketsOf(ledger.current.db, [reservationId])
    // Who holds a ticket is on no answer that is stored with the payment.
    expect(shown.get(reservationId)).toEqual(read.map(({ holder: _, ...eticket }) => eticket))
  }
})

it('[B45] plain claims take one round trip', async () => {
  const sale = await openStanding(ledger.current, 2)
  const claims = sale.seats.map(({ id }) => claimOf(sale, { seatIds: [id] }))
  const { asked, result } = await keepResult(() => claimAll(sale, claims))
  expect(result.map(({ status }) => status)).toEqual(['held', 'held'])
  expect(asked).toEqual({ roundTrips: 1, unprepared: [] })
})

async function keepResult<Result>(work: () => Promise<Result>) {
  const results: Result[] = []
  const asked = await countRoundTrips(ledger.current, async () => {
    results.push(await work())
  })
  return { asked, result: results[0] as Result }
}

async function paymentOf(sale: Sale): Promise<StartPayment> {
  const reservationId = await hold(sale, 1)
  const buyerId = await buyerOf(sale, reservationId)
  const operation = { actorId: buyerId, key: randomUUID(), fingerprint: 'pay' }
  const window = { paySeconds: 600, holdSecondsMax: 900 }
  return { purchaseId: randomUUID(), reservationId, buyerId, provider: 'sandbox', operation, ...window }
}
