import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrivate, senderOf } from '../../../src/http/access/address.ts'
import { createBuckets } from '../../../src/http/access/limit-rates.ts'
import {
  createSignInThrottle,
  FORGET_MS,
  FREE_FAILURES_PER_ACCOUNT,
  FREE_FAILURES_PER_SENDER,
  type SignInThrottle,
  WAIT_MS_MAX,
} from '../../../src/identity/accounts/sign-in-throttle.ts'
import { RecentMap } from '../../../src/kit/recent-map.ts'

const ADDRESS = '198.51.100.7'

function open(): { throttle: SignInThrottle; clock: { nowMs: number } } {
  const clock = { nowMs: 1_000_000 }
  return { throttle: createSignInThrottle(() => clock.nowMs), clock }
}

/** Fails as often as the throttle allows, without waiting; returns how often. */
function failWhileAllowed(throttle: SignInThrottle, sender: string, emailOf: (index: number) => string): number {
  for (let index = 0; index < 1_000; index += 1) {
    if (throttle.attempt(sender, emailOf(index)).status === 'wait') return index
  }
  return expect.unreachable('never asked to wait')
}

describe('throttled sign-in', () => {
  it('[A8] some failures for one account are free, then the waits double up to a minute', () => {
    const { throttle, clock } = open()
    expect(failWhileAllowed(throttle, ADDRESS, () => 'ada')).toBe(FREE_FAILURES_PER_ACCOUNT)
    const waits: number[] = []
    for (let round = 0; round < 9; round += 1) {
      const refused = throttle.attempt(ADDRESS, 'ada')
      if (refused.status !== 'wait') return expect.unreachable('allowed too early')
      waits.push(refused.retryAfterSeconds)
      clock.nowMs += refused.retryAfterSeconds * 1_000 - 1
      expect(throttle.attempt(ADDRESS, 'ada').status).toBe('wait')
      clock.nowMs += 1
      expect(throttle.attempt(ADDRESS, 'ada').status).toBe('allowed')
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
  })

  it('[A8] one sender who tries many accounts is slowed down too', () => {
    const { throttle } = open()
    expect(failWhileAllowed(throttle, ADDRESS, (index) => `account-${index}`)).toBe(FREE_FAILURES_PER_SENDER)
  })

  it('[A8] failures are forgotten after a quiet time', () => {
    const { throttle, clock } = open()
    failWhileAllowed(throttle, ADDRESS, () => 'ada')
    clock.nowMs += FORGET_MS
    expect(failWhileAllowed(throttle, ADDRESS, () => 'ada')).toBe(FREE_FAILURES_PER_ACCOUNT)
  })

  it('[A9] another sender is never kept from the same account', () => {
    const { throttle, clock } = open()
    for (let round = 0; round < 100; round += 1) {
      throttle.attempt(ADDRESS, 'ada')
      clock.nowMs += WAIT_MS_MAX
    }
    for (let sender = 0; sender < 100; sender += 1) failWhileAllowed(throttle, `192.0.2.${sender}`, () => 'ada')
    expect(throttle.attempt('203.0.113.1', 'ada').status).toBe('allowed')
  })

  it('[A9] signing in clears the sender’s failures for that account', () => {
    const { throttle } = open()
    for (let round = 0; round < 20; round += 1) {
      for (let failure = 1; failure < FREE_FAILURES_PER_ACCOUNT; failure += 1)
        throttle.attempt(ADDRESS, `ada-${round % 2}`)
      const attempt = throttle.attempt(ADDRESS, `ada-${round % 2}`)
      if (attempt.status !== 'allowed') {
        // Four failures a round: the sender's own limit comes in the end.
        return expect(round * (FREE_FAILURES_PER_ACCOUNT - 1)).toBeGreaterThanOrEqual(FREE_FAILURES_PER_SENDER - 4)
      }
      attempt.succeeded()
    }
    return expect.unreachable('failures for other accounts were forgiven')
  })

  it('[A9] a sender with the right password never waits', () => {
    const { throttle } = open()
    for (let round = 0; round < 500; round += 1) {
      const attempt = throttle.attempt(ADDRESS, `account-${round % 3}`)
      if (attempt.status !== 'allowed') return expect.unreachable('had to wait')
      attempt.succeeded()
    }
    return undefined
  })

  it('[A10] a thousand attempts at once are a thousand failures', () => {
    const { throttle } = open()
    const attempts = Array.from({ length: 1_000 }, () => throttle.attempt(ADDRESS, 'ada'))
    expect(attempts.filter(({ status }) => status === 'allowed')).toHaveLength(FREE_FAILURES_PER_ACCOUNT)
  })

  it('[A10 control] if failures were counted only when they are known, all thousand would get through', () => {
    const failures = new Map<string, number>()
    const allowed = Array.from({ length: 1_000 }, () => (failures.get('ada') ?? 0) < FREE_FAILURES_PER_ACCOUNT)
    for (const isAllowed of allowed) if (isAllowed) failures.set('ada', (failures.get('ada') ?? 0) + 1)
    expect(allowed.every((isAllowed) => isAllowed)).toBe(true)
  })
})

describe('senders', () => {
  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('[A11] %s counts as %s', (address, sender) => {
    expect(senderOf(address)).toBe(sender)
  })

  it.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['10.1.2.3', true],
    ['172.31.255.255', true],
    ['172.32.0.1', false],
    ['192.168.1.1', true],
    ['fd00::1', true],
    ['198.51.100.7', false],
    ['2001:db8::1', false],
    ['::ffff:198.51.100.7', false],
    [undefined, false],
  ])('[A24] %s is near: %s', (address, isNear) => {
    expect(isPrivate(address)).toBe(isNear)
  })
})

