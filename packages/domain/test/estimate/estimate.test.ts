import { deepEqual, equal, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import {
  estimateWait,
  expectedRate,
  type Pace,
  pollAfterMs,
  pollPolicy,
  type Shown,
  showEstimate,
  ThroughputMeter,
} from '../../src/index.ts'

const NOTHING_MEASURED = {
  ...{ admissionsPerSecond: null, spread: 0, absentShare: 0, leaveHazard: 0 },
  ...{ served: 0, serviceMs: null },
}
const PACE: Pace = {
  paused: false,
  ratePerMinute: 600,
  capacity: 2_000,
  freeSlots: 2_000,
  seats: null,
  measured: NOTHING_MEASURED,
  outlook: null,
}

describe('estimates', () => {
  it('[R10] uses the configured limits before there is data: the slower of rate and floor', () => {
    equal(expectedRate(PACE), 10)
    equal(expectedRate({ ...PACE, capacity: 100, measured: { ...NOTHING_MEASURED, serviceMs: 20_000 } }), 5)
    equal(estimateWait(100, PACE)?.p50, 10)
  })

  it('[R10] counts only those who are there, and those who will leave', () => {
    const absent = { ...PACE, measured: { ...NOTHING_MEASURED, absentShare: 0.5 } }
    const leaving = { ...PACE, measured: { ...NOTHING_MEASURED, leaveHazard: 0.01 } }
    ok((estimateWait(1_000, absent)?.p50 ?? 0) < 51)
    ok((estimateWait(1_000, leaving)?.p50 ?? 0) < 75)
  })

  it('[R10] is unknown while paused, and while a visitor must leave the floor first and too few ever have', () => {
    equal(estimateWait(5, { ...PACE, paused: true }), null)
    const full = { ...PACE, capacity: 100, freeSlots: 0 }
    equal(estimateWait(5, full), null)
    equal(estimateWait(5, { ...full, measured: { ...NOTHING_MEASURED, serviceMs: 1_000, served: 4 } }), null)
    equal(estimateWait(5, { ...full, measured: { ...NOTHING_MEASURED, serviceMs: 1_000, served: 5 } })?.p50, 0.6)
    equal(estimateWait(5, { ...full, freeSlots: 5 }), null)
    equal(estimateWait(4, { ...full, freeSlots: 5 })?.p50, 0.4)
  })

  it('[R10] is unknown for a visitor who gets a seat only if others give theirs back', () => {
    equal(estimateWait(5, { ...PACE, seats: 6 })?.p50, 0.5)
    equal(estimateWait(5, { ...PACE, seats: 5 }), null)
  })

  it('[R10] goes by the outlook where there is one, and doubts it while few have left', () => {
    const outlook = { waitFor: (ahead: number) => ahead * 2 }
    const [few, many] = [5, 500].map((served) =>
      estimateWait(9, { ...PACE, outlook, measured: { ...NOTHING_MEASURED, serviceMs: 1_000, served } }),
    )
    deepEqual([few?.p50, many?.p50], [19, 19])
    ok((few?.p90 ?? 0) > (many?.p90 ?? 0))
  })

  it('[R10] tickets are admitted faster while a floor fills than when it is full', () => {
    const filling = { ...NOTHING_MEASURED, admissionsPerSecond: 9, serviceMs: 50_000 }
    equal(expectedRate({ ...PACE, capacity: 100, measured: filling }), 2)
  })

  it('[R10] a ticket still on the floor counts with its time so far', () => {
    const meter = new ThroughputMeter(0)
    // Ten are there all the time, and one more each second, who leaves in the next.
    for (let second = 0; second < 20; second += 1) {
      meter.counted(second * 1000, { waiting: 0, floor: 11 })
      meter.served(second * 1000)
    }
    equal(Math.round(meter.read(20_000).serviceMs ?? 0), 11_000)
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
        for (const { elapsed, p50 } of steps) {
          now += elapsed
          const view = showEstimate({ p50, p90: p50 * 1.5 }, now, before, 'slower')
          const due = now + (view.p50 ?? 0) * 1000
          // A countdown that reached zero stands at zero; half a second is rounding.
          if (view.reason === null) ok(due <= Math.max(lastDue, now) + 501, `${due} after ${lastDue}`)
          lastDue = due
          before = view.shown
        }
      }),
    )
  })

  it('[R11] small changes are ignored in both directions, so that noise does not make it too early', () => {
    const { shown } = showEstimate({ p50: 100, p90: 150 }, 0, null, 'slower')
    for (const p50 of [96, 104]) equal(showEstimate({ p50, p90: 150 }, 0, shown, 'slower').p50, 100)
    equal(showEstimate({ p50: 94, p90: 150 }, 0, shown, 'slower').p50, 94)
  })

  it('[R11] says the reason when it does', () => {
    const first = showEstimate({ p50: 60, p90: 90 }, 0, null, 'slower')
    const later = showEstimate({ p50: 120, p90: 150 }, 1_000, first.shown, 'rate_lowered')
    deepEqual([later.p50, later.p90, later.reason], [120, 150, 'rate_lowered'])
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
    equal(meter.read(80_000).admissionsPerSecond, 2)
  })

  it('[R10] measures absentees and leavers', () => {
    const meter = new ThroughputMeter(0)
    for (let second = 0; second < 100; second++) {
      meter.counted(second * 1000, { waiting: 1_000, floor: 0 })
      meter.admitted(second * 1000, 8)
      meter.absent(second * 1000, 2)
      meter.left(second * 1000, 1)
    }
    const read = meter.read(100_000)
    equal(read.absentShare, 0.2)
    ok(Math.abs(read.leaveHazard - 0.001) < 1e-6)
  })

  it('[I26] keeps 15 minutes and no more, however long it runs', () => {
    const meter = new ThroughputMeter(0)
    meter.admitted(0, 1_000_000)
    meter.counted(2_000_000, { waiting: 0, floor: 0 })
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
