import { SeatwiseError } from '@seatwise/domain'

/** A visitor who would wait longer than this to join is asked to come again: then the others are in line within two seconds. */
const WAIT_MS_MAX = 1_000
/** The capacity that is assumed until a rush has shown it, in joins for each millisecond: what a small machine manages. */
const CAPACITY_ASSUMED = 5
/** So many may always wait: one call to the store, of which even a starved server completes one after the other. */
const WAITING_LEAST = 500
/** Long enough for many calls, short enough to follow a server that gets slower. */
const WINDOW_MS = 250
/** Returning visitors get every second place: the others are for those who come for the first time. */
const PLACES_PER_RETURN = 2
/** A visitor who is told to wait for longer gives up. */
const RETURN_MS_MAX = 15_000

export interface CrowdOptions {
  /** Joins that wait for the store. */
  readonly waiting: () => number
  readonly now?: () => number
  readonly random?: () => number
}

/**
 * Refuses joins that would wait too long (R80). How many may wait follows from how many this server completes while
 * more wait than it can: that counts all that a join costs, where the store alone would look fast on a busy server.
 */
export class Crowd {
  readonly #options: Required<CrowdOptions>
  #capacity = CAPACITY_ASSUMED
  #window = { startMs: 0, completed: 0, isSaturated: false }
  #lastReturnMs = Number.NEGATIVE_INFINITY

  constructor({ waiting, now = () => performance.now(), random = Math.random }: CrowdOptions) {
    this.#options = { waiting, now, random }
    this.#window.startMs = now()
  }

  /** The joins of one call were answered. */
  completed(count: number): void {
    const { waiting, now } = this.#options
    const nowMs = now()
    const window = this.#window
    window.completed += count
    window.isSaturated &&= waiting() > 0
    const ms = nowMs - window.startMs
    if (ms < WINDOW_MS) return
    // A server that has nothing left to do completes as many as come, which says nothing about how many it could.
    if (window.isSaturated) this.#capacity = (this.#capacity + window.completed / ms) / 2
    this.#window = { startMs: nowMs, completed: 0, isSaturated: waiting() > 0 }
  }

  /** Why a join that arrives now is refused; null when it is not. */
  refusal(): SeatwiseError | null {
    const waiting = this.#options.waiting()
    if (waiting < Math.max(WAITING_LEAST, this.#capacity * WAIT_MS_MAX)) return null
    return new SeatwiseError('OVERLOADED', { retryAfterSeconds: this.#returnSeconds(waiting / this.#capacity) })
  }

  /**
   * When a refused visitor comes back: each at a time of their own, one after the other, as far apart as two joins take.
   * So a crowd that was refused together does not return together. Whole seconds, as `Retry-After` has them, rounded at
   * random, so that times between two seconds are spread over both.
   */
  #returnSeconds(waitMs: number): number {
    const { now, random } = this.#options
    const nowMs = now()
    this.#lastReturnMs = Math.max(nowMs + waitMs, this.#lastReturnMs + PLACES_PER_RETURN / this.#capacity)
    // All later times are taken: begin again, rather than send a whole crowd away until the same moment.
    if (this.#lastReturnMs - nowMs > RETURN_MS_MAX) this.#lastReturnMs = nowMs + waitMs
    return Math.max(1, Math.floor((this.#lastReturnMs - nowMs) / 1_000 + random()))
  }
}
