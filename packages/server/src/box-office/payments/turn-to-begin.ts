import { SeatwiseError } from '@seatwise/domain'

export interface TurnOptions {
  /** How long a buyer waits for their payment to begin. */
  readonly patienceMs: number
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
}

/**
 * One buyer's wait until their payment begins. When it takes too long, for whatever reason (connections, locks, a
 * starved server), the buyer is told to retry; a payment that was given up never begins, because the transaction that
 * would begin it asks here first. Once it has begun, the server waits for it without limit (B63).
 */
export class TurnToBegin {
  readonly #untilMs: number
  readonly #now: () => number
  #state: 'waiting' | 'begun' | 'given up' = 'waiting'

  constructor({ patienceMs, now }: TurnOptions) {
    this.#now = now
    this.#untilMs = now() + patienceMs
  }

  /** Called under the seat map's lock: whether the payment may begin. From then on it counts as begun. */
  begin(): boolean {
    if (this.#state === 'waiting') this.#state = this.#now() <= this.#untilMs ? 'begun' : 'given up'
    return this.#state === 'begun'
  }

  /** Waits for a step before the payment begins, or for the beginning itself. */
  async within<Result>(work: Promise<Result>): Promise<Result> {
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => {
        if (this.#state === 'begun') return
        this.#state = 'given up'
        reject(tooLate())
      },
      Math.max(0, this.#untilMs - this.#now()),
    )
    try {
      return await Promise.race([work, promise])
    } finally {
      clearTimeout(timer)
    }
  }
}

export function tooLate(): SeatwiseError {
  return new SeatwiseError('OVERLOADED', { retryAfterSeconds: 2 })
}
