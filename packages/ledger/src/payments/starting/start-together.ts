import { type Call, nothingIfAboutTheWork, type Primary, prepareStatement } from '../../engine/index.ts'
import { newsToTell } from '../../outbox/index.ts'
import { type ReservationRow, reservationsToRead } from '../../reservations/index.ts'
import {
  keptSeatsToRead,
  type OpenSeatMap,
  openDesk,
  type SeatFact,
  seatsToSet,
  type WithMap,
  withSeatMap,
} from '../../seat-map/index.ts'
import { newsOfPurchase, type Purchase } from '../purchase.ts'
import { extendedUntil, type SessionEndRow, type SessionEnds, sessionEndsOf, sessionEndsToRead } from './extend-hold.ts'
import type { StartOutcome, StartPayment } from './start-payment.ts'

const READ_FIRST_PAYMENTS = prepareStatement(import.meta.url, 'read-first-payments.sql')
const START_PAYMENTS = prepareStatement(import.meta.url, 'start-payments.sql')

/**
 * Starts payments of one event in one transaction, where nothing stands in the way: the usual case of a crowded sale.
 * Null for every other payment, and for all when one of them makes the transaction fail: startPayment judges those. Two
 * round trips: what is read comes with the lock, what is written goes with the commit.
 */
export async function startTogether(
  ledger: Primary,
  eventId: string,
  payments: readonly StartPayment[],
): Promise<(WithMap<StartOutcome> | null)[]> {
  const work = async (map: OpenSeatMap, rows: PaymentRows) => {
    const [, , ends, keptSeats] = rows
    const plains = findPlain(map, payments, rows)
    const waiting = plains.filter(({ payment }) => payment.mayBegin?.() !== false)
    const givenUp = new Set(plains.filter((plain) => !waiting.includes(plain)).map(({ payment }) => payment))
    const sessionEnds = sessionEndsOf(ends)
    const started = waiting.map((plain) => openPurchase(map, plain, sessionEnds))
    const tickets = started.flatMap(({ reservation }) => reservation.ticketNumber ?? [])
    return { result: { started, givenUp }, writes: toWrite(map, started, keptSeats), moves: [], tickets }
  }
  const reads = paymentReads(payments)
  const outcome = await withSeatMap(ledger, eventId, work, { reads }).catch(nothingIfAboutTheWork)
  if (outcome === null) return payments.map(() => null)
  const { started, givenUp, ...change } = outcome
  const byPayment = new Map(started.map((one) => [one.payment, one]))
  return payments.map((payment) => {
    if (givenUp.has(payment)) return { status: 'given_up', ...change }
    const one = byPayment.get(payment)
    if (one === undefined) return null
    return { status: 'started', purchase: one.purchase, reservation: one.reservation, ...change }
  })
}

interface Plain {
  readonly payment: StartPayment
  readonly reservation: ReservationRow
}

interface Started extends Plain {
  readonly purchase: Purchase
  readonly isLonger: boolean
}

/** What the calls of `paymentReads` return. */
type PaymentRows = [ReservationRow[], { place: number }[], SessionEndRow[], SeatFact[]]

function paymentReads(payments: readonly StartPayment[]): Call[] {
  const wanted = payments.map(({ reservationId }) => reservationId)
  const reservationIds = [...new Set(wanted)]
  const keys = [payments.map(({ operation }) => operation.actorId), payments.map(({ operation }) => operation.key)]
  return [
    reservationsToRead(reservationIds),
    { statement: READ_FIRST_PAYMENTS, parameters: [wanted, ...keys] },
    sessionEndsToRead(reservationIds),
    keptSeatsToRead(reservationIds),
  ]
}

/** The first payment of each key and each reservation, if it is the buyer's own and its time is not over. */
function findPlain(map: OpenSeatMap, payments: readonly StartPayment[], [reservations, first]: PaymentRows): Plain[] {
  const byId = new Map(reservations.map((reservation) => [reservation.id, reservation]))
  const seen = new Set<string>()
  return first.flatMap(({ place }) => {
    const payment = payments[place - 1]
    const reservation = byId.get(payment?.reservationId ?? '')
    if (payment === undefined || reservation === undefined || !isOpenTo(reservation, payment, map)) return []
    const names = [reservation.id, `${payment.operation.actorId} ${payment.operation.key}`]
    if (names.some((name) => seen.has(name))) return []
    for (const name of names) seen.add(name)
    return [{ payment, reservation }]
  })
}

function isOpenTo(reservation: ReservationRow, { buyerId }: StartPayment, { eventId, at }: OpenSeatMap): boolean {
  const isTheirs = reservation.eventId === eventId && reservation.buyerId === buyerId
  return isTheirs && reservation.status === 'PENDING_PAYMENT' && reservation.expiresAt > at
}

function openPurchase(
  { at, eventId }: OpenSeatMap,
  { payment, reservation: found }: Plain,
  sessionEnds: SessionEnds,
): Started {
  const { purchaseId, provider, operation } = payment
  const until = extendedUntil(at, payment, found, sessionEnds)
  const reservation = until === null ? found : { ...found, expiresAt: until, isExtended: true, updatedAt: at }
  const { amount, currency, buyerId } = reservation
  const purchase: Purchase = {
    ...{ id: purchaseId, reservationId: found.id, eventId, buyerId, provider, providerRef: null },
    ...{ status: 'PROCESSING', amount, currency, captured: 0, refunded: 0, kept: 0 },
    ...{ receiptNumber: null, reason: null },
    ...{ actorId: operation.actorId, operationKey: operation.key, createdAt: at, updatedAt: at },
  }
  return { payment, reservation, purchase, isLonger: until !== null }
}

function toWrite(map: OpenSeatMap, started: readonly Started[], keptSeats: readonly SeatFact[]): Call[] {
  if (started.length === 0) return []
  const longer = started.filter(({ isLonger }) => isLonger).map(({ reservation }) => reservation)
  const parameters = [
    map.at,
    started.map(({ purchase }) => purchase.id),
    started.map(({ reservation }) => reservation.id),
    started.map(({ purchase }) => purchase.provider),
    started.map(({ purchase }) => purchase.amount),
    started.map(({ purchase }) => purchase.currency),
    started.map(({ payment }) => payment.operation.actorId),
    started.map(({ payment }) => payment.operation.key),
    started.map(({ payment }) => payment.operation.fingerprint),
    longer.map(({ id }) => id),
    longer.map(({ expiresAt }) => expiresAt.toISOString()),
  ]
  const desk = openDesk(keptSeats, map.counts)
  for (const { id, expiresAt } of longer) desk.hold(desk.seatsOf(id), { reservationId: id, until: expiresAt })
  return [
    { statement: START_PAYMENTS, parameters },
    ...seatsToSet(desk),
    ...newsToTell(
      started.map(({ purchase, reservation }) => newsOfPurchase(purchase, reservation, 'purchase.started')),
    ),
  ]
}
