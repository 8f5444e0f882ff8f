import { SeatwiseError } from '@seatwise/domain'
import type { FastifyInstance } from 'fastify'
import { RecentMap } from '../../kit/index.ts'
import { senderOf } from './address.ts'

export interface RateLimit {
  /** Limits with different names are counted separately. */
  readonly name: string
  readonly perSecond: number
  /** The burst: how many may come at one instant. */
  readonly burst: number
}

/**
 * The general limit over all routes. Thousands of visitors may share an address, and one core answers tens of thousands
 * of requests a second: this only keeps one address from using up much of it.
 */
const GENERAL_LIMIT: RateLimit = { name: 'general', perSecond: 500, burst: 5_000 }
/** Creating an account takes 19 MiB for 43 ms, and stores a row for good. */
export const REGISTRATION_LIMIT: RateLimit = { name: 'registration', perSecond: 1, burst: 300 }

/** About 15 MB. When full, the least recently seen senders are evicted, which only loosens their limits. */
const SENDERS_MAX = 100_000

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's own limit, in addition to the general one. */
    rateLimit?: RateLimit
  }
}

/**
 * Refuses requests that come too fast from one address with TOO_MANY_REQUESTS, before any other work: also requests
 * with forged tokens and for addresses that do not exist. Each server counts for itself; workers that share a port get
 * their connections in turn, and allow a share each.
 *
 * The common Fastify plugin runs after authentication, waits at every request and cannot be given a clock.
 */
export function limitRates(
  app: FastifyInstance,
  now: () => number,
  { general = GENERAL_LIMIT, workers = 1 }: { general?: RateLimit; workers?: number } = {},
): Buckets {
  const buckets = createBuckets(now, SENDERS_MAX, 1 / workers)
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
  /** 0 when a token was taken, else the milliseconds until the next one is available. */
  take(sender: string, limit: RateLimit): number
  /** Returns a token that turned out not to count. */
  giveBack(sender: string, limit: RateLimit): void
  readonly size: number
}

/**
 * Token buckets, each stored as one number: the time at which it would be full again (known as GCRA). So no timer
 * refills them, and an unknown bucket is a full one. Whole microseconds, which do not drift.
 */
export function createBuckets(now: () => number, sizeMax: number, share = 1): Buckets {
  const fullAt = new RecentMap<string, number>(sizeMax)
  const costOf = (perSecond: number): number => Math.floor(1_000_000 / (perSecond * share))
  return {
    take(sender, { name, perSecond, burst }) {
      const key = `${name} ${sender}`
      const cost = costOf(perSecond)
      const at = Math.round(now() * 1_000)
      const full = Math.max(fullAt.get(key) ?? 0, at) + cost
      const wait = full - at - Math.max(1, burst * share) * cost
      if (wait > 0) return wait / 1_000
      fullAt.set(key, full)
      return 0
    },
    giveBack(sender, { name, perSecond }) {
      const key = `${name} ${sender}`
      const full = fullAt.get(key)
      if (full !== undefined) fullAt.set(key, full - costOf(perSecond))
    },
    get size() {
      return fullAt.size
    },
  }
}
