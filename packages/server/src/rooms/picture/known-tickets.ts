/** Tickets beyond this number are always read from the store: one room may cost a server 64 MB. */
const TRACKED_MAX = 64_000_000
/** The number of changes kept to recognise an answer that the log overtook. */
const RECENT_MAX = 65_536
/** Generations that fit beside the bit. A ticket that moved more often is always read from the store. */
const GENERATION_MAX = 127
/** Tickets above class 0 beyond this many are always read from the store. */
const ABOVE_MAX = 100_000
/** The ticket has this generation, and is away. */
const AWAY = 128
const PLACE_MAX = 2 ** 32 - 1

/**
 * Which tickets this server knows to be waiting, in one byte each: the generation, with a bit for those that are away.
 * 0 when only the store knows.
 *
 * A server learns most tickets from the log, those that were drawn before it began to read the log from pages of the
 * store (`TicketReader`), and the rest from exact answers. Every other log entry about a ticket makes it unknown. So a
 * visitor far from the head is answered without asking the store, also on a server that never saw them, and is never
 * told that they wait after the log said otherwise.
 */
export class KnownTickets {
  #generations = new Uint8Array(1_024)
  /** The places of tickets above class 0: a code may have changed the one in a ticket's token. */
  readonly #above = new Map<number, number>()
  #aboveSince = 0
  /** The places that tickets drew, by number; 0: unknown. Empty in a room without a draw. */
  #places = new Uint32Array(0)
  /**
   * The `seq` of each ticket's latest change, in two generations: when the young one is full it becomes the old one.
   * Deleting the oldest one by one would cost 20 µs each, because a map skips all entries that were deleted before it.
   */
  #recent = new Map<number, number>()
  #earlier = new Map<number, number>()
  #earlierSeq = 0
  /** Changes up to this one may have been dropped. */
  #forgottenSeq = 0

  /** As of `seq` the ticket waits and is present: by the log, or by an answer of the store. */
  learn(number: number, generation: number, seq: number): void {
    if (!this.#mayLearn(number, generation, seq)) return
    if (number >= this.#generations.length) this.#grow(number)
    this.#generations[number] = generation
  }

  /** The same of a ticket above class 0, which stands at this place. */
  learnAbove(number: number, generation: number, place: number, seq: number): void {
    if (seq < this.#aboveSince || !this.#mayLearn(number, generation, seq)) return
    if (!this.#above.has(number) && this.#above.size >= ABOVE_MAX) return
    this.#above.set(number, place)
    this.learn(number, generation, seq)
  }

  /** A code raised the class of a ticket that waits and is present. */
  raise(number: number, place: number, seq: number): void {
    const generation = this.#generations[number] ?? 0
    this.forget(number, seq)
    if (generation > 0) this.learnAbove(number, generation, place, seq)
  }

  /** All tickets above class 0 have other places; answers from before are ignored. */
  forgetAbove(seq: number): void {
    for (const number of this.#above.keys()) this.#generations[number] = 0
    this.#above.clear()
    this.#aboveSince = seq
  }

  /** Undefined where the place in the ticket's token counts, or only the store knows it. */
  placeAbove(number: number): number | undefined {
    return this.#above.get(number)
  }

  /** The place that a ticket drew. */
  learnPlace(number: number, place: number): void {
    if (number >= TRACKED_MAX || !Number.isInteger(place) || place < 1 || place > PLACE_MAX) return
    if (number >= this.#places.length) {
      const larger = new Uint32Array(Math.min(TRACKED_MAX, Math.max(number + 1, this.#places.length * 2)))
      larger.set(this.#places)
      this.#places = larger
    }
    this.#places[number] = place
  }

  /** Undefined when only the store knows it. */
  placeOf(number: number): number | undefined {
    const place = this.#places[number]
    return place === 0 ? undefined : place
  }

  /** The ticket is away: only the store can bring it back. */
  leave(number: number, seq: number): void {
    const known = this.#generations[number] ?? 0
    if (known > 0) this.#generations[number] = known | AWAY
    this.#changed(number, seq)
  }

  /** The ticket is back at its place. Its generation is the one from before, because no entry said otherwise. */
  comeBack(number: number, seq: number): void {
    const known = this.#generations[number] ?? 0
    if (known > 0) this.#generations[number] = known & ~AWAY
    this.#changed(number, seq)
  }

  /** The ticket no longer waits, or only the store knows how. */
  forget(number: number, seq: number): void {
    if (number < this.#generations.length) this.#generations[number] = 0
    this.#above.delete(number)
    this.#changed(number, seq)
  }

  /** The capacity for tickets, and the number of recent changes kept. */
  sizes(): { knownTickets: number; recentChanges: number } {
    return { knownTickets: this.#generations.length, recentChanges: this.#recent.size + this.#earlier.size }
  }

  isWaiting(number: number, generation: number): boolean {
    return generation > 0 && generation <= GENERATION_MAX && this.#generations[number] === generation
  }

  /** Forgets every ticket, and ignores answers from before `seq`. A new epoch begins at 0. */
  clear(seq: number): void {
    this.#generations.fill(0)
    this.#places = new Uint32Array(0)
    this.#above.clear()
    this.#aboveSince = seq
    this.#recent.clear()
    this.#earlier.clear()
    this.#earlierSeq = 0
    this.#forgottenSeq = seq
  }

  /** The log may have overtaken an answer on its way here. */
  #mayLearn(number: number, generation: number, seq: number): boolean {
    if (number >= TRACKED_MAX || generation > GENERATION_MAX || seq < this.#forgottenSeq) return false
    return (this.#recent.get(number) ?? this.#earlier.get(number) ?? 0) <= seq
  }

  #changed(number: number, seq: number): void {
    this.#recent.set(number, Math.max(seq, this.#recent.get(number) ?? 0))
    if (this.#recent.size < RECENT_MAX / 2) return
    this.#forgottenSeq = Math.max(this.#forgottenSeq, this.#earlierSeq)
    this.#earlier = this.#recent
    // An exact answer may have been ahead of the log.
    this.#earlierSeq = Math.max(this.#earlierSeq, seq)
    this.#recent = new Map()
  }

  #grow(number: number): void {
    const larger = new Uint8Array(Math.min(TRACKED_MAX, Math.max(number + 1, this.#generations.length * 2)))
    larger.set(this.#generations)
    this.#generations = larger
  }
}
