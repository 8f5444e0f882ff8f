export { isAboutTheWork } from '../engine/is-about-the-work.ts'
export { readOperation, type StoredOperation } from '../operations/read-operation.ts'
export { storeAnswer } from '../operations/store-answer.ts'
export type { News } from '../outbox/tell.ts'
export {
  type Confirmed,
  type ConfirmOutcome,
  type ConfirmPayment,
  confirmPayment,
} from '../payments/concluding/confirm-payment.ts'
export { type AlongsideAll, confirmTogether } from '../payments/concluding/confirm-together.ts'
export {
  type DeclineOutcome,
  type DeclinePayment,
  declinePayment,
  markPaymentStuck,
  withdrawPayment,
} from '../payments/concluding/decline-payment.ts'
export {
  type Alongside,
  type Purchase,
  readPurchase,
  readPurchasesOf,
  type StoredAnswer,
} from '../payments/purchase.ts'
export { finishRefund, type RefundOutcome, startRefund } from '../payments/refunding/refund-purchase.ts'
export { type StartOutcome, type StartPayment, startPayment } from '../payments/starting/start-payment.ts'
export { startTogether } from '../payments/starting/start-together.ts'
export type { Claim, ClaimReply, OperationKey, SeatClaimWish } from '../reservations/claims/claim.ts'
export { type ClaimsOutcome, claimSeats } from '../reservations/claims/claim-seats.ts'
export { type AskedClaim, findKnownClaims } from '../reservations/claims/find-known-claims.ts'
export { type CancelOutcome, cancelOfTickets, cancelReservation } from '../reservations/ending/cancel-reservations.ts'
export type { EndedReservation } from '../reservations/ending/end-reservations.ts'
export { type Expiry, eventsWithOverdueHolds, expireReservations } from '../reservations/ending/expire-reservations.ts'
export {
  type ReservationRow,
  readReservation,
  readReservations,
  readReservationsOf,
} from '../reservations/read-reservations.ts'
export { forgetSeatChanges, readSeatChanges, type SeatMapNews } from '../seat-map/read-seat-changes.ts'
export {
  type OpenSeatMap,
  type SeatChange,
  type SeatCounts,
  type SeatMapChange,
  type SeatMove,
  type WithMap,
  withSeatMap,
} from '../seat-map/seat-map.ts'
