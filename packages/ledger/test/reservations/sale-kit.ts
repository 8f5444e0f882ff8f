import { randomUUID } from 'node:crypto'
import type { Change, EventBody, SaleEvent } from '@seatwise/domain'
import {
  beginEpoch,
  type Claim,
  type ClaimReply,
  claimSeats,
  confirmPayment,
  copyLog,
  type Ledger,
  type Purchase,
  type ReservationRow,
  readSeatMap,
  type SeatClaimWish,
  type SeatCounts,
  startPayment,
} from '@seatwise/ledger'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { makeEvent, seatsIn, type WireSeat } from '../events/events-kit.ts'
import { joined, log } from '../rooms/log-kit.ts'

/** An event on sale, with what a test needs to buy from it. */
export interface Sale {
  readonly ledger: Ledger
  readonly event: SaleEvent
  /** Every seat of the plan, as it was at first. */
  readonly seats: readonly WireSeat[]
}

let lastTicket = 0

export async function openSale(ledger: Ledger, body: Partial<EventBody>): Promise<Sale> {
  const event = await makeEvent(ledger, body)
  const map = await readSeatMap(ledger.db, event.id, null)
  return { ledger, event, seats: map === 'unchanged' ? [] : seatsIn(map) }
}

/** A sale of so many seats without numbers. */
export const openStanding = (ledger: Ledger, seats: number): Promise<Sale> =>
  openSale(ledger, { seatTypes: [{ name: 'Standing', price: 4500, currency: 'EUR', totalQuantity: seats }] })

/** A sale of rows of numbered seats. */
export const openStalls = (ledger: Ledger, rows: number, seatsPerRow: number): Promise<Sale> =>
  openSale(ledger, {
    seatTypes: [
      {
        name: 'Stalls',
        price: 9000,
        currency: 'EUR',
        rows: Array.from({ length: rows }, (_, row) => ({ label: `R${row + 1}`, seats: seatsPerRow })),
      },
    ],
  })

/** The log of the sale's room tells of tickets on the floor, each with its latest pass. */
export async function logPasses(sale: Sale, ...tickets: readonly { number: number; fence: number }[]): Promise<void> {
  const { ledger, event } = sale
  await beginEpoch(ledger.db, { room: event.roomId, lostEpoch: 0, reason: 'first', unseenMax: 0 })
  const changes = tickets.flatMap(({ number, fence }): Change[] => [
    joined(number),
    { kind: 'admitted', number, class: 0, fence, deadline: 9_000_000_000_000, active: true },
  ])
  const copied = await copyLog(ledger, event.roomId, log(1, changes), { isFirstKnown: false })
  expect(copied.status).toBe('copied')
}

/** A claim by a new visitor unless `more` says otherwise. */
export function claimOf(sale: Sale, wish: SeatClaimWish | number, more: Partial<Claim> = {}): Claim {
  lastTicket += 1
  const buyerId = more.buyerId ?? randomUUID()
  return {
    operation: { actorId: buyerId, key: randomUUID(), fingerprint: JSON.stringify(wish) },
    reservationId: randomUUID(),
    buyerId,
    roomId: sale.event.roomId,
    ticketNumber: lastTicket,
    fence: lastTicket,
    wish: typeof wish === 'number' ? { seatTypeId: sale.event.seatTypes[0]?.id ?? '', quantity: wish } : wish,
    holdSeconds: 300,
    seatsPerBuyerMax: 6,
    ...more,
  }
}

export async function claimAll(sale: Sale, claims: readonly Claim[]): Promise<readonly ClaimReply[]> {
  const outcome = await claimSeats(sale.ledger, sale.event.id, claims)
  if (outcome === null) throw new Error('The event is gone')
  return outcome.replies
}

export async function claimOne(sale: Sale, claim: Claim): Promise<ClaimReply> {
  const [reply] = await claimAll(sale, [claim])
  if (reply === undefined) throw new Error('There is one reply for each claim')
  return reply
}

export const seatId = (sale: Sale, index: number): string => {
  const seat = sale.seats[index]
  if (seat === undefined) throw new RangeError(`There is no seat ${index}`)
  return seat.id
}

/** A claim that must succeed; the id of its reservation. */
export async function hold(sale: Sale, wish: SeatClaimWish | number, more: Partial<Claim> = {}): Promise<string> {
  const claim = claimOf(sale, wish, more)
  const reply = await claimOne(sale, claim)
  if (reply.status !== 'held') throw new Error(`not held: ${JSON.stringify(reply)}`)
  return claim.reservationId
}

