import { isLedgerAway, LedgerUnreachable } from '@seatwise/ledger'
import { withDeadline } from './deadline.ts'

/*
 * Whether the ledger answers, for reads that have a copy to fall back to.
 *
 *   there ──a read fails, or it and a probe stay unanswered──▶ away ──a probe is answered──▶ there
 *
 * While the ledger is away, reads fail at once and only probes are sent to it. So a ledger that hangs costs its first
 * readers a second, and no later reader anything, however many there are.
 */

/** A read that takes longer is slow, or the ledger is silent: a probe decides. */
const PATIENCE_MS = 700
/** A probe without an answer by then says that the ledger is silent. */
const PROBE_MS = 500
/** Between two probes of a ledger that is away; with the time of a probe it bounds how late its return is noticed. */
const PROBE_EVERY_MS = 250
/** Unanswered probes at a time. Each holds a connection until the ledger answers it, or until its own time-out (11 s). */
const PROBES_MAX = 3

export interface PulseOptions {
  /** The cheapest question to the ledger, on the way that reads take. */
  readonly probe: () => Promise<unknown>
  readonly onAway: (cause: unknown) => void
  readonly onReturn: () => void
}

export class Pulse {
  readonly #options: PulseOptions
  #timer: NodeJS.Timeout | null = null
  #probes = 0
  #isAway = false
  #isClosed = false

  constructor(options: PulseOptions) {
    this.#options = options
  }

  get isAway(): boolean {
    return this.#isAway
  }

  /** Runs a read. Rejects at once while the ledger is away, and as soon as it is found to be silent. */
  async ask<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    if (this.#isAway) throw new LedgerUnreachable('The ledger is away')
    const silence = Promise.withResolvers<never>()
    const timer = setTimeout(() => this.#judge(silence.reject), PATIENCE_MS)
    try {
      return await Promise.race([read(), silence.promise])
    } catch (error) {
      if (isLedgerAway(error)) this.#leave(error)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  /** A read is slow. An answered probe says that only the read is slow, and the reader goes on waiting. */
  #judge(giveUp: (error: Error) => void): void {
    this.#probe().catch((cause: unknown) => {
      giveUp(new LedgerUnreachable('The ledger is silent', { cause }))
    })
  }

  #leave(cause: unknown): void {
    if (this.#isAway || this.#isClosed) return
    this.#isAway = true
    this.#options.onAway(cause)
    this.#watch(0)
  }

  #watch(delayMs: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#isClosed || !this.#isAway) return
    this.#timer = setTimeout(() => {
      if (this.#probes >= PROBES_MAX) this.#watch(PROBE_EVERY_MS)
      else this.#probe().catch(() => this.#watch(PROBE_EVERY_MS))
    }, delayMs)
    this.#timer.unref()
  }

  #return(): void {
    if (!this.#isAway) return
    this.#isAway = false
    if (!this.#isClosed) this.#options.onReturn()
  }

  /** Also the late answer of a probe that was given up says that the ledger is back. */
  async #probe(): Promise<void> {
    this.#probes += 1
    const answered = this.#options
      .probe()
      .then(() => this.#return())
      .finally(() => {
        this.#probes -= 1
      })
    await withDeadline(answered, PROBE_MS, 'the ledger')
  }
}
