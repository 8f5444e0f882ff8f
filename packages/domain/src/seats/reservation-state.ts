/*
 * The life of a reservation.
 *
 *   PENDING_PAYMENT ──pay──▶ PAID ──refund──▶ REFUNDED
 *        │    └────cancel──▶ CANCELED ─┐
 *        └────────expire───▶ EXPIRED ──┴─pay─▶ PAID   (a late payment that could take its seats again)
 */

export type ReservationState = 'PENDING_PAYMENT' | 'PAID' | 'CANCELED' | 'EXPIRED' | 'REFUNDED'
