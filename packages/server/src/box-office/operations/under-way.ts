import { SeatwiseError } from '@seatwise/domain'

/** The most requests a server processes at once; more than this is not clients repeating themselves. */
const UNDER_WAY_MAX = 50_000

/**
 * The keys of first calls that run on this server now. A client that retries too early is told so instead of waiting
 * for itself; a client that retries on another server waits there for the ledger's lock. Rule B27.
 */
export class OperationsUnderWay {
  readonly #keys = new Set<string>()

  has(actorId: string, key: string): boolean {
    return this.#keys.has(nameOf(actorId, key))
  }

  /** Throws when the same call runs already. The caller invokes the returned function when the call has ended. */
  begin(actorId: string, key: string): () => void {
    const name = nameOf(actorId, key)
    const { size } = this.#keys
    // Add first, then compare sizes: one lookup instead of two.
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
