import { SeatwiseError } from '@seatwise/domain'
import type { FastifyInstance } from 'fastify'
import { RecentMap } from '../../kit/index.ts'
import { senderOf } from './address.ts'

export interface RateLimit {
  /** Counts of different names are kept apart. */
  readonly name: string
  readonly perSecond: number
  /** How many may come at one instant. */
  readonly burst: number
}

/**
 * For every route together. Thousands of visitors may share an address, and one core answers tens of thousands of
 * requests a second: this only keeps one address from taking much of it.
 */
const GENERAL_LIMIT: RateLimit = { name: 'general', perSecond: 500, burst: 5_000 }
/** An account costs 19 MiB for 43 ms, and stays. */
export const REGISTRATION_LIMIT: RateLimit = { name: 'registration', perSecond: 1, burst: 300 }

/** About 15 MB. When full, the senders that were quiet longest are forgotten, which only helps them. */
const SENDERS_MAX = 100_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A limit of its own, beside the general one. */
    rateLimit?: RateLimit
  }
}

/**
 * Refuses with TOO_MANY_REQUESTS what comes too fast from one address, before anything else is done for it: also
 * requests with forged tokens and for addresses that do not exist. Each server counts for itself.
 *
 * The common plugin for it runs after authentication, waits at every request and cannot be given a clock.
 */
export function limitRates(app: FastifyInstance, now: () => number, general = GENERAL_LIMIT): Buckets {
  const buckets = createBuckets(now, SENDERS_MAX)
  app.addHook('onRequest', (request, _reply, done) => {
    const { essential, rateLimit } = request.routeOptions.config
    if (essential === true) return done()
    const sender = senderOf(request.ip)
    const waitMs = buckets.take(sender, general) || (rateLimit === undefined ? 0 : buckets.take(sender, rateLimit))
    done(waitMs === 0 ? undefined : new SeatwiseError('TOO_MANY_REQUESTS', { retryAfterSeconds: waitMs / 1_000 }))
  })
  return buckets
}

export interface Buckets {
  /** 0 when there was something to take, else the milliseconds until there is. */
  take(sender: string, limit: RateLimit): number
  /** Puts back what was taken and turned out not to count. */
  giveBack(sender: string, limit: RateLimit): void
  readonly size: number
}

/**
 * Token buckets, each kept as one number: the time at which it would be full again (known as GCRA). So nothing has to
 * be refilled, and a bucket that is not known is a full one. In whole microseconds, which do not drift.
 */
export function createBuckets(now: () => number, sizeMax: number): Buckets {
  const fullAt = new RecentMap<string, number>(sizeMax)
  return {
    take(sender, { name, perSecond, burst }) {
      const key = `${name} ${sender}`
      const cost = Math.floor(1_000_000 / perSecond)
      const at = Math.round(now() * 1_000)
      const full = Math.max(fullAt.get(key) ?? 0, at) + cost
      const wait = full - at - burst * cost
      if (wait > 0) return wait / 1_000
      fullAt.set(key, full)
      return 0
    },
    giveBack(sender, { name, perSecond }) {
      const key = `${name} ${sender}`
      const full = fullAt.get(key)
      if (full !== undefined) fullAt.set(key, full - Math.floor(1_000_000 / perSecond))
    },
    get size() {
      return fullAt.size
    },
  }
}
