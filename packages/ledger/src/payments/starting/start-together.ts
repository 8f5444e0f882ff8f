import { loadStatement, nothingIfAboutTheWork, type Primary, plainArray } from '../../engine/index.ts'
import { tell } from '../../outbox/index.ts'
import { type ReservationRow, readReservations } from '../../reservations/index.ts'
import { type OpenSeatMap, openDesk, readKeptSeats, setSeats, type WithMap, withSeatMap } from '../../seat-map/index.ts'
import { newsOfPurchase, type Purchase } from '../purchase.ts'
import { extendedUntil, readSessionEnds, type SessionEnds } from './extend-hold.ts'
import type { StartOutcome, StartPayment } from './start-payment.ts'

const READ_FIRST_PAYMENTS = loadStatement(import.meta.url, 'read-first-payments.sql')
const START_PAYMENTS = loadStatement(import.meta.url, 'start-payments.sql')

/**
 * Starts payments of one event in one transaction, where nothing stands in the way: the usual case of a crowded sale.
 * Null for every other payment, and for all when the ledger cannot digest one of them: startPayment judges those.
 */
export async function startTogether(
  ledger: Primary,
  eventId: string,
  payments: readonly StartPayment[],
): Promise<(WithMap<StartOutcome> | null)[]> {
  const outcome = await withSeatMap(ledger, eventId, async (map) => {
    const plains = await findPlain(map, payments)
    const ids = plains.map(({ reservation }) => reservation.id)
    const sessionEnds = await readSessionEnds(map.transaction.db, ids)
    const waiting = plains.filter(({ payment }) => payment.mayBegin?.() !== false)
    const givenUp = new Set(plains.filter((plain) => !waiting.includes(plain)).map(({ payment }) => payment))
    const started = waiting.map((plain) => openPurchase(map, plain, sessionEnds))
    await write(map, started)
    const tickets = started.flatMap(({ reservation }) => reservation.ticketNumber ?? [])
    return { result: { started, givenUp }, moves: [], tickets }
  }).catch(nothingIfAboutTheWork)
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

/** The first payment of each key and each reservation, if it is the buyer's own and its time is not over. */
async function findPlain(map: OpenSeatMap, payments: readonly StartPayment[]): Promise<Plain[]> {
  const reservations = await readReservations(
    map.transaction.db,
    payments.map(({ reservationId }) => reservationId),
  )
  const byId = new Map(reservations.map((reservation) => [reservation.id, reservation]))
  const first = await map.transaction.run<{ place: number }>(READ_FIRST_PAYMENTS, [
    payments.map(({ reservationId }) => reservationId),
    payments.map(({ operation }) => operation.actorId),
    payments.map(({ operation }) => operation.key),
  ])
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
    ...{ status: 'PROCESSING', amount, currency, captured: 0, refunded: 0, reason: null },
    ...{ actorId: operation.actorId, operationKey: operation.key, createdAt: at, updatedAt: at },
  }
  return { payment, reservation, purchase, isLonger: until !== null }
}

async function write(map: OpenSeatMap, started: readonly Started[]): Promise<void> {
  if (started.length === 0) return
  const longer = started.filter(({ isLonger }) => isLonger).map(({ reservation }) => reservation)
  await map.transaction.run(START_PAYMENTS, [
    map.at,
    plainArray(started, ({ purchase }) => purchase.id),
    plainArray(started, ({ reservation }) => reservation.id),
    started.map(({ purchase }) => purchase.provider),
    plainArray(started, ({ purchase }) => purchase.amount),
    plainArray(started, ({ purchase }) => purchase.currency),
    plainArray(started, ({ payment }) => payment.operation.actorId),
    started.map(({ payment }) => payment.operation.key),
    started.map(({ payment }) => payment.operation.fingerprint),
    plainArray(longer, ({ id }) => id),
    plainArray(longer, ({ expiresAt }) => expiresAt.toISOString()),
  ])
  const kept = await readKeptSeats(
    map.transaction,
    longer.map(({ id }) => id),
  )
  const desk = openDesk(kept, map.counts)
  for (const { id, expiresAt } of longer) desk.hold(desk.seatsOf(id), { reservationId: id, until: expiresAt })
  await setSeats(map, desk)
  await tell(
    map.transaction,
    started.map(({ purchase, reservation }) => newsOfPurchase(purchase, reservation, 'purchase.started')),
  )
}
