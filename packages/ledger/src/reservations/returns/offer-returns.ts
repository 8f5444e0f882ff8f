import { randomUUIDv7 } from 'node:crypto'
import { faults, type Reservation } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, type Primary, runStatement, type Schema } from '../../engine/index.ts'
import { tell } from '../../outbox/index.ts'
import {
  type OpenSeatMap,
  openDesk,
  type SeatFact,
  type SeatState,
  setSeats,
  type WithMap,
  withSeatMap,
} from '../../seat-map/index.ts'
import { priceSeats } from '../claims/price-seats.ts'
import type { SeatTypeFact } from '../claims/read-facts.ts'
import { chooseReturned } from './choose-returned.ts'
import { type ReturnsTerms, readTerms } from './terms.ts'
import { writeOffer } from './write-offer.ts'

const FIND_EVENTS_TO_OFFER = loadStatement(import.meta.url, 'find-events-to-offer.sql')
const END_OFFERS = loadStatement(import.meta.url, 'end-offers.sql')
const READ_WAITING_REQUESTS = loadStatement(import.meta.url, 'read-waiting-requests.sql')
const READ_RETURNED_SEATS = loadStatement(import.meta.url, 'read-returned-seats.sql')
const READ_SEAT_TYPES = loadStatement(import.meta.url, '../claims/read-seat-types.sql')

/** Most entries, and most seats, that one transaction looks at: the rest waits for the next. */
const REQUESTS_MAX = 100
const SEATS_MAX = 1_000
/** An offer that would last no longer is not made: no buyer reads mail that fast. */
const OFFER_MS_MIN = 60_000

export interface WaitingRequest {
  readonly id: string
  readonly email: string
  readonly language: string | null
  readonly seatTypeId: string | null
  readonly quantity: number
}

export interface Offered {
  /** How many offers were made. */
  readonly offers: number
}

/** Events in which `offerReturns` may have something to do; `among` null looks at all. */
export async function eventsToOffer(
  db: Kysely<Schema>,
  among: readonly string[] | null,
  max: number,
): Promise<string[]> {
  const rows = await runStatement<{ eventId: string }>(db, FIND_EVENTS_TO_OFFER, [among, max])
  return rows.map(({ eventId }) => eventId)
}

/**
 * Offers free seats of an event to its returns list, in the order of asking, each entry all the seats it wants. `ahead` of
 * the free seats are left: they are for visitors in the line and on the floor. An offer holds its seats by a reservation,
 * under the lock of the seat map: any number of servers may call this at once, and no seat is offered twice. Null when
 * there is no such event.
 */
export async function offerReturns(
  ledger: Primary,
  eventId: string,
  { ahead }: { readonly ahead: number },
): Promise<WithMap<Offered> | null> {
  const outcome = await withSeatMap<Offered>(ledger, eventId, async (map) => {
    await map.transaction.run(END_OFFERS, [eventId, map.at])
    const terms = await readTerms(map.transaction, eventId)
    if (terms === null || terms.isOver || expiryOf(map.at, terms) === null) return { result: { offers: 0 }, moves: [] }
    return await offerInside(map, terms, map.counts.available - ahead)
  })
  if (faults.on && (outcome?.offers ?? 0) > 0) await faults.reach('returns.after-offer')
  return outcome
}

async function offerInside(map: OpenSeatMap, terms: ReturnsTerms, seatsMax: number) {
  if (seatsMax <= 0) return { result: { offers: 0 }, moves: [] }
  const { transaction, eventId } = map
  const requests = await transaction.run<WaitingRequest>(READ_WAITING_REQUESTS, [eventId, REQUESTS_MAX])
  if (requests.length === 0) return { result: { offers: 0 }, moves: [] }
  const facts = await transaction.run<SeatFact>(READ_RETURNED_SEATS, [eventId, SEATS_MAX])
  const types = await transaction.run<SeatTypeFact>(READ_SEAT_TYPES, [eventId])
  const seatTypes = new Map(types.map((type) => [type.id, type]))
  const desk = openDesk(facts, map.counts)
  const free = () => facts.flatMap(({ id }) => desk.find(id) ?? []).filter(({ status }) => status === 'available')
  const expiresAt = expiryOf(map.at, terms) ?? map.at
  let left = seatsMax
  const made: { request: WaitingRequest; reservation: Reservation; fees: readonly number[] }[] = []
  for (const request of requests) {
    // An entry that wants more than there is keeps its place; those behind it may want fewer.
    const seats = request.quantity <= left ? chooseReturned(free(), request) : null
    if (seats === null) continue
    const priced = toReservation(map, seatTypes, seats, expiresAt)
    desk.hold(seats, { reservationId: priced.reservation.id, until: expiresAt })
    left -= seats.length
    made.push({ request, ...priced })
  }
  for (const one of made) await writeOffer(map, one)
  await setSeats(map, desk)
  await tell(
    transaction,
    made.flatMap(({ reservation }) => newsOf(reservation)),
  )
  if (faults.on && made.length > 0) await faults.reach('returns.inside-offer')
  return { result: { offers: made.length }, moves: desk.moves() }
}

/** When an offer that is made now ends; null when it is too late to make one. */
function expiryOf(at: Date, { offerMinutes, salesEndAt }: ReturnsTerms): Date | null {
  const until = Math.min(at.getTime() + offerMinutes * 60_000, salesEndAt.getTime())
  return until - at.getTime() < OFFER_MS_MIN ? null : new Date(until)
}

/** The reservation that holds the seats. Its id is the offer's, and that of its guest, until it is accepted. */
function toReservation(
  { eventId, at }: OpenSeatMap,
  seatTypes: ReadonlyMap<string, SeatTypeFact>,
  chosen: readonly SeatState[],
  expiresAt: Date,
): { reservation: Reservation; fees: readonly number[] } {
  const priced = priceSeats(seatTypes, chosen, {})
  if (priced.status !== 'chosen') throw new Error(`Seats without a wish for variants are refused: ${priced.status}`)
  const { lines, tax, amount, shares } = priced.order
  const items = priced.seats.map(({ seat, price, variantId }, index) => ({
    ...{ seatId: seat.id, seatTypeId: seat.seatTypeId, row: seat.row, number: seat.number, price, variantId },
    paid: shares[index]?.paid ?? price,
  }))
  const id = randomUUIDv7()
  const reservation: Reservation = {
    ...{ id, eventId, buyerId: id, status: 'PENDING_PAYMENT', items, lines, tax, amount, currency: priced.currency },
    ...{ expiresAt, paidAt: null, createdAt: at, updatedAt: at },
  }
  return { reservation, fees: items.map((_, index) => shares[index]?.fees ?? 0) }
}

function newsOf(reservation: Reservation) {
  const about = { about: 'reservation', reservationId: reservation.id } as const
  const { id, eventId, expiresAt } = reservation
  return [
    { ...about, type: 'reservation.created', payload: { ...reservation, roomId: null, ticketNumber: null } } as const,
    { ...about, type: 'offer.made', payload: { id, eventId, expiresAt } } as const,
  ]
}
