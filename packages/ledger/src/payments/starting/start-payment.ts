import type { Primary } from '../../engine/index.ts'
import { isOwn, type OperationKey, readOperation, type StoredAnswer } from '../../operations/index.ts'
import { tell } from '../../outbox/index.ts'
import { type ReservationRow, readReservation } from '../../reservations/index.ts'
import { type OpenSeatMap, openDesk, readKeptSeats, setSeats, type WithMap, withSeatMap } from '../../seat-map/index.ts'
import { newsOfPurchase, type Purchase, readPurchasesOf } from '../purchase.ts'
import { extendedUntil, type PayTime, type SessionEndRow, sessionEndsOf, sessionEndsToRead } from './extend-hold.ts'

export interface StartPayment extends PayTime {
  readonly purchaseId: string
  readonly reservationId: string
  readonly buyerId: string
  readonly provider: string
  readonly operation: OperationKey
  /** Called under the lock, right before anything is written: whether the request still waits for an answer. */
  readonly mayBegin?: () => boolean
}

export type StartOutcome =
  | { readonly status: 'started'; readonly purchase: Purchase; readonly reservation: ReservationRow }
  /** The same key and fingerprint again; the answer is null while the payment is not decided. */
  | { readonly status: 'repeated'; readonly purchase: Purchase | null; readonly answer: StoredAnswer | null }
  | { readonly status: 'key_reused' }
  /** It waited for too long, and nothing was begun. */
  | { readonly status: 'given_up' }
  | { readonly status: 'unknown' }
  | { readonly status: 'not_yours' }
  | { readonly status: 'expired'; readonly reservation: ReservationRow }
  /** Canceled or refunded. */
  | { readonly status: 'ended'; readonly reservation: ReservationRow }
  /** Another key pays for it, or has. */
  | { readonly status: 'paying' | 'paid'; readonly purchase: Purchase; readonly reservation: ReservationRow }

/** Opens a purchase before the provider is asked, and gives the hold the time that paying takes. */
export async function startPayment(
  ledger: Primary,
  options: StartPayment,
): Promise<StartOutcome | WithMap<StartOutcome>> {
  const found = await readReservation(ledger.db, options.reservationId)
  if (found === null) return { status: 'unknown' }
  if (!(await isOwn(ledger.db, options.buyerId, found.buyerId))) return { status: 'not_yours' }
  const outcome = await withSeatMap<StartOutcome>(ledger, found.eventId, async (map) => {
    const result = await startInside(map, options)
    const { ticketNumber } = found
    return { result, moves: [], tickets: result.status === 'started' && ticketNumber !== null ? [ticketNumber] : [] }
  })
  return outcome ?? { status: 'unknown' }
}

async function startInside(map: OpenSeatMap, asked: StartPayment): Promise<StartOutcome> {
  const { transaction } = map
  // The owner cannot change while we hold the map's lock: adoption waits for it.
  const reservation = await readReservation(transaction.db, asked.reservationId)
  if (reservation === null) return { status: 'unknown' }
  if (!(await isOwn(transaction.db, asked.buyerId, reservation.buyerId))) return { status: 'not_yours' }
  const options = inNameOf(reservation.buyerId, asked)
  const { operation, reservationId } = options
  const purchases = await readPurchasesOf(transaction.db, reservationId)
  const earlier = await readOperation(transaction.db, operation.actorId, operation.key, operation.fingerprint)
  if (earlier !== null) {
    if (earlier.fingerprint !== operation.fingerprint) return { status: 'key_reused' }
    const purchase = purchases.find(
      ({ operationKey, actorId }) => operationKey === operation.key && actorId === earlier.actorId,
    )
    return { status: 'repeated', purchase: purchase ?? null, answer: earlier.answer }
  }
  const rival = purchases.find(({ status }) => status === 'PROCESSING' || status === 'PAID' || status === 'STUCK')
  if (rival !== undefined) return { status: rival.status === 'PAID' ? 'paid' : 'paying', purchase: rival, reservation }
  if (reservation.status === 'EXPIRED') return { status: 'expired', reservation }
  if (reservation.status !== 'PENDING_PAYMENT') return { status: 'ended', reservation }
  if (reservation.expiresAt <= map.at) return { status: 'expired', reservation }
  if (options.mayBegin?.() === false) return { status: 'given_up' }
  return await open(map, options, reservation)
}

/** A guest's payment that was under way when they signed in goes on as the account's. Rule A45. */
function inNameOf(buyerId: string, asked: StartPayment): StartPayment {
  return asked.buyerId === buyerId ? asked : { ...asked, buyerId, operation: { ...asked.operation, actorId: buyerId } }
}

async function open(map: OpenSeatMap, options: StartPayment, found: ReservationRow): Promise<StartOutcome> {
  const { transaction, at } = map
  const { operation, purchaseId, provider } = options
  const { actorId: actor_id, key, fingerprint } = operation
  await transaction.db.insertInto('operations').values({ actor_id, key, fingerprint, created_at: at }).execute()
  await transaction.db
    .insertInto('purchases')
    .values({
      id: purchaseId,
      reservation_id: found.id,
      provider,
      status: 'PROCESSING',
      amount: found.amount,
      currency: found.currency,
      actor_id,
      operation_key: key,
      created_at: at,
      updated_at: at,
    })
    .execute()
  const reservation = await extendHold(map, options, found)
  const purchase = (await readPurchasesOf(transaction.db, found.id)).find(({ id }) => id === purchaseId)
  if (purchase === undefined) throw new Error(`The purchase ${purchaseId} is gone inside the transaction that made it`)
  await tell(map.transaction, [newsOfPurchase(purchase, reservation, 'purchase.started')])
  return { status: 'started', purchase, reservation }
}

async function extendHold(
  map: OpenSeatMap,
  options: StartPayment,
  reservation: ReservationRow,
): Promise<ReservationRow> {
  const { statement, parameters } = sessionEndsToRead([reservation.id])
  const sessionEnds = sessionEndsOf(await map.transaction.run<SessionEndRow>(statement, parameters))
  const until = extendedUntil(map.at, options, reservation, sessionEnds)
  if (until === null) return reservation
  await map.transaction.db
    .updateTable('reservations')
    .set({ expires_at: until, extended: true, updated_at: map.at })
    .where('id', '=', reservation.id)
    .execute()
  const desk = openDesk(await readKeptSeats(map.transaction, [reservation.id]), map.counts)
  desk.hold(desk.seatsOf(reservation.id), { reservationId: reservation.id, until })
  await setSeats(map, desk)
  return { ...reservation, expiresAt: until, isExtended: true, updatedAt: map.at }
}
