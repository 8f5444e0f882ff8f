import { faults } from '@seatwise/domain'
import { type Call, nothingIfAboutTheWork, type Primary, prepareStatement } from '../../engine/index.ts'
import {
  type EticketFacts,
  eticketFactsToRead,
  eticketsToWrite,
  type NewEticket,
  newEtickets,
} from '../../etickets/index.ts'
import { answersToStore, type StoredAnswer } from '../../operations/index.ts'
import { newsToTell } from '../../outbox/index.ts'
import { type ReservationRow, reservationsToRead } from '../../reservations/index.ts'
import {
  keptSeatsToRead,
  type OpenSeatMap,
  openDesk,
  type SeatDesk,
  type SeatFact,
  seatsToSet,
  type WithMap,
  withSeatMap,
} from '../../seat-map/index.ts'
import { newsOfPurchase, type Purchase, purchasesToRead } from '../purchase.ts'
import { type Confirmed, type ConfirmOutcome, type ConfirmPayment, isDecided } from './confirm-payment.ts'

const CONFIRM_PAYMENTS = prepareStatement(import.meta.url, 'confirm-payments.sql')

/** A payment with its reservation, which is known beforehand, so that both can be read together with the lock. */
export type ConfirmTogether = Omit<ConfirmPayment, 'alongside' | 'seatsPerBuyerMax'> & {
  readonly reservationId: string
}

/** A payment that sold its seats, with the e-tickets for them. */
export interface PaidPayment extends Confirmed {
  readonly etickets: readonly NewEticket[]
}

/**
 * Sells the seats of payments of one event in one transaction, where the money is right and came in time, and makes their
 * e-tickets. Payments that were decided before are answered so: a slow server often learns of a payment twice. Null for every
 * other payment, which confirmPayment judges. Two round trips: what is read comes with the lock, what is written goes with
 * the commit.
 */
export async function confirmTogether(
  ledger: Primary,
  eventId: string,
  payments: readonly ConfirmTogether[],
  answerOf: (paid: PaidPayment) => StoredAnswer,
): Promise<(WithMap<ConfirmOutcome> | null)[]> {
  const work = async (map: OpenSeatMap, rows: PaymentRows) => {
    const { paid, repeated, desk } = findPlain(map, payments, rows)
    const answered = paid.map((one) => ({ ...one, answer: answerOf(one) }))
    if (faults.on) await faults.reach('pay.inside-confirm')
    return { result: { answered, repeated }, writes: toWrite(map, answered, desk), moves: desk.moves() }
  }
  const reads = paymentReads(eventId, payments)
  const outcome = await withSeatMap(ledger, eventId, work, { reads }).catch(nothingIfAboutTheWork)
  if (outcome === null) return payments.map(() => null)
  const { answered, repeated, ...change } = outcome
  const decided = new Map<ConfirmTogether, WithMap<ConfirmOutcome>>()
  for (const { payment, purchase, reservation, answer } of answered) {
    decided.set(payment, { status: 'paid', isMoved: false, purchase, reservation, answer, ...change })
  }
  for (const { payment, ...one } of repeated) decided.set(payment, { status: 'repeated', ...one, ...change })
  return payments.map((payment) => decided.get(payment) ?? null)
}

/** What the calls of `paymentReads` return. */
type PaymentRows = [Purchase[], ReservationRow[], SeatFact[], EticketFacts[]]

function paymentReads(eventId: string, payments: readonly ConfirmTogether[]): Call[] {
  const reservationIds = [...new Set(payments.map(({ reservationId }) => reservationId))]
  return [
    purchasesToRead(payments.map(({ purchaseId }) => purchaseId)),
    reservationsToRead(reservationIds),
    keptSeatsToRead(reservationIds),
    eticketFactsToRead(eventId),
  ]
}

interface Repeated extends Confirmed {
  readonly payment: ConfirmTogether
}

interface Plain extends PaidPayment {
  readonly payment: ConfirmTogether
}

interface Answered extends Plain {
  readonly answer: StoredAnswer
}

/**
 * The first payment of each reservation that still holds all its seats, as it will be; its seats are sold on the desk.
 * And the payments that were decided before them, or by them.
 */
function findPlain(
  { eventId, at, counts }: OpenSeatMap,
  payments: readonly ConfirmTogether[],
  [purchaseRows, reservationRows, keptSeats, [facts]]: PaymentRows,
): { paid: Plain[]; repeated: Repeated[]; desk: SeatDesk } {
  const purchases = new Map(purchaseRows.map((purchase) => [purchase.id, purchase]))
  const reservations = new Map(reservationRows.map((reservation) => [reservation.id, reservation]))
  const desk = openDesk(keptSeats, counts)
  const paid: Plain[] = []
  const repeated: Repeated[] = []
  for (const payment of payments) {
    const purchase = purchases.get(payment.purchaseId)
    const reservation = reservations.get(purchase?.reservationId ?? '')
    if (purchase === undefined || reservation === undefined || reservation.eventId !== eventId) continue
    if (isDecided(purchase)) {
      repeated.push({ payment, purchase, reservation })
      continue
    }
    const { captured, providerRef } = payment
    const seats = desk.seatsOf(reservation.id)
    const isRight = purchase.status === 'PROCESSING' && captured === purchase.amount
    const isHeld = reservation.status === 'PENDING_PAYMENT' && seats.length === reservation.items.length
    if (!isRight || !isHeld || facts === undefined || facts.isCancelled) continue
    desk.sell(seats, reservation.id)
    const changed = { status: 'PAID', updatedAt: at } as const
    const sold = { ...reservation, ...changed, paidAt: at }
    reservations.set(reservation.id, sold)
    const bought = { ...purchase, ...changed, captured, providerRef: providerRef ?? purchase.providerRef }
    purchases.set(bought.id, bought)
    paid.push({ payment, purchase: bought, reservation: sold, etickets: newEtickets(sold, facts, at) })
  }
  return { paid, repeated, desk }
}

function toWrite(map: OpenSeatMap, paid: readonly Answered[], desk: SeatDesk): Call[] {
  if (paid.length === 0) return []
  const parameters = [
    map.at,
    paid.map(({ purchase }) => purchase.id),
    paid.map(({ purchase }) => purchase.captured),
    paid.map(({ purchase }) => purchase.providerRef),
    paid.map(({ reservation }) => reservation.id),
  ]
  const answered = paid.flatMap(({ purchase: { actorId, operationKey: key }, answer }) =>
    actorId === null || key === null ? [] : [{ actorId, key, answer }],
  )
  return [
    { statement: CONFIRM_PAYMENTS, parameters },
    ...seatsToSet(desk),
    ...eticketsToWrite(paid.flatMap(({ etickets }) => etickets)),
    ...answersToStore(answered),
    ...newsToTell(paid.map(({ purchase, reservation }) => newsOfPurchase(purchase, reservation, 'purchase.paid'))),
  ]
}
