import { previewPace } from '@seatwise/domain'
import { expect, test } from 'vitest'
import { evenly, paceOf } from './room.ts'

const pace = paceOf({ ratePerSecond: 10, capacity: 100, seats: { free: 50, claimed: 100 } }, { stays: evenly(1, 100) })
const minutes = (estimate: { p50: number } | null): number => Math.round(((estimate?.p50 ?? Number.NaN) / 60) * 10) / 10

test('[W62] 600 → 900 a minute: the last of 12,600 waits 14 instead of 21 minutes', () => {
  const { before, after, limitedBy } = previewPace(12_600, pace, { ratePerMinute: 900 })
  expect([minutes(before), minutes(after), limitedBy]).toEqual([21, 14, 'rate'])
})

test('[W62] raising a limit that does not bind changes nothing, and says which one does', () => {
  const full = paceOf({ ratePerSecond: 10, capacity: 10, floor: 10 }, { stays: evenly(60, 10) })
  const faster = previewPace(100, full, { ratePerMinute: 900 })
  expect(faster.after).toEqual(faster.before)
  expect(faster.limitedBy).toBe('capacity')
  const wider = previewPace(100, full, { capacity: 20 })
  // Twice as many leave a minute, and ten tickets go in at once.
  expect(minutes(wider.before)).toBeCloseTo(9.8, 0)
  expect(minutes(wider.after)).toBeCloseTo(4.5, 0)
})

test('[W62] no ticket is admitted while the room is paused, and an empty line has no wait', () => {
  expect(previewPace(50, pace, { paused: true })).toMatchObject({ after: null, limitedBy: 'paused' })
  const paused = paceOf({ closed: 'paused', ratePerSecond: 10 }, { stays: evenly(1, 100) })
  const { before, after } = previewPace(50, paused, { paused: false })
  expect(before).toBe(null)
  expect(after?.p50).toBeCloseTo(5, 0)
  expect(previewPace(0, pace, { ratePerMinute: 900 })).toMatchObject({ waiting: 0, before: null, after: null })
})
