import { type Pace, previewPace } from '@seatwise/domain'
import { expect, test } from 'vitest'

const measured = { admissionsPerSecond: null, spread: 0, absentShare: 0, leaveHazard: 0, served: 100, serviceMs: 1 }
const pace: Pace = {
  ...{ paused: false, ratePerMinute: 600, capacity: 100, freeSlots: 0, seats: 50, measured },
  outlook: null,
}
const minutes = (estimate: { p50: number } | null): number | null => (estimate === null ? null : estimate.p50 / 60)

test('[W62] 600 → 900 a minute: the last of 12,600 waits 14 instead of 21 minutes', () => {
  const { before, after, limitedBy } = previewPace(12_600, pace, { ratePerMinute: 900 })
  expect([minutes(before), minutes(after), limitedBy]).toEqual([21, 14, 'rate'])
})

test('[W62] what was measured is scaled by what the change allows', () => {
  // Half as fast as allowed, so half as fast afterwards, too.
  const slow = { ...pace, measured: { ...measured, admissionsPerSecond: 5 } }
  const { before, after } = previewPace(6_000, slow, { ratePerMinute: 300 })
  expect([minutes(before), minutes(after)]).toEqual([20, 40])
})

test('[W62] raising a limit that does not bind changes nothing, and says which one does', () => {
  const full = { ...pace, capacity: 10, measured: { ...measured, serviceMs: 60_000, admissionsPerSecond: 1 / 6 } }
  const faster = previewPace(100, full, { ratePerMinute: 900 })
  expect(faster.after).toEqual(faster.before)
  expect(faster.limitedBy).toBe('capacity')
  const wider = previewPace(100, full, { capacity: 20 })
  // Ten more slots, one of which the first visitor takes at once.
  expect(minutes(wider.after)).toBeCloseTo(99 / 20, 5)
})

test('[W62] no ticket is admitted while the room is paused, and an empty line has no wait', () => {
  expect(previewPace(50, pace, { paused: true })).toMatchObject({ after: null, limitedBy: 'paused' })
  expect(previewPace(50, { ...pace, paused: true }, { paused: false })).toMatchObject({
    before: null,
    after: { p50: 5 },
  })
  expect(previewPace(0, pace, { ratePerMinute: 900 })).toMatchObject({ waiting: 0, before: null, after: null })
})
