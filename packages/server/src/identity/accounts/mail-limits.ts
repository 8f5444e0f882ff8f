import { SeatwiseError } from '@seatwise/domain'
import { createBuckets, type RateLimit } from '../../http/index.ts'

/** For one sender, on each route that sends mail to a typed address. A family, or an office, shares an address. */
export const MAIL_LIMIT: RateLimit = { name: 'mail', perSecond: 0.05, burst: 30 }
/** For one recipient: strangers cannot fill a mailbox, and a mail that went astray can be asked for again. */
const OF_RECIPIENT: RateLimit = { name: 'recipient', perSecond: 1 / 300, burst: 5 }
const RECIPIENTS_MAX = 50_000

/** Limits how often strangers can make us write to one address. Each server counts for itself. Rule B191. */
export interface MailLimits {
  /** Throws after too many mails to this address. */
  require(emailKey: string): void
  readonly size: number
}

/** `workers` share a port: each counts by itself, and allows its share. */
export function createMailLimits(now: () => number, workers = 1): MailLimits {
  const buckets = createBuckets(now, RECIPIENTS_MAX, 1 / workers)
  return {
    require(emailKey) {
      const waitMs = buckets.take(emailKey, OF_RECIPIENT)
      if (waitMs > 0) throw new SeatwiseError('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
    },
    get size() {
      return buckets.size
    },
  }
}
