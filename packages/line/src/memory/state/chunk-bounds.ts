import { OrderedNumbers } from './ordered-numbers.ts'

/** Neighbouring ticket numbers that share a bound: few enough to read at once, so many that the bounds cost nothing. */
export const CHUNK_TICKETS = 256

/**
 * For each chunk of ticket numbers a lower bound of the times at which its tickets were last seen, so that the tickets that
 * were not seen for long are found without scanning the line. Heartbeats leave the bounds as they are; the sweep raises them.
 */
export class ChunkBounds {
  readonly #bySeen = new OrderedNumbers()
  readonly #seen = new Map<number, number>()

  /** The chunk of this ticket has a ticket that was last seen then. */
  note(number: number, seen: number): void {
    const chunk = chunkOf(number)
    const bound = this.#seen.get(chunk)
    if (bound === undefined || seen < bound) this.set(chunk, seen)
  }

  /** Infinity: the chunk has no such ticket. */
  set(chunk: number, seen: number): void {
    const before = this.#seen.get(chunk)
    if (before === seen) return
    if (before !== undefined) this.#bySeen.remove(before, chunk)
    this.#seen.delete(chunk)
    if (seen === Number.POSITIVE_INFINITY) return
    this.#seen.set(chunk, seen)
    this.#bySeen.insert(seen, chunk)
  }

  /** At most `max` chunks that may have a ticket last seen before this, the earliest first. */
  before(seen: number | null, max: number): number[] {
    const chunks: number[] = []
    for (let rank = 0; seen !== null && rank < max; rank++) {
      const found = this.#bySeen.at(rank)
      if (found === undefined || found.score >= seen) return chunks
      chunks.push(found.number)
    }
    return chunks
  }
}

function chunkOf(number: number): number {
  return Math.floor(number / CHUNK_TICKETS)
}
