import { isLedgerAway } from '@seatwise/ledger'
import type { Logger } from 'pino'

export interface Round {
  /** For the log: "… failed". */
  readonly name: string
  readonly everyMs: number
  readonly work: () => Promise<void>
}

/** Random spread, so that servers that started together do not stay synchronised. */
const JITTER = 0.2

/**
 * Runs jobs periodically until it is closed. A job never overlaps itself, and a failed job runs again in the next
 * round.
 */
export class Rounds {
  readonly #log: Logger
  readonly #rounds: readonly Round[]
  readonly #timers = new Map<Round, NodeJS.Timeout>()
  readonly #running = new Set<Promise<void>>()
  #isClosed = false

  constructor(log: Logger, rounds: readonly Round[]) {
    this.#log = log
    this.#rounds = rounds
  }

  start(): void {
    for (const round of this.#rounds) this.#schedule(round)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await Promise.all(this.#running)
  }

  #schedule(round: Round): void {
    if (this.#isClosed) return
    const delayMs = round.everyMs * (1 - JITTER * Math.random())
    const timer = setTimeout(() => {
      const running = this.#run(round).finally(() => {
        this.#running.delete(running)
        this.#schedule(round)
      })
      this.#running.add(running)
    }, delayMs)
    timer.unref()
    this.#timers.set(round, timer)
  }

  /** Never rejects: the next round is the retry. */
  async #run({ name, work }: Round): Promise<void> {
    try {
      await work()
    } catch (err) {
      if (!this.#isClosed) this.#log.warn({ err }, `${name} failed, trying again`)
    }
  }
}

/**
 * Runs one round's work for each item in turn. A failure is logged and left to the next round, and the other items are
 * still processed (I33). An unavailable ledger ends the round.
 */
export async function eachAlone<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
  onFailed: (item: Item, err: unknown) => void,
): Promise<void> {
  for (const item of items) {
    try {
      await work(item)
    } catch (err) {
      if (isLedgerAway(err)) throw err
      onFailed(item, err)
    }
  }
}
