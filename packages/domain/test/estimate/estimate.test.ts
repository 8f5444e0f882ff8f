import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import {
  type Estimate,
  estimateWait,
  pollAfterMs,
  pollPolicy,
  type Shown,
  showEstimate,
  ThroughputMeter,
} from '../../src/index.ts'
import { evenly, paceOf } from './room.ts'

const known = (p50: number, p90 = p50 * 1.5): Estimate => ({ p50, p90, basis: 'measured', reason: null })

describe('estimates', () => {
  it('[R10] the slower of rate and floor decides', () => {
    const isNear = (estimate: Estimate, seconds: number): void =>
      ok(Math.abs((estimate.p50 ?? Number.NaN) - seconds) < seconds / 10, `${estimate.p50}, not ${seconds}`)
    isNear(estimateWait(100, paceOf({ capacity: 2_000, floor: 0, ratePerSecond: 10 })), 10)
    isNear(estimateWait(100, paceOf({ ratePerSecond: 1_000 }, { stays: evenly(20, 100) })), 20)
  })

  it('[R10] counts only those who are there, and those who will leave', () => {
    const all = estimateWait(1_000, paceOf()).p50 ?? 0
    const absent = estimateWait(1_000, paceOf({}, { absentShare: 0.5 })).p50 ?? 0
    ok(Math.abs(absent / all - 0.5) < 0.05, `${absent} of ${all}`)
    const leaving = estimateWait(1_000, paceOf({}, { leaving: { hazard: 0.01, seconds: 600 } })).p50 ?? 0
    ok(leaving < all * 0.8, `${leaving} of ${all}`)
  })

  it('[R51] is null only for a reason: paused, not open, or seats that may run out', () => {
    for (const closed of ['paused', 'not_open'] as const) {
      deepEqual(estimateWait(5, paceOf({ closed })), { p50: null, p90: null, basis: 'measured', reason: closed })
    }
    const seats = { free: 200, claimed: 100 }
    equal(estimateWait(20, paceOf({ seats })).reason, null)
    const doubtful = estimateWait(200, paceOf({ seats }))
    ok(doubtful.p50 !== null)
    equal(doubtful.reason, 'seats_may_run_out')
    deepEqual(estimateWait(5_000, paceOf({ seats })), {
      ...{ p50: null, p90: null, basis: 'measured', reason: 'seats_may_run_out' },
    })
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(100), fc.nat(20), (rank, floor, served) => {
        const { p50, p90, reason } = estimateWait(rank, paceOf({ floor }, { served, observedSeconds: 0 }))
        ok(p50 !== null && p90 !== null && p90 >= p50 && Number.isFinite(p90) && reason === null)
      }),
    )
  })

  it('[R51] is configured until enough visitors have left, and measured from then on', () => {
    const basisOf = (served: number, capacity = 100) => estimateWait(9, paceOf({ capacity }, { served })).basis
    deepEqual([basisOf(0), basisOf(4), basisOf(5), basisOf(1, 1)], ['configured', 'configured', 'measured', 'measured'])
  })

  it('[R10] doubts itself while few have left, or while slow visitors may not have been seen', () => {
    const range = (served: number, observedSeconds: number): number => {
      const { p50, p90 } = estimateWait(500, paceOf({}, { served, observedSeconds }))
      return (p90 ?? 0) / (p50 ?? 1)
    }
    ok(range(5, 600) > range(500, 600))
    ok(range(500, 5) > range(500, 600))
    ok(range(0, 0) < 2.4)
  })

  it('[R11] a shown estimate never grows without a reason', () => {
    const step = fc.record({
      elapsed: fc.integer({ min: 0, max: 30_000 }),
      p50: fc.double({ min: 0, max: 9_000, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 40 }), (steps) => {
        let now = 0
        let before: Shown | null = null
        let lastDue = Number.POSITIVE_INFINITY
        let lastP50 = Number.POSITIVE_INFINITY
        for (const { elapsed, p50 } of steps) {
          now += elapsed
          const { view, shown } = showEstimate(known(p50), now, before, 'slower')
          const due = now + (view.p50 ?? 0) * 1000
          // A countdown that reached zero stays there. Whole seconds are shown, so the due time is told to a second.
          if (view.reason === null) {
            ok((view.p50 ?? 0) <= lastP50, `${view.p50} s after ${lastP50} s`)
            ok(due < Math.max(lastDue, now) + 1_000, `${due} after ${lastDue}`)
          }
          lastDue = due
          lastP50 = view.p50 ?? 0
          before = shown
        }
      }),
    )
  })

  it('[R11] small changes are ignored in both directions, so that noise does not make it too early', () => {
    const { shown } = showEstimate(known(100), 0, null, 'slower')
    for (const p50 of [96, 104]) equal(showEstimate(known(p50), 0, shown, 'slower').view.p50, 100)
    equal(showEstimate(known(94), 0, shown, 'slower').view.p50, 94)
  })

  it('[R11] says the reason when it does', () => {
    const { shown } = showEstimate(known(60), 0, null, 'slower')
    const { view } = showEstimate(known(120, 150), 1_000, shown, 'rate_lowered')
    deepEqual(view, { p50: 120, p90: 150, basis: 'measured', reason: 'rate_lowered' })
  })

  it('[R51] tells that seats may run out with every answer, unless another reason explains a rise', () => {
    const scarce = (p50: number): Estimate => ({ p50, p90: p50, basis: 'measured', reason: 'seats_may_run_out' })
    const { view, shown } = showEstimate(scarce(60), 0, null, 'slower')
    equal(view.reason, 'seats_may_run_out')
    equal(showEstimate(scarce(60), 0, shown, 'slower').view.reason, 'seats_may_run_out')
    equal(showEstimate(scarce(90), 0, shown, 'slower').view.reason, 'slower')
    const gone: Estimate = { p50: null, p90: null, basis: 'measured', reason: 'seats_may_run_out' }
    deepEqual(showEstimate(gone, 0, shown, 'slower'), { view: gone, shown })
  })
})

