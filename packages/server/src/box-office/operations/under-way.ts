import { SeatwiseError } from '@seatwise/domain'

/** As many requests as a server has under way at most; beyond that it is not a client that repeats itself. */
const UNDER_WAY_MAX = 50_000

/**
 * The keys whose first call runs on this server now. A client that repeats itself too early is told so, instead of
 * waiting behind itself; one that asks another server waits there for the lock of the ledger. Rule B27.
 */
export class OperationsUnderWay {
  readonly #keys = new Set<string>()

  has(actorId: string, key: string): boolean {
    return this.#keys.has(nameOf(actorId, key))
  }

  /** Throws when the same runs already. What it returns is to be called when it has ended. */
  begin(actorId: string, key: string): () => void {
    const name = nameOf(actorId, key)
    const { size } = this.#keys
    // Added first and looked at then: one search for it instead of two.
    this.#keys.add(name)
    if (this.#keys.size === size) throw new SeatwiseError('IN_PROGRESS', { retryAfterSeconds: 1 })
    if (size < UNDER_WAY_MAX) return () => this.#keys.delete(name)
    this.#keys.delete(name)
    throw new SeatwiseError('OVERLOADED', { retryAfterSeconds: 1 })
  }

  async run<Result>(actorId: string, key: string, work: () => Promise<Result>): Promise<Result> {
    const end = this.begin(actorId, key)
    try {
      return await work()
    } finally {
      end()
    }
  }

  get size(): number {
    return this.#keys.size
  }
}

const nameOf = (actorId: string, key: string): string => `${actorId} ${key}`
