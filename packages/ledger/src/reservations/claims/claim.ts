import type { Reservation } from '@seatwise/domain'
import type { OperationKey } from '../../operations/index.ts'

/** Seats by id, or any free ones of a type without numbered seats. */
export type SeatClaimWish =
  | { readonly seatIds: readonly string[] }
  | { readonly seatTypeId: string; readonly quantity: number }

/** A wish to hold seats, all or none of them. */
export interface Claim {
  readonly operation: OperationKey
  /** The id the reservation gets if the claim succeeds. */
  readonly reservationId: string
  readonly buyerId: string
  readonly roomId: string
  readonly ticketNumber: number
  /** Of the pass; a ticket's older passes are refused. */
  readonly fence: number
  readonly wish: SeatClaimWish
  readonly holdSeconds: number
  readonly seatsPerBuyerMax: number
}

/** A claim that succeeded. */
export interface HeldReply {
  readonly status: 'held'
  /** Of the reservation. */
  readonly id: string
  readonly reservation: Reservation
  readonly quantity: number
  readonly until: Date
  /** The reservation as JSON for its buyer, if the ledger composed it. */
  readonly shown: string | null
  /** The reservation that this one replaced. */
  readonly replaced: string | null
}

/** How a claim ended. Only `held` had an effect; everything else left the ledger as it was and the key free. */
export type ClaimReply =
  | HeldReply
  /** The same key and fingerprint again: the answer that was given then. */
  | { readonly status: 'repeated'; readonly reservation: Reservation }
  | { readonly status: 'key_reused' }
  | { readonly status: 'stale_pass' }
  /** The ticket's reservation is being paid for and cannot be replaced now. */
  | { readonly status: 'paying'; readonly reservationId: string }
  | { readonly status: 'taken'; readonly seatIds: readonly string[] }
  | { readonly status: 'unknown_seat'; readonly seatIds: readonly string[] }
  /** `left` is how many the buyer may still have. */
  | { readonly status: 'limit_reached'; readonly left: number }
  | { readonly status: 'not_enough'; readonly available: number }
  /** Nothing is available and nothing is held. */
  | { readonly status: 'sold_out' }
  /** This claim alone made its transaction fail; the others of the batch were decided. */
  | { readonly status: 'failed'; readonly error: unknown }
