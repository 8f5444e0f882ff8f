import { SeatwiseError } from '@seatwise/domain'
import { createBuckets, type RateLimit, senderOf } from '../../http/index.ts'

/** People at a door mistype; at this pace a code of one of 50,000 e-tickets is hit about once in three years. */
const OF_STAFF: RateLimit = { name: 'staff', perSecond: 0.2, burst: 20 }
/** A house has several doors behind one address. */
const OF_SENDER: RateLimit = { name: 'sender', perSecond: 1, burst: 100 }
/** What each of many workers allows at least. */
const BURST_MIN = 5
const GUESSES_KEPT_MAX = 20_000

/** Limits wrong short codes, by member of staff and by address. Each server counts for itself. Rule B175. */
export interface ShortCodeGuesses {
  /** Throws after too many wrong codes. An attempt counts as wrong until it succeeds: parallel guesses gain nothing. */
  begin(actorId: string, address: string): { succeeded(): void }
  readonly size: number
}

/** `workers` share a port: each counts by itself, and allows its share. */
export function createShortCodeGuesses(now: () => number, workers = 1): ShortCodeGuesses {
  const buckets = createBuckets(now, GUESSES_KEPT_MAX, 1 / workers)
  const atLeast = (limit: RateLimit): RateLimit => ({ ...limit, burst: Math.max(limit.burst, BURST_MIN * workers) })
  const [ofStaff, ofSender] = [atLeast(OF_STAFF), atLeast(OF_SENDER)]
  return {
    begin(actorId, address) {
      const sender = senderOf(address)
      const waitMs = buckets.take(actorId, ofStaff) || buckets.take(sender, ofSender)
      if (waitMs > 0) throw new SeatwiseError('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
      return {
        succeeded() {
          buckets.giveBack(actorId, ofStaff)
          buckets.giveBack(sender, ofSender)
        },
      }
    },
    get size() {
      return buckets.size
    },
  }
}
