import { faults, type Reservation, type VariantWish } from '@seatwise/domain'
import { type Call, isAboutTheWork, type Primary, prepareStatement } from '../../engine/index.ts'
import {
  type EticketFacts,
  eticketFactsToRead,
  eticketsToWrite,
  type NewEticket,
  newEtickets,
} from '../../etickets/index.ts'
import { answersToStore, type OperationKey, type StoredAnswer } from '../../operations/index.ts'
import { newsToTell } from '../../outbox/index.ts'
import {
  addresseeToName,
  type ClaimRefusal,
  type ClaimRows,
  type EndedReservation,
  type OutsideClaim,
  type OutsideOutcome,
  outsideReads,
  placeOutside,
  type ReservationRow,
  type SeatClaimWish,
} from '../../reservations/index.ts'
import { type OpenSeatMap, type SeatWork, seatsToSet, type WithMap, withSeatMap } from '../../seat-map/index.ts'
import { recordAction } from '../../trail/index.ts'
import { newsOfPurchase, type Purchase } from '../purchase.ts'
import { DOOR_PROVIDER, type DoorMethod } from './door-sale.ts'

const WRITE_DOOR_SALE = prepareStatement(import.meta.url, 'write-door-sale.sql')

/** Seats that a seller at the door sells, all or none of them. */
export interface DoorOrder {
  /** Of the seller. */
  readonly operation: OperationKey
  readonly reservationId: string
  readonly purchaseId: string
  /** A buyer of this sale alone: the seller does not ask who buys. */
  readonly buyerId: string
  readonly wish: SeatClaimWish
  readonly variants?: readonly VariantWish[]
  /** The key of a code (`codeKey`). */
  readonly code?: string
  readonly method: DoorMethod
  /** Where the e-tickets go; null when they are printed. */
  readonly email: string | null
  readonly answerOf: (sold: SoldAtDoor) => StoredAnswer
  /** Asked once the seat map is locked: false when the gate may not count the sale for much longer. */
  readonly mayBegin?: () => boolean
}

export interface SoldAtDoor {
  readonly purchase: Purchase
  readonly reservation: ReservationRow
  readonly etickets: readonly NewEticket[]
}

export type DoorOutcome =
  | { readonly status: 'sold'; readonly answer: StoredAnswer; readonly expired: readonly EndedReservation[] }
  /** The same key and fingerprint again: what was answered then. */
  | { readonly status: 'repeated'; readonly answer: StoredAnswer }
  /** The lock came too late, and nothing was done. */
  | { readonly status: 'given_up' }
  | ClaimRefusal

/** A sale that is answered again is one that took effect. */
const SOLD = 201
/** How often short codes are drawn: that three draws in a row hit one that is taken does not happen. */
const DRAWS_MAX = 3

/**
 * Sells seats at the door: reservation, payment, e-tickets and the answer in one transaction, so that a crash leaves all
 * of it or nothing. Null when there is no such event. Throws when the ledger is away: a retry under the same key is safe.
 */
export async function sellAtDoor(
  ledger: Primary,
  eventId: string,
  order: DoorOrder,
): Promise<WithMap<DoorOutcome> | null> {
  for (let draw = 1; ; draw += 1) {
    try {
      const outcome = await sellOnce(ledger, eventId, order)
      if (faults.on) await faults.reach('door.after-commit')
      return outcome
    } catch (error) {
      if (draw === DRAWS_MAX || !isTakenCode(error)) throw error
    }
  }
}

/** Whether a short code was drawn that another e-ticket of the event has. */
function isTakenCode(error: unknown): boolean {
  return isAboutTheWork(error) && 'constraint' in error && error.constraint === 'etickets_short_code'
}

