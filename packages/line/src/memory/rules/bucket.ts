/**
 * The token bucket of a room, in integers so that no fraction is lost: a token is 60,000 units, and each millisecond
 * adds `ratePerMinute` units. Rule M2.
 */
export interface Bucket {
  readonly level: number
  readonly refilledAt: number
}

const UNITS_PER_TOKEN = 60_000

export interface Pace {
  ratePerMinute: number
  burst: number
}

export function refill(bucket: Bucket, now: number, { ratePerMinute, burst }: Pace): Bucket {
  const level = Math.min(burst * UNITS_PER_TOKEN, bucket.level + (now - bucket.refilledAt) * ratePerMinute)
  return { level, refilledAt: now }
}

/** A change of pace: refills at the old rate first, then keeps at most the new burst. Rule M17. */
export function changePace(bucket: Bucket, now: number, from: Pace, to: Pace): Bucket {
  const refilled = refill(bucket, now, from)
  return { level: Math.min(refilled.level, to.burst * UNITS_PER_TOKEN), refilledAt: now }
}

export function tokensIn(bucket: Bucket): number {
  return Math.floor(bucket.level / UNITS_PER_TOKEN)
}

export function takeToken(bucket: Bucket): Bucket {
  return { level: bucket.level - UNITS_PER_TOKEN, refilledAt: bucket.refilledAt }
}

/** The first millisecond at which a whole token is there. */
export function nextTokenAt(bucket: Bucket, { ratePerMinute }: Pace): number {
  return bucket.refilledAt + Math.ceil(Math.max(0, UNITS_PER_TOKEN - bucket.level) / ratePerMinute)
}
