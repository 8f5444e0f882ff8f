import type { Reservation, ReservationItem } from '@seatwise/domain'
import type { Claim } from './claim.ts'

export interface NewReservation {
  readonly claim: Claim
  readonly eventId: string
  readonly at: Date
  /** In the order of the plan, as they are read again later. */
  readonly items: ReservationItem[]
  readonly amount: number
  readonly currency: string
}

/** What a claim that succeeds at that moment becomes. */
export function newReservation({ claim, eventId, at, items, amount, currency }: NewReservation): Reservation {
  return {
    id: claim.reservationId,
    eventId,
    buyerId: claim.buyerId,
    status: 'PENDING_PAYMENT',
    items,
    amount,
    currency,
    expiresAt: new Date(at.getTime() + claim.holdSeconds * 1000),
    paidAt: null,
    createdAt: at,
    updatedAt: at,
  }
}
