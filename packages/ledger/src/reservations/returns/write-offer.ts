import type { Reservation } from '@seatwise/domain'
import type { OpenSeatMap } from '../../seat-map/index.ts'
import type { WaitingRequest } from './offer-returns.ts'

export interface NewOffer {
  readonly request: WaitingRequest
  readonly reservation: Reservation
  /** One for each item. */
  readonly fees: readonly number[]
}

/** Writes the reservation that holds the seats of an offer, whom it is for, and the offer itself. */
export async function writeOffer(map: OpenSeatMap, { request, reservation, fees }: NewOffer): Promise<void> {
  const { db } = map.transaction
  const { id, eventId: event_id, amount, currency, expiresAt: expires_at, lines, tax, items } = reservation
  const times = { created_at: map.at, updated_at: map.at }
  const status = 'PENDING_PAYMENT' as const
  await db
    .insertInto('reservations')
    .values({
      ...{ id, event_id, buyer_id: id, status, amount, currency, expires_at, tax, ...times },
      lines: JSON.stringify(lines),
    })
    .execute()
  await db
    .insertInto('reservation_items')
    .values(
      items.map(({ seatId, seatTypeId, price, variantId, paid }, index) => ({
        ...{ reservation_id: id, seat_id: seatId, seat_type_id: seatTypeId, price, reservation_status: status },
        ...{ variant_id: variantId, discount: price + (fees[index] ?? 0) - paid, fees: fees[index] ?? 0 },
      })),
    )
    .execute()
  const { email, language } = request
  await db.insertInto('addressees').values({ reservation_id: id, email, language }).execute()
  const offer = { id, request_id: request.id, event_id, reservation_id: id, made_at: map.at, expires_at }
  await db.insertInto('offers').values(offer).execute()
  await db.updateTable('return_requests').set({ status: 'offered' }).where('id', '=', request.id).execute()
}
