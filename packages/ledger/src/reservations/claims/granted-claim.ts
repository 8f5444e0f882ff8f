import { parseReservation, type Reservation } from '@seatwise/domain'
import type { Claim, HeldReply } from './claim.ts'

interface Grant {
  readonly quantity: number
  readonly until: Date
  readonly shown: string
}

/** A plain claim that the ledger granted and wrote. Most callers need only its text, so it is parsed on demand. */
export class GrantedClaim implements HeldReply {
  readonly status = 'held'
  readonly replaced = null
  readonly id: string
  readonly quantity: number
  readonly until: Date
  readonly shown: string
  readonly #buyerId: string

  constructor({ reservationId, buyerId }: Claim, { quantity, until, shown }: Grant) {
    this.id = reservationId
    this.quantity = quantity
    this.until = until
    this.shown = shown
    this.#buyerId = buyerId
  }

  get reservation(): Reservation {
    return { ...parseReservation(this.shown), buyerId: this.#buyerId }
  }
}
