import { RecentMap } from '../../kit/index.ts'

/** Wrong passwords without a penalty, for one account from one sender. People mistype. */
export const FREE_FAILURES_PER_ACCOUNT = 5
/** The same for all accounts together from one sender, which may be a whole office. */
export const FREE_FAILURES_PER_SENDER = 50
/** After the free attempts each failure doubles the wait, from one second up to this. */
export const WAIT_MS_MAX = 60_000
/** A sender that failed and then stayed quiet this long starts afresh. */
export const FORGET_MS = 15 * 60_000
/** About 10 MB each. When full, the least recently seen are evicted: see rule A12. */
const ENTRIES_MAX = 50_000
/** The free failures that each of many workers on one port gives at least. People mistype. */
const FREE_MIN = 2

interface Failures {
  count: number
  lastAtMs: number
  waitUntilMs: number
}

export type Attempt =
  | { readonly status: 'allowed'; readonly succeeded: () => void }
  | { readonly status: 'wait'; readonly retryAfterSeconds: number }

export interface SignInThrottle {
  /**
   * Counts as a failure until `succeeded` is called, so that a thousand concurrent attempts are a thousand failures.
   */
  attempt(sender: string, emailKey: string): Attempt
  /** The number of stored failure counters. */
  readonly size: number
}

/**
 * Slows down guessing without locking an account: one sender's failures never stop another sender from signing in to
 * the same account. Unknown accounts are counted like existing ones.
 */
export function createSignInThrottle(now: () => number, workers = 1): SignInThrottle {
  // Workers on one port count by themselves, so each gives its share of the free attempts.
  const freePerAccount = Math.max(FREE_MIN, Math.ceil(FREE_FAILURES_PER_ACCOUNT / workers))
  const freePerSender = Math.max(FREE_MIN, Math.ceil(FREE_FAILURES_PER_SENDER / workers))
  const perAccount = new RecentMap<string, Failures>(ENTRIES_MAX)
  const perSender = new RecentMap<string, Failures>(ENTRIES_MAX)

  return {
    attempt(sender, emailKey) {
      const nowMs = now()
      const account = `${sender} ${emailKey}`
      const ofAccount = current(perAccount, account, nowMs)
      const ofSender = current(perSender, sender, nowMs)
      const waitMs = Math.max(ofAccount.waitUntilMs, ofSender.waitUntilMs) - nowMs
      if (waitMs > 0) return { status: 'wait', retryAfterSeconds: Math.ceil(waitMs / 1_000) }
      const senderWaitedUntilMs = ofSender.waitUntilMs
      countFailure(ofAccount, freePerAccount, nowMs)
      countFailure(ofSender, freePerSender, nowMs)
      return {
        status: 'allowed',
        succeeded() {
          perAccount.delete(account)
          // Only this attempt is taken back: signing in to an own account must not buy more guesses at other accounts.
          ofSender.count -= 1
          ofSender.waitUntilMs = senderWaitedUntilMs
        },
      }
    },
    get size() {
      return perAccount.size + perSender.size
    },
  }
}

/** The failures so far, in a mutable object: changing it changes the entry in the map. */
function current(map: RecentMap<string, Failures>, key: string, nowMs: number): Failures {
  const known = map.get(key)
  if (known !== undefined && nowMs - known.lastAtMs < FORGET_MS) return known
  const fresh = { count: 0, lastAtMs: nowMs, waitUntilMs: 0 }
  map.set(key, fresh)
  return fresh
}

function countFailure(failures: Failures, free: number, nowMs: number): void {
  failures.count += 1
  failures.lastAtMs = nowMs
  const beyond = failures.count - free
  if (beyond >= 0) failures.waitUntilMs = nowMs + Math.min(WAIT_MS_MAX, 1_000 * 2 ** Math.min(beyond, 16))
}
