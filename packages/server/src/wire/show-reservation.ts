import type { Reservation } from '@seatwise/domain'
import type { Static } from 'typebox'
import type { ReservationAnswer } from './reservation-answer.ts'

export type ShownReservation = Static<typeof ReservationAnswer>

/** A reservation as its buyer sees it. */
export function showReservation(reservation: Reservation): ShownReservation {
  const { id, eventId, status, items, lines, tax, amount, currency } = reservation
  const { expiresAt, paidAt, createdAt, updatedAt } = reservation
  return {
    ...{ id, eventId, status, items, lines: [...lines], tax, amount, currency },
    expiresAt: expiresAt.toISOString(),
    paidAt: paidAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
