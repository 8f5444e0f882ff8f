import { expect, test } from 'vitest'
import { createRush, USUAL_WORK } from '../../../src/rooms/challenge/rush.ts'

const HOME = '203.0.113.7'

function openRush(workers = 1) {
  const clock = { ms: 1_000_000 }
  const rush = createRush(() => clock.ms, workers)
  let visitors = 0
  /** Joins of as many addresses, evenly over a time. */
  const arrive = (joins: number, overMs: number) => {
    let asked = 0
    for (let join = 0; join < joins; join++) {
      clock.ms += overMs / joins
      visitors += 1
      if (rush.count('room', `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}`).isRush) asked += 1
    }
    return asked
  }
  return { clock, rush, arrive }
}

test('[R84] a quiet room asks nobody, however long it goes on', () => {
  const { arrive } = openRush()
  expect(arrive(150, 1_000)).toBe(0)
  expect(arrive(20_000, 1_500_000)).toBe(0)
})

test('[R84] a rush is asked until the room is used to it', () => {
  const { arrive } = openRush()
  expect(arrive(4_000, 20_000)).toBeGreaterThan(3_000)
  arrive(200 * 600, 600_000)
  expect(arrive(2_000, 10_000)).toBe(0)
})

test('[R85] the work grows with the rush, four times at most', () => {
  const { rush, arrive } = openRush()
  arrive(300, 1_000)
  const early = rush.look('room', HOME).work
  arrive(20_000, 1_000)
  expect(early).toBeGreaterThan(USUAL_WORK)
  expect(early).toBeLessThan(2 * USUAL_WORK)
  expect(rush.look('room', HOME).work).toBe(4 * USUAL_WORK)
  expect(rush.look('another room', HOME)).toEqual({ work: USUAL_WORK, isRush: false })
})

test('[R84] [R85] a crowded address pays more and more, and others do not', () => {
  const { rush, clock } = openRush()
  const works = Array.from({ length: 1_000 }, () => {
    clock.ms += 100
    return rush.count('room', HOME)
  })
  expect(works.slice(0, 30).every(({ isRush }) => !isRush)).toBe(true)
  expect(works[40]?.isRush).toBe(true)
  expect(works.at(-1)?.work).toBeGreaterThan(14 * USUAL_WORK)
  expect(rush.look('room', '203.0.113.8')).toEqual({ work: USUAL_WORK, isRush: false })
  clock.ms += 3 * 3_600_000
  expect(rush.look('room', HOME)).toEqual({ work: USUAL_WORK, isRush: false })
})

test('[R84] addresses of one IPv6 network count as one', () => {
  const { rush } = openRush()
  for (let host = 0; host < 31; host++) rush.count('room', `2001:db8::${host.toString(16)}`)
  expect(rush.look('room', '2001:db8::ffff').isRush).toBe(true)
  expect(rush.look('room', '2001:db8:0:1::1').isRush).toBe(false)
})

test('[R84] a join that drew no ticket does not count', () => {
  const { rush } = openRush()
  for (let again = 0; again < 100; again++) {
    rush.count('room', HOME)
    rush.forget('room', HOME)
  }
  expect(rush.look('room', HOME)).toEqual({ work: USUAL_WORK, isRush: false })
})

test('[R84] each of several workers allows its share', () => {
  const { rush } = openRush(3)
  for (let join = 0; join < 11; join++) rush.count('room', HOME)
  expect(rush.look('room', HOME).isRush).toBe(true)
})
