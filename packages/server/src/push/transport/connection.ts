import { PUSH_CLOSE, type PushMessage } from '@seatwise/domain'
import { Outgoing } from './outgoing.ts'
import type { Wire } from './wire.ts'

/** Whoever has not taken this much reads too slowly. More than the longest message and everything after a reconnect. */
const BUFFERED_BYTES_MAX = 256 * 1024
/** How long a connection that is to end may take for it. */
const END_MS = 2_000

/** What a connection listens to: one channel. */
export interface Subscription {
  readonly channel: string
  /** How often the other end must be asked whether it is there, in milliseconds. */
  readonly pingMs: number
  /** The other end is there. */
  alive(): void
  end(): void
}

/** One client, whatever it came by. */
export class Connection {
  readonly wire: Wire
  readonly subscriptions = new Map<string, Subscription>()
  /** When to ask next whether it is there, and since when an answer is due. */
  pingAt = 0
  askedAt: number | null = null
  readonly openedAt: number
  readonly #onCut: (reason: string) => void
  #isOpen = true

  constructor(wire: Wire, openedAt: number, onCut: (reason: string) => void) {
    this.wire = wire
    this.openedAt = openedAt
    this.#onCut = onCut
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  send(outgoing: Outgoing): void {
    if (!this.#isOpen) return
    if (this.wire.buffered > BUFFERED_BYTES_MAX) {
      // It would not read a goodbye either; the code is for those who are only slow.
      this.cut(PUSH_CLOSE.TOO_SLOW, 'too slow: poll')
      return
    }
    this.wire.write(outgoing)
  }

  tell(message: PushMessage): void {
    this.send(new Outgoing(message))
  }

  alive(): void {
    this.askedAt = null
    for (const subscription of this.subscriptions.values()) subscription.alive()
  }

  /** Ends it, and says why. */
  cut(code: number, reason: string): void {
    if (!this.#isOpen) return
    this.#onCut(reason)
    this.close(code, reason)
  }

  close(code: number, reason: string): void {
    if (!this.#isOpen) return
    this.forget()
    this.wire.close(code, reason)
    setTimeout(() => this.wire.destroy(), END_MS).unref()
  }

  /** The other end is gone, or is about to be. */
  forget(): void {
    this.#isOpen = false
    for (const subscription of [...this.subscriptions.values()]) subscription.end()
    this.subscriptions.clear()
  }
}
