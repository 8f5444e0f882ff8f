export { type Adopted, adoptGuest } from './adoption/adopt-guest.ts'
export { isBeyondLimit } from './adoption/is-beyond-limit.ts'
export { finishAdoptions, takeUndeliveredTickets } from './adoption/undelivered-adoptions.ts'
export type { Claim, ClaimReply, SeatClaimWish } from './claims/claim.ts'
export { claimSeats } from './claims/claim-seats.ts'
export { type AskedClaim, findKnownClaims } from './claims/find-known-claims.ts'
export { cancelInside, cancelOfTickets, cancelReservation } from './ending/cancel-reservations.ts'
export { type EndedReservation, endReservations, newsOfEnd } from './ending/end-reservations.ts'
export { eventsWithOverdueHolds, expireReservations } from './ending/expire-reservations.ts'
export { findPaid } from './of-tickets/find-paid.ts'
export { findPending } from './of-tickets/find-pending.ts'
export { hasReserved } from './of-tickets/has-reserved.ts'
export { readLatestReservations } from './of-tickets/read-latest-reservations.ts'
export { readReservationOfTicket } from './of-tickets/read-reservation-of-ticket.ts'
export { readTicketSeats, type SeatsOfTickets, type TicketSeats } from './of-tickets/read-ticket-seats.ts'
export {
  type ReservationRow,
  readReservation,
  readReservations,
  readReservationsOf,
  reservationsToRead,
} from './read-reservations.ts'
