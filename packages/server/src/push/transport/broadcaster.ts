import type { Connection } from './connection.ts'
import type { Outgoing } from './outgoing.ts'

/** Somebody who listens to a public channel. */
export interface Listener {
  readonly connection: Connection
  /** Whether this message is of use to them, and not older than what they have. */
  wants(outgoing: Outgoing): boolean
}

/** Does a little of what is to be done, and says whether anything is left. */
type Round = () => boolean

/** So long one slice of writing keeps everybody else waiting; a request takes several turns, each behind a slice. */
const SLICE_MS = 1
const LOOK_AT_CLOCK_EVERY = 16
/** Each room adds a few a second. */
const ROUNDS_MAX = 5_000

/**
 * Writes one message to thousands in slices, so that a broadcast never stalls requests and admissions. Rounds are
 * written one after the other, so that nobody gets two messages in the wrong order.
 */
export class Broadcaster {
  readonly #rounds: Round[] = []
  #isRunning = false
  #isClosed = false

  get waiting(): number {
    return this.#rounds.length
  }

  /** False when too much is under way already: push is a hint, and the next snapshot tells. */
  send(outgoing: Outgoing, listeners: Iterable<Listener>): boolean {
    const left = listeners[Symbol.iterator]()
    return this.each(() => {
      const { done, value } = left.next()
      if (done === true) return false
      if (value.wants(outgoing)) value.connection.send(outgoing)
      return true
    })
  }

  /** The same for whatever has to be done for many, each something else. */
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

/** True when everybody has it. */
function writeSlice(round: Round, until: number): boolean {
  for (let written = 1; round(); written += 1) {
    if (written % LOOK_AT_CLOCK_EVERY === 0 && performance.now() >= until) return false
  }
  return true
}
