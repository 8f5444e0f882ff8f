/** Tickets beyond this number are always read from the store: one room may cost a server 64 MB. */
const TRACKED_MAX = 64_000_000
/** The number of changes kept to recognise an answer that the log overtook. */
const RECENT_MAX = 65_536

/**
 * Which tickets this server knows to be waiting, in one byte each: the generation that was verified, or 0.
 *
 * A ticket becomes known by an exact answer of the store, and unknown by any log entry about it. So a visitor far from
 * the head can be answered without asking the store, and is never told that they wait after the log said otherwise.
 */
export class KnownTickets {
  #generations = new Uint8Array(1_024)
  /**
   * The `seq` of each ticket's latest change, in two generations: when the young one is full it becomes the old one.
   * Deleting the oldest one by one would cost 20 µs each, because a map skips all entries that were deleted before it.
   */
  #recent = new Map<number, number>()
  #earlier = new Map<number, number>()
  #earlierSeq = 0
  /** Changes up to this one may have been dropped. */
  #forgottenSeq = 0

  /** An answer as of `seq` said that the ticket waits and is present. */
  learn(number: number, generation: number, seq: number): void {
    if (number >= TRACKED_MAX || generation > 255 || seq < this.#forgottenSeq) return
    // The log may have overtaken the answer on its way here.
    if ((this.#recent.get(number) ?? this.#earlier.get(number) ?? 0) > seq) return
    if (number >= this.#generations.length) this.#grow(number)
    this.#generations[number] = generation
  }

  /** The log has an entry about the ticket. */
  forget(number: number, seq: number): void {
    if (number < this.#generations.length) this.#generations[number] = 0
    this.#recent.set(number, seq)
    if (this.#recent.size < RECENT_MAX / 2) return
    this.#forgottenSeq = Math.max(this.#forgottenSeq, this.#earlierSeq)
    this.#earlier = this.#recent
    this.#earlierSeq = seq
    this.#recent = new Map()
  }

  /** The capacity for tickets, and the number of recent changes kept. */
  sizes(): { knownTickets: number; recentChanges: number } {
    return { knownTickets: this.#generations.length, recentChanges: this.#recent.size + this.#earlier.size }
  }

  isWaiting(number: number, generation: number): boolean {
    return generation > 0 && this.#generations[number] === generation
  }

  /** Forgets every ticket, and ignores answers from before `seq`. A new epoch begins at 0. */
  clear(seq: number): void {
    this.#generations.fill(0)
    this.#recent.clear()
    this.#earlier.clear()
    this.#earlierSeq = 0
    this.#forgottenSeq = seq
  }

  #grow(number: number): void {
    const larger = new Uint8Array(Math.min(TRACKED_MAX, Math.max(number + 1, this.#generations.length * 2)))
    larger.set(this.#generations)
    this.#generations = larger
  }
}