async function sellOnce(ledger: Primary, eventId: string, order: DoorOrder): Promise<WithMap<DoorOutcome> | null> {
  const claim = claimOf(order)
  const reads = [...outsideReads(eventId, claim), eticketFactsToRead(eventId)]
  const work = async (map: OpenSeatMap, [one, two, three, four, facts]: [...ClaimRows, EticketFacts[]]) => {
    if (order.mayBegin?.() === false) return { result: { status: 'given_up' } as const, moves: [] }
    const placed = await placeOutside(map, claim, [one, two, three, four])
    if (placed.status === 'placed') return await sellPlaced(map, order, placed, facts[0])
    const result: DoorOutcome =
      placed.status === 'repeated' ? { ...placed, answer: { statusCode: SOLD, body: placed.answer } } : placed
    return { result, moves: [] }
  }
  return await withSeatMap<DoorOutcome, [...ClaimRows, EticketFacts[]]>(ledger, eventId, work, { reads })
}

function claimOf({ operation, reservationId, buyerId, wish, variants, code, method }: DoorOrder): OutsideClaim {
  return {
    ...{ operation, reservationId, buyerId, wish, isFree: method === 'complimentary' },
    ...(variants === undefined ? {} : { variants }),
    ...(code === undefined ? {} : { code }),
    ...{ roomId: null, ticketNumber: null, fence: null },
    // Paid in the same instant, by a buyer who has nothing else.
    ...{ holdSeconds: 0, seatsPerBuyerMax: Number.MAX_SAFE_INTEGER },
  }
}

async function sellPlaced(
  map: OpenSeatMap,
  order: DoorOrder,
  placed: Extract<OutsideOutcome, { status: 'placed' }>,
  facts: EticketFacts | undefined,
): Promise<SeatWork<DoorOutcome>> {
  if (facts === undefined) throw new Error('An event with a seat map has facts')
  const { desk, expired, freeFrom } = placed
  const sold = soldOf(map, order, placed.reservation, facts)
  const answer = order.answerOf(sold)
  desk.sell(desk.seatsOf(sold.reservation.id), sold.reservation.id)
  await noteSale(map, order, sold)
  if (faults.on) await faults.reach('door.inside-transaction')
  const writes = [...placed.writes, ...toWrite(map, order, sold, answer), ...seatsToSet(desk)]
  return { result: { status: 'sold', answer, expired }, writes, moves: desk.moves(), freeFrom }
}

function soldOf(map: OpenSeatMap, order: DoorOrder, placed: Reservation, facts: EticketFacts): SoldAtDoor {
  const { at, eventId } = map
  const { operation, purchaseId, buyerId } = order
  const { amount, currency } = placed
  const reservation: ReservationRow = {
    ...{ ...placed, status: 'PAID', paidAt: at, roomId: null, ticketNumber: null },
    ...{ isExtended: false, adoptedFrom: null },
  }
  const purchase: Purchase = {
    ...{ id: purchaseId, reservationId: placed.id, eventId, buyerId, provider: DOOR_PROVIDER, providerRef: null },
    ...{ status: 'PAID', amount, currency, captured: amount, refunded: 0, kept: 0, receiptNumber: null, reason: null },
    ...{ actorId: operation.actorId, operationKey: operation.key, createdAt: at, updatedAt: at },
  }
  return { purchase, reservation, etickets: newEtickets(reservation, facts, at) }
}

function toWrite(map: OpenSeatMap, order: DoorOrder, sold: SoldAtDoor, answer: StoredAnswer): Call[] {
  const { purchase, reservation, etickets } = sold
  const { operation, method, email } = order
  const { actorId, key } = operation
  const parameters = [
    ...[map.at, reservation.id, purchase.id, purchase.amount, purchase.currency, actorId, key],
    ...[map.eventId, method, reservation.items.length],
  ]
  return [
    { statement: WRITE_DOOR_SALE, parameters },
    ...(email === null ? [] : [addresseeToName({ reservationId: reservation.id, email })]),
    ...eticketsToWrite(etickets),
    ...answersToStore([{ actorId, key, answer }]),
    ...newsToTell([newsOfPurchase(purchase, reservation, 'purchase.paid')]),
  ]
}

async function noteSale({ transaction, eventId }: OpenSeatMap, order: DoorOrder, sold: SoldAtDoor): Promise<void> {
  const { id: subject, amount, currency } = sold.purchase
  const after = { method: order.method, amount, currency, seats: sold.reservation.items.length }
  const { actorId } = order.operation
  await recordAction(transaction.db, { actorId, kind: 'door.sold', eventId, subject, after })
}
