import { SeatwiseError } from '@seatwise/domain'
import { createBuckets, type RateLimit, senderOf } from '../../http/index.ts'

/** People mistype, and a family shares an address. */
const OF_SENDER: RateLimit = { name: 'sender', perSecond: 0.1, burst: 10 }
/** All senders together: while one code is valid, a thousand guesses hit it with a chance of one in a billion. */
const OF_ROOM: RateLimit = { name: 'room', perSecond: 5, burst: 1_000 }
/** What each of many workers allows at least. */
const OF_SENDER_MIN = 3
const GUESSES_KEPT_MAX = 50_000

/** Limits wrong codes, by sender and room, and by room. Each server counts for itself. Rules R35 and B119. */
export interface CodeGuesses {
  /** Throws after too many wrong codes. An attempt counts as wrong until it succeeds: parallel guesses gain nothing. */
  begin(room: string, address: string): { succeeded(): void }
  readonly size: number
}

/** `workers` share a port: each counts by itself, and allows its share. */
export function createCodeGuesses(
  now: () => number,
  workers = 1,
  limits: { ofSender: RateLimit; ofRoom: RateLimit | null } = { ofSender: OF_SENDER, ofRoom: OF_ROOM },
): CodeGuesses {
  const buckets = createBuckets(now, GUESSES_KEPT_MAX, 1 / workers)
  // A visitor whose connection stays with one worker may mistype a few times, however many workers there are.
  const ofSender = { ...limits.ofSender, burst: Math.max(limits.ofSender.burst, OF_SENDER_MIN * workers) }
  const { ofRoom } = limits
  return {
    begin(room, address) {
      const sender = `${room} ${senderOf(address)}`
      const waitMs = buckets.take(sender, ofSender) || (ofRoom === null ? 0 : buckets.take(room, ofRoom))
      if (waitMs > 0) throw new SeatwiseError('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
      return {
        succeeded() {
          buckets.giveBack(sender, ofSender)
          if (ofRoom !== null) buckets.giveBack(room, ofRoom)
        },
      }
    },
    get size() {
      return buckets.size
    },
  }
}
