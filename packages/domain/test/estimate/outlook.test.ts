import { equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { type FloorNow, lookAhead } from '../../src/index.ts'
import { always, evenly, HABITS, ROOM } from './room.ts'

const FLOOR: FloorNow = ROOM
const isNear = (value: number, expected: number, off: number): void =>
  ok(Math.abs(value - expected) <= off, `${value}, not ${expected}`)

describe('the outlook of a floor', () => {
  it('[R10] a floor full of visitors who have just come admits no ticket for a while', () => {
    const { waitFor } = lookAhead(FLOOR, { ...HABITS, stays: always(10, { 0: 100 }) })
    isNear(waitFor(1), 9, 1)
    isNear(waitFor(50), 9.5, 1)
    // The hundred after them have to wait for these to leave.
    isNear(waitFor(150), 19.5, 1.5)
  })

  it('[R10] a floor of visitors about to leave admits many tickets, and then none', () => {
    const { waitFor } = lookAhead(FLOOR, { ...HABITS, stays: always(10, { 9: 100 }) })
    isNear(waitFor(50), 0.5, 0.6)
    isNear(waitFor(150), 10.5, 1.5)
  })

  it('[R10] an empty floor fills as fast as the rate allows', () => {
    const { waitFor } = lookAhead({ ...FLOOR, floor: 0, ratePerSecond: 20 }, { ...HABITS, stays: always(1_000) })
    isNear(waitFor(40), 2, 0.1)
    isNear(waitFor(95), 4.75, 0.1)
    // Tickets after the hundredth wait for the first visitor to leave.
    ok(waitFor(101) > 900)
  })

  it('[R10] in the long run it is capacity ÷ stay or the rate, whichever is less', () => {
    const habits = { ...HABITS, stays: evenly(10, 100) }
    isNear(lookAhead(FLOOR, habits).waitFor(10_000), 1_000, 15)
    isNear(lookAhead({ ...FLOOR, ratePerSecond: 4 }, habits).waitFor(10_000), 2_500, 15)
  })

  it('[R10] of visitors with an unknown time on the floor, some leave in every second', () => {
    isNear(lookAhead(FLOOR, HABITS).waitFor(10), 1, 0.3)
  })

  it('[R10] those who leave the line make it shorter, near and far, and fewer leave the longer they have waited', () => {
    const leaving = { hazard: 0.001, seconds: 900 }
    for (const ahead of [100, 10_000]) {
      const patient = lookAhead(FLOOR, HABITS).waitFor(ahead)
      const impatient = lookAhead(FLOOR, { ...HABITS, leaving }).waitFor(ahead)
      const young = lookAhead(FLOOR, { ...HABITS, leaving: { ...leaving, seconds: 30 } }).waitFor(ahead)
      ok(impatient < young && young < patient, `${impatient} < ${young} < ${patient}`)
    }
  })

  it('[R10] after capacity was lowered, no ticket is admitted before the floor is below it', () => {
    const { waitFor } = lookAhead({ ...FLOOR, capacity: 20 }, { ...HABITS, stays: always(10, { 5: 90, 1: 10 }) })
    isNear(waitFor(5), 5, 1.5)
    isNear(waitFor(15), 9, 1.5)
  })

  it('[R10] seats run out after as many tickets as visitors leave seats for', () => {
    const stays = { ...evenly(10, 100), keptAfter: () => 0.8 }
    const demand = { claimed: 1, kept: 0.8, variance: 0.2, leavers: 1_000 }
    const scarce = lookAhead({ ...FLOOR, seats: { free: 60, claimed: 100 } }, { ...HABITS, stays, demand })
    // 160 seats: the floor keeps 80, and a hundred tickets 80.
    isNear(scarce.admittedMax, 100, 1)
    // The first sixty wait for slots only, the others for seats that come back.
    isNear(scarce.waitFor(55), lookAhead(FLOOR, { ...HABITS, stays }).waitFor(55), 1)
    ok(scarce.waitFor(90) > lookAhead(FLOOR, { ...HABITS, stays }).waitFor(90) + 5)
    // Nothing is promised beyond the last seat, and the time is not endless.
    isNear(scarce.admittedOf(100), 100, 1)
    ok(scarce.waitFor(5_000) < 120, `${scarce.waitFor(5_000)}`)
    const far = lookAhead({ ...FLOOR, seats: { free: 8_000, claimed: 100 } }, { ...HABITS, stays, demand })
    isNear(far.admittedMax, 8_020 / 0.8, 60)
  })

  it('[R10] a ticket further back waits no shorter, and none less than the rate allows', () => {
    const anyFloor = fc.record({
      capacity: fc.integer({ min: 1, max: 5_000 }),
      floor: fc.integer({ min: 0, max: 5_000 }),
      ratePerSecond: fc.double({ min: 0.1, max: 1_000, noNaN: true }),
      seats: fc.option(fc.record({ free: fc.integer({ min: -10, max: 9_000 }), claimed: fc.nat(9_000) }), {
        nil: null,
      }),
    })
    const anyStay = fc.integer({ min: 1, max: 800 })
    fc.assert(
      fc.property(anyFloor, anyStay, fc.integer({ min: 0, max: 800 }), (now, stay, age) => {
        const { waitFor, admittedOf, admittedMax } = lookAhead(now, {
          ...HABITS,
          stays: always(stay, { [age]: now.floor }),
        })
        let before = 0
        for (const ahead of [0, 0.5, 1, 10, 100, 1_000, 10_000, 1_000_000]) {
          const wait = waitFor(ahead)
          ok(wait >= before - 1e-9 && Number.isFinite(wait), `${wait} after ${before}`)
          if (now.seats === null) ok(wait >= ahead / now.ratePerSecond - 1e-6, `${wait} for ${ahead}`)
          ok(admittedOf(ahead) <= ahead + 1e-6 && admittedMax >= 0)
          before = wait
        }
      }),
      { numRuns: 60 },
    )
  })

  it('[R10] no ticket is before the first', () => {
    equal(lookAhead(FLOOR, HABITS).waitFor(0), 0)
  })
})
