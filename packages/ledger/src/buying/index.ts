export { type CancelOutcome, cancelOfTickets, cancelReservation } from './cancel-reservations.ts'
export type { Claim, ClaimReply, OperationKey, SeatClaimWish } from './claim.ts'
export { type ClaimsOutcome, claimSeats } from './claim-seats.ts'
export { type Confirmed, type ConfirmOutcome, type ConfirmPayment, confirmPayment } from './confirm-payment.ts'
export { type AlongsideAll, confirmTogether } from './confirm-together.ts'
export {
  type DeclineOutcome,
  type DeclinePayment,
  declinePayment,
  markPaymentStuck,
  withdrawPayment,
} from './decline-payment.ts'
export type { EndedReservation } from './end-reservations.ts'
export { type Expiry, eventsWithOverdueHolds, expireReservations } from './expire-reservations.ts'
export { type AskedClaim, findKnownClaims } from './find-known-claims.ts'
export { isAboutTheWork } from './is-about-the-work.ts'
export { type Alongside, type Purchase, readPurchase, readPurchasesOf, type StoredAnswer } from './purchase.ts'
export { readOperation, type StoredOperation } from './read-operation.ts'
export { type ReservationRow, readReservation, readReservations, readReservationsOf } from './read-reservations.ts'
export { forgetSeatChanges, readSeatChanges, type SeatMapNews } from './read-seat-changes.ts'
export { finishRefund, type RefundOutcome, startRefund } from './refund-purchase.ts'
export {
  type OpenSeatMap,
  type SeatChange,
  type SeatCounts,
  type SeatMapChange,
  type SeatMove,
  type WithMap,
  withSeatMap,
} from './seat-map.ts'
export { type StartOutcome, type StartPayment, startPayment } from './start-payment.ts'
export { startTogether } from './start-together.ts'
export { storeAnswer } from './store-answer.ts'
export type { News } from './tell.ts'
