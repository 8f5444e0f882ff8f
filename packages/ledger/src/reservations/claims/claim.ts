import type { Reservation, VariantRefusal, VariantWish } from '@seatwise/domain'
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
  /** All three are null for a sale outside the line, which has no ticket. */
  readonly roomId: string | null
  readonly ticketNumber: number | null
  /** Of the pass; a ticket's older passes are refused. */
  readonly fence: number | null
  readonly wish: SeatClaimWish
  /** Left out, every seat has the first variant of its type, or the type's own price. */
  readonly variants?: readonly VariantWish[]
  /** The key of a code (`codeKey`). */
  readonly code?: string
  /** The server reserves for a visitor whom it has just admitted: that visitor showed a code where one was needed. */
  readonly isByServer?: boolean
  /** Complimentary: nothing is to be paid, fees included. */
  readonly isFree?: boolean
  readonly holdSeconds: number
  /** For each visitor who stands with the ticket. */
  readonly seatsPerBuyerMax: number
}

/** How a claim ended. Only `held` had an effect; everything else left the ledger as it was and the key free. */
export type ClaimReply =
  | HeldReply
  /** The same key and fingerprint again: the answer that was given then. */
  | { readonly status: 'repeated'; readonly reservation: Reservation }
  | ClaimRefusal
  /** This claim alone made its transaction fail; the others of the batch were decided. */
  | { readonly status: 'failed'; readonly error: unknown }

export interface HeldReply {
  readonly status: 'held'
  readonly reservation: Reservation
  /** The reservation that this one replaced. */
  readonly replaced: string | null
}

export type ClaimRefusal =
  | { readonly status: 'key_reused' }
  | { readonly status: 'stale_pass' }
  /** The ticket's reservation is being paid for and cannot be replaced now. */
  | { readonly status: 'paying'; readonly reservationId: string }
  /** Another visitor of the group has a reservation. */
  | { readonly status: 'group_reserved' }
  | { readonly status: 'taken'; readonly seatIds: readonly string[] }
  | { readonly status: 'unknown_seat'; readonly seatIds: readonly string[] }
  /** `left` is how many the buyer may still have. */
  | { readonly status: 'limit_reached'; readonly left: number }
  | { readonly status: 'not_enough'; readonly available: number }
  | VariantRefusal
  /** Unknown, over, or not valid yet. */
  | { readonly status: 'unknown_code' }
  /** By all buyers, or by this one. */
  | { readonly status: 'code_used_up' }
  /** The claim has no seat of the types that the code is for. */
  | { readonly status: 'code_not_applicable' }
  /** Before the sale only claims with an access code are granted. */
  | { readonly status: 'not_started' }
  /** Nothing is available and nothing is held. */
  | { readonly status: 'sold_out' }
  /** The event was cancelled: nothing of it is sold any more. */
  | { readonly status: 'cancelled' }
