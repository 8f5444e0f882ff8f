import { hash } from 'node:crypto'
import type { PassQuestion } from './contract.ts'

/** How long the gate waits for the ledger's word on a claim. A claim must be decided by then. Rule M23. */
export const TAKE_MS = 15_000
/** Most takes of one ticket at a time. */
export const TAKES_MAX = 8

/**
 * Numbers from here on are no tickets: each stands for one sale outside the line, such as one at the door. Such a sale
 * needs no pass, has no promise, and leaves the seats that tickets took or are promised. No line draws so many tickets.
 */
export const OUTSIDE_FROM: number = 2 ** 31

/** The number under which the gate counts a sale outside the line: the same for the same operation. */
export function outsideNumber(operation: string): number {
  return OUTSIDE_FROM + (hash('sha256', operation, 'buffer').readUInt32BE() >>> 1)
}

export interface TakeRequest extends PassQuestion {
  /**
   * Seats that the claim asks for; they replace those that the ticket has. 0: the ticket is about to give its seats back.
   * It is promised a seat from then on, so that other tickets cannot get all of them first (M25). That needs no pass.
   */
  quantity: number
  /** The identity that must hold the pass; undefined where the caller has already checked it. */
  identity?: string
  /** Repeated, it is taken once. */
  operation: string
}

export type TakeReply =
  /**
   * `leftSeconds`: the longest the reservation may last, when that is less than a whole reservation's time (M28).
   */
  | { status: 'taken'; leftSeconds?: number; seq: number }
  /**
   * `busy`: other claims of this ticket are under way, and until they are settled there are not enough seats for this one.
   * `no_time`: the ticket is on the floor only for the reservation that it has, and may not make another one.
   */
  | { status: 'stale' | 'no_time' | 'sold_out' | 'busy'; seq: number }
  /** `available`: the most seats the ticket could have now, including those it has already. */
  | { status: 'not_enough'; available: number; seq: number }

/** The ledger's counts of one version of an event's seat map. */
export interface SeatCounts {
  version: number
  /** Seats that are available, and seats that are held. Sold out means that both are 0. */
  stock: number
  heldSeats: number
}

export interface Settlement extends SeatCounts {
  results: readonly SettledClaim[]
}

/** The outcome of one claim, or the end of a reservation. */
export interface SettledClaim {
  /** The operation of the take, if there was one. */
  operation: string
  number: number
  /** The ticket's reservation now; null: none any more; undefined: the same as before, because the claim failed. */
  reserved?: { until: number; quantity: number } | null
}

export interface SettleReply {
  seq: number
  /** Tickets that reserved, but had left the floor by then: their seats must be given back. */
  left: number[]
}

/**
 * Whole seconds that a reservation made now may last. The time on the floor ends at the latest one reservation's time after
 * the session, however often a reservation is replaced. Rule M28.
 */
export function secondsLeft(sessionDeadline: number, reservationSeconds: number, now: number): number {
  return Math.floor((sessionDeadline - now) / 1_000) + reservationSeconds
}

/** Keeps only the last reservation told of each ticket; all results are of one version. */
export function lastWordOnEach(results: readonly SettledClaim[]): SettledClaim[] {
  const last = new Map(
    results.filter(({ reserved }) => reserved !== undefined).map((result) => [result.number, result]),
  )
  return results.map((result) => {
    const { operation, number } = result
    return result.reserved === undefined || last.get(number) === result ? result : { operation, number }
  })
}