describe('throughput', () => {
  it('[R10] weighs the last seconds most, and forgets what was before a change of pace', () => {
    const meter = new ThroughputMeter(0)
    for (let second = 0; second < 60; second++) meter.admitted(second * 1000, 10)
    equal(Math.round(meter.read(60_000).admissionsPerSecond ?? 0), 10)
    meter.paceChanged(60_000)
    equal(meter.read(61_000).admissionsPerSecond, null)
    for (let second = 60; second < 80; second++) meter.admitted(second * 1000, 2)
    ok(Math.abs((meter.read(80_000).admissionsPerSecond ?? 0) - 2) < 1e-9)
  })

  it('[R10] measures absentees and leavers', () => {
    const meter = new ThroughputMeter(0)
    for (let second = 0; second < 100; second++) {
      meter.counted(second * 1000, 1_000)
      meter.admitted(second * 1000, 8)
      meter.absent(second * 1000, 2)
      meter.left(second * 1000, 1)
    }
    const read = meter.read(100_000)
    equal(read.absentShare, 0.2)
    // Of the last minute, with 600 ticket-seconds assumed.
    ok(Math.abs(read.leaving.hazard - 60 / 60_600) < 1e-6, `${read.leaving.hazard}`)
    equal(read.leaving.seconds, 100)
  })

  it('[I26] keeps 15 minutes and no more, however long it runs', () => {
    const meter = new ThroughputMeter(0)
    meter.admitted(0, 1_000_000)
    meter.counted(2_000_000, 0)
    equal(meter.read(2_000_000).admissionsPerSecond, 0)
  })
})

describe('poll policy', () => {
  it('[R9] polls often near the head, rarely far from it, and never so rarely that a visitor counts as absent', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3_600 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.double({ min: 0, max: 100_000, noNaN: true }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (timeout, rank, wait, random) => {
          const policy = pollPolicy(timeout, 100, 600)
          const after = pollAfterMs(policy, rank, wait, random)
          ok(after >= Math.floor(policy.nearMs * 0.8))
          ok(after < Math.max(700, timeout * 1000 * 0.41), `${after} for a timeout of ${timeout} s`)
        },
      ),
    )
    ok(pollAfterMs(pollPolicy(90, 100, 600), 5, 3_000, 0.5) < pollAfterMs(pollPolicy(90, 100, 600), 5_000, 3_000, 0.5))
  })
})
