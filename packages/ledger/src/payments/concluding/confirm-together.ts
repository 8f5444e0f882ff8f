import { faults } from '@seatwise/domain'
import { loadStatement, nothingIfAboutTheWork, type Primary, plainArray, type Transaction } from '../../engine/index.ts'
import type { StoredAnswer } from '../../operations/index.ts'
import { tell } from '../../outbox/index.ts'
import { readReservations } from '../../reservations/index.ts'
import {
  type OpenSeatMap,
  openDesk,
  readKeptSeats,
  type SeatDesk,
  setSeats,
  type WithMap,
  withSeatMap,
} from '../../seat-map/index.ts'
import { newsOfPurchase, readPurchases } from '../purchase.ts'
import { type Confirmed, type ConfirmOutcome, type ConfirmPayment, isDecided } from './confirm-payment.ts'

const CONFIRM_PAYMENTS = loadStatement(import.meta.url, 'confirm-payments.sql')
const ANSWER_OPERATIONS = loadStatement(import.meta.url, 'answer-operations.sql')

/** What else belongs into the transaction that decides payments; returns the answer to each, in their order. */
export type AlongsideAll = (transaction: Transaction, paid: readonly Confirmed[]) => Promise<StoredAnswer[]>

/**
 * Sells the seats of payments of one event in one transaction, where the money is right and came in time. Those that were
 * decided before are told so: a slow server hears of many a payment twice. Null for every other payment, which is
 * confirmPayment's to judge.
 */
export async function confirmTogether(
  ledger: Primary,
  eventId: string,
  payments: readonly ConfirmPayment[],
  alongside: AlongsideAll,
): Promise<(WithMap<ConfirmOutcome> | null)[]> {
  const outcome = await withSeatMap(ledger, eventId, async (map) => {
    const { paid, repeated, desk } = await findPlain(map, payments)
    if (paid.length > 0) await write(map, paid, desk, alongside)
    if (faults.on) await faults.reach('pay.inside-confirm')
    return { result: { paid, repeated }, moves: desk.moves() }
  }).catch(nothingIfAboutTheWork)
  if (outcome === null) return payments.map(() => null)
  const { paid, repeated, ...change } = outcome
  const decided = new Map<ConfirmPayment, WithMap<ConfirmOutcome>>()
  for (const { payment, ...one } of paid) decided.set(payment, { status: 'paid', isMoved: false, ...one, ...change })
  for (const { payment, ...one } of repeated) decided.set(payment, { status: 'repeated', ...one, ...change })
  return payments.map((payment) => decided.get(payment) ?? null)
}

interface Plain extends Confirmed {
  readonly payment: ConfirmPayment
}

/**
 * The first payment of each reservation that still holds all its seats, as it will be; its seats are sold on the desk.
 * And the payments that were decided before them, or by them.
 */
async function findPlain(
  map: OpenSeatMap,
  payments: readonly ConfirmPayment[],
): Promise<{ paid: Plain[]; repeated: Plain[]; desk: SeatDesk }> {
  const { transaction, at } = map
  const purchases = await readPurchases(
    transaction.db,
    payments.map(({ purchaseId }) => purchaseId),
  )
  const reservationIds = [...new Set(purchases.map(({ reservationId }) => reservationId))]
  const reservations = new Map((await readReservations(transaction.db, reservationIds)).map((one) => [one.id, one]))
  const desk = openDesk(await readKeptSeats(transaction, reservationIds), map.counts)
  const byId = new Map(purchases.map((purchase) => [purchase.id, purchase]))
  const paid: Plain[] = []
  const repeated: Plain[] = []
  for (const payment of payments) {
    const purchase = byId.get(payment.purchaseId)
    const reservation = reservations.get(purchase?.reservationId ?? '')
    if (purchase === undefined || reservation === undefined || reservation.eventId !== map.eventId) continue
    if (isDecided(purchase)) {
      repeated.push({ payment, purchase, reservation })
      continue
    }
    const { captured, providerRef } = payment
    const seats = desk.seatsOf(reservation.id)
    const isRight = purchase.status === 'PROCESSING' && captured === purchase.amount
    const isHeld = reservation.status === 'PENDING_PAYMENT' && seats.length === reservation.items.length
    if (!isRight || !isHeld) continue
    desk.sell(seats, reservation.id)
    const changed = { status: 'PAID', updatedAt: at } as const
    const sold = { ...reservation, ...changed, paidAt: at }
    reservations.set(reservation.id, sold)
    const bought = { ...purchase, ...changed, captured, providerRef: providerRef ?? purchase.providerRef }
    byId.set(bought.id, bought)
    paid.push({ payment, purchase: bought, reservation: sold })
  }
  return { paid, repeated, desk }
}

async function write(map: OpenSeatMap, paid: readonly Plain[], desk: SeatDesk, alongside: AlongsideAll): Promise<void> {
  await map.transaction.run(CONFIRM_PAYMENTS, [
    map.at,
    plainArray(paid, ({ purchase }) => purchase.id),
    plainArray(paid, ({ purchase }) => purchase.captured),
    paid.map(({ purchase }) => purchase.providerRef),
    plainArray(paid, ({ reservation }) => reservation.id),
  ])
  await setSeats(map, desk)
  const answers = await alongside(map.transaction, paid)
  const answered = paid.flatMap(({ purchase: { actorId, operationKey } }, index) => {
    const answer = answers[index]
    return actorId === null || operationKey === null || answer === undefined ? [] : [{ actorId, operationKey, answer }]
  })
  await map.transaction.run(ANSWER_OPERATIONS, [
    plainArray(answered, ({ actorId }) => actorId),
    answered.map(({ operationKey }) => operationKey),
    plainArray(answered, ({ answer }) => answer.statusCode),
    answered.map(({ answer }) => JSON.stringify(answer.body)),
  ])
  await tell(
    map.transaction,
    paid.map(({ purchase, reservation }) => newsOfPurchase(purchase, reservation, 'purchase.paid')),
  )
}
