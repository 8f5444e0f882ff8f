import { randomUUID } from 'node:crypto'
import { type Claim, type ClaimReply, claimSeats } from '@seatwise/ledger'
import { sql } from 'kysely'
import { liveItems, type Sale, seatRows } from '../sale-kit.ts'

/** Claims that come at once, in batches of random sizes up to `batchMax`, as several servers would send them. */
export async function race(
  sale: Sale,
  claims: readonly Claim[],
  { batchMax, random }: { batchMax: number; random: () => number },
): Promise<ClaimReply[]> {
  const batches: Claim[][] = []
  for (let start = 0; start < claims.length; ) {
    const size = 1 + Math.floor(random() * batchMax)
    batches.push(claims.slice(start, start + size))
    start += size
  }
  const outcomes = await Promise.all(batches.map((batch) => claimSeats(sale.ledger, sale.event.id, batch)))
  return outcomes.flatMap((outcome) => outcome?.replies ?? [])
}

/** Seats that more than one live reservation says it has. */
export async function overheld(sale: Sale): Promise<number> {
  const holders = Map.groupBy(await liveItems(sale), ({ seat_id }) => seat_id)
  return [...holders.values()].filter((items) => items.length > 1).length
}

/**
 * What claiming would be without the lock: each claim reads a free seat, and takes it in a second statement, once all
 * claims have read.
 */
export async function claimUnguarded(sale: Sale, seatIds: readonly string[]): Promise<string[]> {
  const allLooked = Promise.withResolvers<void>()
  let looked = 0
  const claims = seatIds.map(async (seatId) => {
    const seats = await seatRows(sale)
    looked += 1
    if (looked === seatIds.length) allLooked.resolve()
    await allLooked.promise
    if (seats.find(({ id }) => id === seatId)?.status !== 'available') return []
    return [await takeBlindly(sale, seatId)]
  })
  return (await Promise.all(claims)).flat()
}

/** Takes a seat without looking at all; the id of the reservation. */
export async function takeBlindly(sale: Sale, seatId: string): Promise<string> {
  const reservationId = randomUUID()
  const type = sale.event.seatTypes[0]?.id ?? ''
  const { db } = sale.ledger
  const terms = {
    status: 'PENDING_PAYMENT',
    amount: 4500,
    currency: 'EUR',
    expires_at: new Date('2999-01-01'),
  } as const
  await db
    .insertInto('reservations')
    .values({ id: reservationId, event_id: sale.event.id, buyer_id: randomUUID(), ...terms })
    .execute()
  const item = { reservation_id: reservationId, seat_id: seatId, seat_type_id: type, price: 4500 }
  await db
    .insertInto('reservation_items')
    .values({ ...item, reservation_status: 'PENDING_PAYMENT' })
    .execute()
  await db
    .updateTable('seats')
    .set({ status: 'held', reservation_id: reservationId, held_until: terms.expires_at })
    .where('id', '=', seatId)
    .execute()
  return reservationId
}

/** Marks a reservation as paid without looking at anything. */
export async function payBlindly(sale: Sale, reservationId: string): Promise<void> {
  await sql`update reservations set status = 'PAID', paid_at = now() where id = ${reservationId}`.execute(
    sale.ledger.db,
  )
}
