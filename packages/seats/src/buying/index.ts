export { type CancelOutcome, cancelOfTickets, cancelReservation } from './cancel-reservations.ts'
export type { Claim, ClaimReply, OperationKey, SeatClaimWish } from './claim.ts'
export { type ClaimsOutcome, claimSeats } from './claim-seats.ts'
export type { EndedReservation } from './end-reservations.ts'
export { type Expiry, eventsWithOverdueHolds, expireReservations } from './expire-reservations.ts'
export { readOperation, type StoredOperation } from './read-operation.ts'
export { type ReservationRow, readReservation, readReservationsOf } from './read-reservations.ts'
export { forgetSeatChanges, readSeatChanges, type SeatMapNews } from './read-seat-changes.ts'
export {
  type OpenSeatMap,
  type SeatChange,
  type SeatCounts,
  type SeatMapChange,
  type SeatMove,
  type WithMap,
  withSeatMap,
} from './seat-map.ts'
