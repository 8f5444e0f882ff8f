import type { Connection } from './connection.ts'
import type { Outgoing } from './outgoing.ts'

/** A listener of a public channel. */
export interface Listener {
  readonly connection: Connection
  /** Whether this message is of use to the listener, and newer than what it has. */
  wants(outgoing: Outgoing): boolean
}

/** Does one part of the work, and says whether any is left. */
type Round = () => boolean

/**
 * The longest slice of writing, during which all other work waits; a request takes several turns, each behind a slice.
 */
const SLICE_MS = 1
const LOOK_AT_CLOCK_EVERY = 16
/** Each room adds a few a second. */
const ROUNDS_MAX = 5_000

/**
 * Writes one message to thousands in slices, so that a broadcast never stalls requests and admissions. Rounds are
 * written one after the other, so that each listener gets messages in order.
 */
export class Broadcaster {
  readonly #rounds: Round[] = []
  #isRunning = false
  #isClosed = false

  get waiting(): number {
    return this.#rounds.length
  }

  /** False when too much is queued already: push is a hint, and the next snapshot makes up for it. */
  send(outgoing: Outgoing, listeners: Iterable<Listener>): boolean {
    const left = listeners[Symbol.iterator]()
    return this.each(() => {
      const { done, value } = left.next()
      if (done === true) return false
      if (value.wants(outgoing)) value.connection.send(outgoing)
      return true
    })
  }

  /** The same for work that differs for each listener. */
  each(round: Round): boolean {
    if (this.#isClosed || this.#rounds.length >= ROUNDS_MAX) return false
    this.#rounds.push(round)
    if (!this.#isRunning) this.#run()
    return true
  }

  close(): void {
    this.#isClosed = true
    this.#rounds.length = 0
  }

  #run(): void {
    this.#isRunning = true
    const until = performance.now() + SLICE_MS
    let round = this.#rounds[0]
    while (round !== undefined) {
      if (!writeSlice(round, until)) {
        setImmediate(() => this.#run())
        return
      }
      this.#rounds.shift()
      round = this.#rounds[0]
    }
    this.#isRunning = false
  }
}

/** True when every listener has it. */
function writeSlice(round: Round, until: number): boolean {
  for (let written = 1; round(); written += 1) {
    if (written % LOOK_AT_CLOCK_EVERY === 0 && performance.now() >= until) return false
  }
  return true
}
