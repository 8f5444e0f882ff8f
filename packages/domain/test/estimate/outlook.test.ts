import { equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { type FloorNow, lookAhead, type Stays } from '../../src/index.ts'

/** Every visitor stays exactly this long. */
function always(seconds: number, there: Readonly<Record<number, number>> = {}): Stays {
  const thereByAge = Float64Array.from({ length: 900 }, (_, age) => there[age] ?? 0)
  return { mean: seconds, thereByAge, shareAfter: (after) => (after < seconds ? 1 : 0) }
}

const FLOOR: FloorNow = { capacity: 100, floor: 100, ratePerSecond: 1_000, leaveHazard: 0 }
const isNear = (value: number, expected: number, off: number): void =>
  ok(Math.abs(value - expected) <= off, `${value}, not ${expected}`)

describe('the outlook of a floor', () => {
  it('[R10] a floor full of visitors who have just come admits no ticket for a while', () => {
    const { waitFor } = lookAhead(FLOOR, always(10, { 0: 100 }))
    isNear(waitFor(1), 9, 1)
    isNear(waitFor(50), 9.5, 1)
    // The hundred after them have to wait for these to leave.
    isNear(waitFor(150), 19.5, 1.5)
  })

  it('[R10] a floor of visitors about to leave admits many tickets, and then none', () => {
    const { waitFor } = lookAhead(FLOOR, always(10, { 9: 100 }))
    isNear(waitFor(50), 0.5, 0.6)
    isNear(waitFor(150), 10.5, 1.5)
  })

  it('[R10] an empty floor fills as fast as the rate allows', () => {
    const { waitFor } = lookAhead({ ...FLOOR, floor: 0, ratePerSecond: 20 }, always(1_000))
    isNear(waitFor(40), 2, 0.1)
    isNear(waitFor(95), 4.75, 0.1)
    // Tickets after the hundredth wait for the first visitor to leave.
    ok(waitFor(101) > 900)
  })

  it('[R10] in the long run it is capacity ÷ stay or the rate, whichever is less', () => {
    const evenly = always(10, Object.fromEntries(Array.from({ length: 10 }, (_, age) => [age, 10])))
    isNear(lookAhead(FLOOR, evenly).waitFor(10_000), 1_000, 15)
    isNear(lookAhead({ ...FLOOR, ratePerSecond: 4 }, evenly).waitFor(10_000), 2_500, 15)
  })

  it('[R10] of visitors with an unknown time on the floor, some leave in every second', () => {
    const { waitFor } = lookAhead(FLOOR, always(10))
    isNear(waitFor(10), 1, 0.3)
  })

  it('[R10] those who leave the line make it shorter, near and far', () => {
    const stays = always(10)
    for (const ahead of [100, 10_000]) {
      const patient = lookAhead(FLOOR, stays).waitFor(ahead)
      const impatient = lookAhead({ ...FLOOR, leaveHazard: 0.001 }, stays).waitFor(ahead)
      ok(impatient < patient, `${impatient} < ${patient}`)
    }
    // ln(1 + 0.001 × 10,000 ÷ 10) ÷ 0.001
    isNear(lookAhead({ ...FLOOR, leaveHazard: 0.001 }, stays).waitFor(10_000), 693, 25)
  })

  it('[R10] after capacity was lowered, no ticket is admitted before the floor is below it', () => {
    const { waitFor } = lookAhead({ ...FLOOR, capacity: 20 }, always(10, { 5: 90, 1: 10 }))
    isNear(waitFor(5), 5, 1.5)
    isNear(waitFor(15), 9, 1.5)
  })

  it('[R10] a ticket further back waits no shorter, and none less than the rate allows', () => {
    const anyFloor = fc.record({
      capacity: fc.integer({ min: 1, max: 5_000 }),
      floor: fc.integer({ min: 0, max: 5_000 }),
      ratePerSecond: fc.double({ min: 0.1, max: 1_000, noNaN: true }),
      leaveHazard: fc.constant(0),
    })
    const anyStay = fc.integer({ min: 1, max: 800 })
    fc.assert(
      fc.property(anyFloor, anyStay, fc.integer({ min: 0, max: 800 }), (now, stay, age) => {
        const { waitFor } = lookAhead(now, always(stay, { [age]: now.floor }))
        let before = 0
        for (const ahead of [0, 0.5, 1, 10, 100, 1_000, 10_000, 1_000_000]) {
          const wait = waitFor(ahead)
          ok(wait >= before && Number.isFinite(wait), `${wait} after ${before}`)
          ok(wait >= ahead / now.ratePerSecond - 1e-6, `${wait} for ${ahead} at ${now.ratePerSecond} a second`)
          before = wait
        }
      }),
      { numRuns: 60 },
    )
  })

  it('[R10] no ticket is before the first', () => {
    equal(lookAhead(FLOOR, always(10)).waitFor(0), 0)
  })
})
