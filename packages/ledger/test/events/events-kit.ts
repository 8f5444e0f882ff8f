import { randomUUID } from 'node:crypto'
import { type EventBody, readEventDraft, type SaleEvent } from '@seatwise/domain'
import { createEvent, type Ledger, withSeatMap } from '@seatwise/ledger'
import { shape } from '@seatwise/testbench'

export const HOUR_MS = 3_600_000

function body(more: Partial<EventBody> = {}): EventBody {
  const rest = more.totalSeats === undefined && more.seatTypes === undefined ? { ...more, totalSeats: 10 } : more
  return {
    name: 'Aurora Live',
    salesStartAt: new Date(Date.now() + HOUR_MS).toISOString(),
    salesEndAt: new Date(Date.now() + 2 * HOUR_MS).toISOString(),
    ...rest,
  }
}

export async function makeEvent(ledger: Ledger, more: Partial<EventBody> = {}): Promise<SaleEvent> {
  return await createEvent(ledger.db, { draft: readEventDraft(body(more)), organizerId: null, newId: randomUUID })
}

/** Puts a hold or a sale on seats, as a claim would. */
export async function takeSeats(
  ledger: Ledger,
  event: SaleEvent,
  seatIds: readonly string[],
  status: 'held' | 'sold',
  heldUntil: Date = new Date(Date.now() + HOUR_MS),
): Promise<void> {
  await withSeatMap(ledger, event.id, async ({ transaction: { db } }) => {
    const reservation = {
      id: randomUUID(),
      event_id: event.id,
      buyer_id: randomUUID(),
      status: status === 'held' ? ('PENDING_PAYMENT' as const) : ('PAID' as const),
      amount: 0,
      currency: 'EUR',
      expires_at: heldUntil,
      paid_at: status === 'sold' ? new Date() : null,
    }
    await db.insertInto('reservations').values(reservation).execute()
    const seats = await db
      .selectFrom('seats')
      .select(['id', 'seat_type_id', 'status'])
      .where('id', 'in', [...seatIds])
      .execute()
    const items = seats.map(({ id, seat_type_id }) => ({
      reservation_id: reservation.id,
      seat_id: id,
      seat_type_id,
      price: 0,
      reservation_status: reservation.status,
    }))
    await db.insertInto('reservation_items').values(items).execute()
    await db
      .updateTable('seats')
      .set({ status, reservation_id: reservation.id, held_until: status === 'held' ? heldUntil : null })
      .where('id', 'in', [...seatIds])
      .execute()
    return { result: {}, moves: seats.map((seat) => ({ seatId: seat.id, before: seat.status, status })) }
  })
}

const WIRE_SEAT = shape.fields({
  ...{ id: shape.text, seatTypeId: shape.text, status: shape.text },
  ...{ row: shape.nullable(shape.text), number: shape.nullable(shape.number), along: shape.optional(shape.number) },
  ...{ accessible: shape.optional(shape.boolean), x: shape.optional(shape.number), y: shape.optional(shape.number) },
})
export type WireSeat = ReturnType<typeof WIRE_SEAT>

/** The seats of a map, which the ledger keeps as the text that is sent. */
export function seatsIn(map: { readonly seats: string }): WireSeat[] {
  return shape.listOf(WIRE_SEAT)(JSON.parse(map.seats), 'seats')
}
