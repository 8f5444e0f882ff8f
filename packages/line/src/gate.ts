import type { PassQuestion } from './contract.ts'

/** So long the gate waits for the ledger's word about a claim. A claim must be over by then, one way or the other. */
export const TAKE_MS = 15_000
/** Most takes of one ticket at a time. */
export const TAKES_MAX = 8

export interface TakeRequest extends PassQuestion {
  /**
   * Seats that the claim asks for; they replace those that the ticket has. 0: the ticket is about to give its seats
   * back, and is promised one again from now on, so that nobody else gets all of them first. That needs no pass.
   */
  quantity: number
  /** Who has to be the holder of the pass, too; undefined where that was asked before. */
  identity?: string
  /** The same again is taken once. */
  operation: string
}

export type TakeReply =
  /**
   * `leftSeconds`: so long the reservation may last at most, where that is less than a whole reservation's time (M28).
   */
  | { status: 'taken'; leftSeconds?: number; seq: number }
  /**
   * `busy`: other claims of this ticket are under way, and until they are settled there is not enough for this one.
   * `no_time`: the ticket is on the floor only for the reservation that it has, and may not have another one.
   */
  | { status: 'stale' | 'no_time' | 'sold_out' | 'busy'; seq: number }
  /** Of what is left, so many could be had, those that the ticket has already included. */
  | { status: 'not_enough'; available: number; seq: number }

/** What the ledger counted in one version of an event's seat map. */
export interface SeatCounts {
  version: number
  /** Seats that are available, and those that are held. Sold out means that there are neither. */
  stock: number
  heldSeats: number
}

export interface Settlement extends SeatCounts {
  results: readonly SettledClaim[]
}

/** What became of one claim, or of a reservation that ended. */
export interface SettledClaim {
  /** The operation under which it was taken, if it was. */
  operation: string
  number: number
  /** What the ticket has now; null: nothing any more; undefined: what it had before, because the claim failed. */
  reserved?: { until: number; quantity: number } | null
}

export interface SettleReply {
  seq: number
  /** Tickets that reserved, but had left the floor by then: their seats must be given back. */
  left: number[]
}

/**
 * Whole seconds that a reservation may last which is made now. The visit ends at the latest one reservation's time after
 * the session, however often a reservation is replaced. Rule M28.
 */
export function secondsLeft(sessionDeadline: number, reservationSeconds: number, now: number): number {
  return Math.floor((sessionDeadline - now) / 1_000) + reservationSeconds
}

/** Of several words on what one ticket has, only the last one stays: all are of one version. */
export function lastWordOnEach(results: readonly SettledClaim[]): SettledClaim[] {
  const last = new Map(
    results.filter(({ reserved }) => reserved !== undefined).map((result) => [result.number, result]),
  )
  return results.map((result) => {
    const { operation, number } = result
    return result.reserved === undefined || last.get(number) === result ? result : { operation, number }
  })
}
