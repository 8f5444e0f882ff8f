export {
  addresseeToName,
  type NamedAddressee,
  nameAddressee,
  readNamedAddressee,
} from './addressee/name-addressee.ts'
export { type Adopted, adoptGuest } from './adoption/adopt-guest.ts'
export { isBeyondLimit } from './adoption/is-beyond-limit.ts'
export { finishAdoptions, takeUndeliveredTickets } from './adoption/undelivered-adoptions.ts'
export { answersToForget } from './answers/forget-answers.ts'
export {
  type BuyerAnswers,
  NOTHING_ANSWERED,
  readAnswersOf,
  readAsked,
  readBuyerAnswers,
} from './answers/read-answers.ts'
export { saveAnswers } from './answers/save-answers.ts'
export type { Claim, ClaimRefusal, ClaimReply, SeatClaimWish } from './claims/claim.ts'
export { claimSeats } from './claims/claim-seats.ts'
export { type AskedClaim, findKnownClaims } from './claims/find-known-claims.ts'
export { type OutsideClaim, type OutsideOutcome, outsideReads, placeOutside } from './claims/place-outside.ts'
export type { ClaimRows } from './claims/read-facts.ts'
export { endCode } from './codes/end-code.ts'
export { type MadeCode, makeCodes } from './codes/make-codes.ts'
export { type Code, findCode, listCodes } from './codes/read-codes.ts'
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
export { acceptOffer } from './returns/accept-offer.ts'
export { askForReturns } from './returns/ask-for-returns.ts'
export { eventsToOffer, offerReturns } from './returns/offer-returns.ts'
export { type Offer, readOffer } from './returns/read-offer.ts'
export {
  confirmReturnRequest,
  forgetUnconfirmed,
  leaveReturnsList,
  type ReturnRequest,
  readReturnRequest,
} from './returns/requests.ts'
