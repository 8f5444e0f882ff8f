import { randomUUID } from 'node:crypto'
import type { EventBody, SaleEvent } from '@seatwise/domain'
import { type Claim, type ClaimReply, claimSeats, type Ledger, readSeatMap, type SeatClaimWish } from '@seatwise/seats'
import { makeEvent, type WireSeat } from '../events-kit.ts'

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
  return { ledger, event, seats: map === 'unchanged' ? [] : (JSON.parse(map.seats) as WireSeat[]) }
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
  const outcome = await claimSeats(sale.ledger.db, sale.event.id, claims)
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