describe('bounded memory', () => {
  it('[A12] a map of recent entries is never over its bound and never loses the newest half', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 20 }),
        fc.array(fc.nat({ max: 40 }), { maxLength: 200 }),
        (sizeMax, keys) => {
          const map = new RecentMap<number, number>(sizeMax)
          const order: number[] = []
          for (const [index, key] of keys.entries()) {
            map.set(key, index)
            order.splice(0, order.length, ...order.filter((known) => known !== key), key)
            expect(map.size).toBeLessThanOrEqual(sizeMax)
            for (const recent of order.slice(-Math.floor(sizeMax / 2))) {
              expect(new RecentProbe(map).has(recent)).toBe(true)
            }
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  it('[A25] a bucket gives its burst at once and then exactly its rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 300 }), (perSecond, burst) => {
        const clock = { nowMs: 1_794_736_800_000 }
        const buckets = createBuckets(() => clock.nowMs, 100)
        const take = () => buckets.take('sender', { name: 'test', perSecond, burst })
        const takeAll = () => {
          let taken = 0
          while (take() === 0) taken += 1
          return taken
        }
        expect(takeAll()).toBe(burst)
        clock.nowMs += 1_000
        expect(takeAll()).toBe(Math.min(perSecond, burst))
        const waitMs = take()
        clock.nowMs += waitMs
        expect(take()).toBe(0)
        expect(buckets.take('another', { name: 'test', perSecond, burst })).toBe(0)
      }),
      { numRuns: 200 },
    )
  })
})

/** Looks without counting as use. */
class RecentProbe<Key, Value> {
  readonly #map: RecentMap<Key, Value>

  constructor(map: RecentMap<Key, Value>) {
    this.#map = map
  }

  has(key: Key): boolean {
    return this.#map.get(key) !== undefined
  }
}

it('[O64] each of several workers gives its share of free attempts, and two at least', () => {
  const freeOf = (workers: number): number => {
    const throttle = createSignInThrottle(() => 0, workers)
    let free = 0
    while (throttle.attempt('198.51.100.7', 'ada').status === 'allowed') free += 1
    return free
  }
  expect([1, 2, 4, 16].map(freeOf)).toEqual([5, 3, 2, 2])
})
