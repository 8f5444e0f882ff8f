import { PUSH_CLOSE, type PushMessage } from '@seatwise/domain'
import { Outgoing } from './outgoing.ts'
import type { Wire } from './wire.ts'

/** A client with this much unread reads too slowly. More than the longest message and everything after a reconnect. */
const BUFFERED_BYTES_MAX = 256 * 1024
/** How long a connection may take to close. */
const END_MS = 2_000

/** One channel that a connection listens to. */
export interface Subscription {
  readonly channel: string
  /** How often the client must be pinged, in milliseconds. */
  readonly pingMs: number
  /** The client has answered. */
  alive(): void
  end(): void
}

/** One client, over any transport. */
export class Connection {
  readonly wire: Wire
  readonly subscriptions = new Map<string, Subscription>()
  /** When to ping next, and since when an answer is due. */
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
      // A stalled client would not read a close message either; the code is for clients that are only slow.
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

  /** Closes the connection, and says why. */
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

  /** The client is gone, or is about to be. */
  forget(): void {
    this.#isOpen = false
    for (const subscription of [...this.subscriptions.values()]) subscription.end()
    this.subscriptions.clear()
  }
}
