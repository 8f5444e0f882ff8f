import { SeatwiseError } from '@seatwise/domain'
import { createBuckets, type RateLimit, senderOf } from '../../http/index.ts'

/** People mistype, and a family shares an address. */
const OF_SENDER: RateLimit = { name: 'sender', perSecond: 0.1, burst: 10 }
/** All senders together: while one code is valid, a thousand guesses hit it with a chance of one in a billion. */
const OF_ROOM: RateLimit = { name: 'room', perSecond: 5, burst: 1_000 }
const GUESSES_KEPT_MAX = 50_000

/** Limits wrong hand-over codes, by sender and room, and by room. Each server counts for itself. Rule R35. */
export interface CodeGuesses {
  /** Throws after too many wrong codes. An attempt counts as wrong until it succeeds: parallel guesses gain nothing. */
  begin(room: string, address: string): { succeeded(): void }
  readonly size: number
}

export function createCodeGuesses(now: () => number): CodeGuesses {
  const buckets = createBuckets(now, GUESSES_KEPT_MAX)
  return {
    begin(room, address) {
      const sender = `${room} ${senderOf(address)}`
      const waitMs = buckets.take(sender, OF_SENDER) || buckets.take(room, OF_ROOM)
      if (waitMs > 0) throw new SeatwiseError('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
      return {
        succeeded() {
          buckets.giveBack(sender, OF_SENDER)
          buckets.giveBack(room, OF_ROOM)
        },
      }
    },
    get size() {
      return buckets.size
    },
  }
}