export async function begin(sale: Sale, reservationId: string, paySeconds = 0): Promise<Purchase> {
  const buyerId = await buyerOf(sale, reservationId)
  const outcome = await startPayment(sale.ledger, {
    purchaseId: randomUUID(),
    reservationId,
    buyerId,
    provider: 'sandbox',
    operation: { actorId: buyerId, key: randomUUID(), fingerprint: 'pay' },
    paySeconds,
    holdSecondsMax: 900,
  })
  if (outcome.status !== 'started') throw new Error(`not started: ${outcome.status}`)
  return outcome.purchase
}

/** Tells the ledger that the whole amount was captured. */
export const capture = (sale: Sale, purchase: Purchase) =>
  confirmPayment(sale.ledger, {
    purchaseId: purchase.id,
    captured: purchase.amount,
    providerRef: null,
    seatsPerBuyerMax: 6,
  })

export async function sell(sale: Sale, wish: SeatClaimWish | number, more: Partial<Claim> = {}): Promise<Purchase> {
  const purchase = await begin(sale, await hold(sale, wish, more))
  const outcome = await capture(sale, purchase)
  if (outcome.status !== 'paid') throw new Error(`not paid: ${outcome.status}`)
  return outcome.purchase
}

export async function buyerOf(sale: Sale, reservationId: string): Promise<string> {
  const row = await sale.ledger.db
    .selectFrom('reservations')
    .select('buyer_id')
    .where('id', '=', reservationId)
    .executeTakeFirstOrThrow()
  return row.buyer_id
}

/** The seats as the ledger has them. */
export async function seatRows(sale: Sale) {
  return await sale.ledger.db
    .selectFrom('seats')
    .select(['id', 'status', 'reservation_id', 'held_until'])
    .where('event_id', '=', sale.event.id)
    .orderBy('ordinal')
    .execute()
}

/** The counts kept in the seat map, once they are compared with the seats, and the seats with those who have them. */
export async function countsInOrder(sale: Sale): Promise<SeatCounts> {
  const kept = await sale.ledger.db
    .selectFrom('seat_maps')
    .select(['available', 'held', 'sold', 'blocked'])
    .where('event_id', '=', sale.event.id)
    .executeTakeFirstOrThrow()
  const seats = await seatRows(sale)
  const counted = { available: 0, held: 0, sold: 0, blocked: 0 }
  for (const { status } of seats) counted[status] += 1
  expect(kept).toEqual(counted)
  expect(counted.available + counted.held + counted.sold + counted.blocked).toBe(seats.length)
  const live = await liveItems(sale)
  expect(live.map(({ seat_id }) => seat_id).sort()).toEqual(
    seats
      .filter(({ reservation_id }) => reservation_id !== null)
      .map(({ id }) => id)
      .sort(),
  )
  return counted
}

/** Every seat that a pending or paid reservation says it has; twice if two of them do. */
export async function liveItems(sale: Sale) {
  return await sale.ledger.db
    .selectFrom('reservation_items')
    .innerJoin('reservations', 'reservations.id', 'reservation_items.reservation_id')
    .select(['seat_id', 'reservation_id'])
    .where('event_id', '=', sale.event.id)
    .where('status', 'in', ['PENDING_PAYMENT', 'PAID'])
    .where('returned', '=', false)
    .execute()
}

export async function statusOf(sale: Sale, reservationId: string): Promise<ReservationRow['status']> {
  const row = await sale.ledger.db
    .selectFrom('reservations')
    .select('status')
    .where('id', '=', reservationId)
    .executeTakeFirstOrThrow()
  return row.status
}

/** What the outbox tells about one reservation, in its order. */
export async function newsAbout(sale: Sale, reservationId: string): Promise<string[]> {
  const rows = await sale.ledger.db
    .selectFrom('outbox')
    .select('type')
    .where('aggregateid', '=', reservationId)
    .orderBy('position')
    .execute()
  return rows.map(({ type }) => type)
}

/** Moves the deadline of a hold to so many milliseconds from now, by the ledger's clock. */
export async function moveDeadline(sale: Sale, reservationId: string, fromNowMs: number): Promise<void> {
  const { rows } = await sql<{ until: Date }>`
    update reservations
       set expires_at = date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => ${fromNowMs / 1000})
     where id = ${reservationId} returning expires_at as until`.execute(sale.ledger.db)
  await sql`update seats set held_until = ${rows[0]?.until} where reservation_id = ${reservationId}`.execute(
    sale.ledger.db,
  )
}
