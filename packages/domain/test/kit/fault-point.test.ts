import { afterEach, expect, test } from 'vitest'
import { FAULT_POINTS, faultPointsOf, faults, isFaultPoint } from '../../src/index.ts'

afterEach(() => faults.disarm())

test('[T14] fault points are off until a test switches them on', async () => {
  expect(faults.on).toBe(false)
  faults.arm('join.before-apply', () => undefined)
  expect(faults.on).toBe(true)
  await faults.reach('join.before-apply')
  faults.disarm()
  expect(faults.on).toBe(false)
  expect(faults.visits('join.before-apply')).toBe(0)
})

test('[T14] an armed point can throw at one visit and let the others pass', async () => {
  const broken = new Error('broken on purpose')
  faults.arm(
    'join.after-apply',
    () => {
      throw broken
    },
    2,
  )
  await faults.reach('join.after-apply')
  await expect(faults.reach('join.after-apply')).rejects.toBe(broken)
  await faults.reach('join.after-apply')
  expect(faults.visits('join.after-apply')).toBe(3)
  expect(faults.visits('join.before-apply')).toBe(0)
})

test('[T14] an armed point can wait until it is released', async () => {
  const gate = Promise.withResolvers<void>()
  faults.arm('enter.before-apply', () => gate.promise)
  let passed = false
  const reaching = faults.reach('enter.before-apply').then(() => {
    passed = true
  })
  await Promise.resolve()
  expect([faults.visits('enter.before-apply'), passed]).toEqual([1, false])
  gate.resolve()
  await reaching
  expect(passed).toBe(true)
})

test('[T14] watched points count their visits and do nothing', async () => {
  faults.watch()
  await faults.reach('leave.before-apply')
  expect(faults.visits('leave.before-apply')).toBe(1)
})

test('[T14] the points of an operation can be listed, and no name is listed twice', () => {
  expect(faultPointsOf('join')).toEqual(['join.before-apply', 'join.after-apply'])
  expect(new Set(FAULT_POINTS).size).toBe(FAULT_POINTS.length)
  expect(isFaultPoint('join.before-apply')).toBe(true)
  expect(isFaultPoint('join')).toBe(false)
})
