import type { PushPosition } from '@seatwise/domain'
import type { Outgoing } from '../transport/outgoing.ts'

/** About a minute of a room in which something moves all the time. */
const MESSAGES_MAX = 256

/** Recent broadcasts, for clients that lost their connection for a moment. */
export class RecentMessages {
  #messages: Outgoing[] = []
  /** Every message after this position is here. */
  #since: PushPosition

  constructor(since: PushPosition) {
    this.#since = since
  }

  get size(): number {
    return this.#messages.length
  }

  add(outgoing: Outgoing): void {
    this.#messages.push(outgoing)
    if (this.#messages.length <= MESSAGES_MAX) return
    // A quarter at once, because moving the rest costs as much as moving all of it.
    const forgotten = this.#messages.splice(0, MESSAGES_MAX / 4).at(-1)?.position
    if (forgotten !== undefined && forgotten !== null) this.#since = forgotten
  }

  /** Messages after a position; null when some of them were dropped. */
  after({ epoch, seq }: PushPosition): readonly Outgoing[] | null {
    if (epoch !== this.#since.epoch || seq < this.#since.seq) return null
    return this.#messages.filter(({ position }) => position !== null && position.seq > seq)
  }
}
