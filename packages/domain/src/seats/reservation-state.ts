/*
 * The life of a reservation.
 *
 *   PENDING_PAYMENT ──pay──▶ PAID ──refund──▶ REFUNDED
 *        │    └────cancel──▶ CANCELED ─┐
 *        └────────expire───▶ EXPIRED ──┴─pay─▶ PAID   (late money that could take its seats again)
 */

export type ReservationState = 'PENDING_PAYMENT' | 'PAID' | 'CANCELED' | 'EXPIRED' | 'REFUNDED'
export type ReservationEvent = 'pay' | 'cancel' | 'expire' | 'refund'

/** Every state answers every event; null means that the event is refused. A missing cell does not compile. */
export const NEXT_RESERVATION_STATE = {
  PENDING_PAYMENT: { pay: 'PAID', cancel: 'CANCELED', expire: 'EXPIRED', refund: null },
  PAID: { pay: 'PAID', cancel: null, expire: null, refund: 'REFUNDED' },
  CANCELED: { pay: 'PAID', cancel: 'CANCELED', expire: null, refund: null },
  EXPIRED: { pay: 'PAID', cancel: null, expire: 'EXPIRED', refund: null },
  REFUNDED: { pay: null, cancel: null, expire: null, refund: 'REFUNDED' },
} as const satisfies Record<ReservationState, Record<ReservationEvent, ReservationState | null>>
