import { fenceOf } from '@seatwise/domain'
import { expect, test } from 'vitest'
import type { EndRequest } from '../../src/index.ts'
import { letIn, loadedTicket, type OpenRoom } from './test-room.ts'

/** What happens to those who were let in. */
export function floorRules(openRoom: OpenRoom): void {
  test('[M8] an admitted ticket expires when its time to enter ends, not before', async () => {
    const room = await openRoom()
    const ada = await letIn(room)
    await room.advance(59_999)
    expect((await room.admit()).ended).toEqual([])
    await room.advance(1)
    expect((await room.admit()).ended).toEqual([{ number: ada.number, reason: 'timeout' }])
    expect(await room.look(ada)).toMatchObject({ state: 'expired', reason: 'timeout', fence: null, deadline: null })
  })

  test('[M8] an active ticket expires at its session’s end, not before', async () => {
    const room = await openRoom()
    const ada = await letIn(room)
    await room.advance(30_000)
    const claimed = await room.enter(ada)
    expect(claimed).toMatchObject({ status: 'active', state: 'active', deadline: ada.now + 330_000 })
    await room.advance(299_999)
    expect((await room.admit()).ended).toEqual([])
    await room.advance(1)
    expect((await room.admit()).ended).toEqual([{ number: ada.number, reason: 'timeout' }])
  })

  test('[M8] a slot freed by expiry is used in the same step, and several expire by deadline', async () => {
    const room = await openRoom({ settings: { capacity: 2 } })
    const [first, second] = [await letIn(room, 'first'), await letIn(room, 'second')]
    await room.enter(first)
    await room.draw('third')
    await room.advance(60_000)
    expect(await room.admit()).toMatchObject({
      ended: [{ number: second.number, reason: 'timeout' }],
      admitted: [{ number: 3, waitedMs: 60_000 }],
      floor: 2,
    })
  })

  test('[M9] without a time to enter an admitted ticket is active at once', async () => {
    const room = await openRoom({ settings: { claimSeconds: 0 } })
    const ada = await letIn(room)
    expect(ada).toMatchObject({ state: 'active', deadline: ada.now + 300_000 })
    expect((await room.log()).at(-1)?.change).toMatchObject({ kind: 'admitted', active: true })
    expect(await room.enter(ada)).toMatchObject({ status: 'active', deadline: ada.deadline })
    expect(await room.now()).toMatchObject({ admitted: 0, active: 1 })
  })

  test('[M10] entering again gives the same fence and the same deadline', async () => {
    const room = await openRoom()
    const ada = await letIn(room)
    const first = await room.enter(ada)
    await room.advance(10_000)
    const again = await room.enter(ada)
    if (first.status !== 'active' || again.status !== 'active') throw new Error('not active')
    expect(again).toEqual({ ...first, now: first.now + 10_000 })
    expect(again.fence).toBe(ada.fence)
    expect((await room.log()).filter(({ change }) => change.kind === 'entered')).toHaveLength(1)
  })

  test('[M10] a waiting ticket cannot enter', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    expect(await room.enter(ada)).toMatchObject({ status: 'not_admitted', state: 'waiting', rank: 0 })
  })

  test('[M11] every admission raises the fence, and so does every hand-over on the floor', async () => {
    const room = await openRoom()
    const [ada, bob] = [await letIn(room, 'ada'), await letIn(room, 'bob')]
    expect(ada.fence).toBe(fenceOf(room.epoch, 3))
    expect(bob.fence).toBeGreaterThan(ada.fence ?? Number.POSITIVE_INFINITY)
    const moved = await room.move(ada, 'hand-over')
    expect(moved).toMatchObject({ status: 'moved_here', generation: 2, fence: fenceOf(room.epoch, 6) })
    expect(await room.move(ada, 'hand-over')).toMatchObject({ fence: fenceOf(room.epoch, 6) })
    expect(await room.floor()).toContainEqual({
      ...{ number: ada.number, state: 'admitted', deadline: ada.deadline, reservedSeats: 0 },
      fence: fenceOf(room.epoch, 6),
    })
  })

  test('[M27] a large floor is listed completely, earliest deadline first', async () => {
    const room = await openRoom()
    const { now } = await room.now()
    const tickets = Array.from({ length: 2_500 }, (_, index) => {
      const deadline = now + 1_000_000 + ((index * 7) % 2_500)
      const state = index % 3 === 0 ? 'active' : 'admitted'
      const session = { deadline, sessionEnd: state === 'active' ? deadline : null, fence: index + 1 }
      return loadedTicket(1 + index * 3, { state, reservedSeats: index % 2, ...session })
    })
    await room.load(3, { tickets, state: { nextNumber: 10_000 } })
    const byDeadline = tickets.toSorted((one, other) => (one.deadline ?? 0) - (other.deadline ?? 0))
    const told = byDeadline.map(({ number, state, deadline, fence, reservedSeats }) => ({
      ...{ number, state, deadline, fence, reservedSeats },
    }))
    expect(await room.floor(10_000)).toEqual(told)
    expect(await room.floor(1_700)).toEqual(told.slice(0, 1_700))
  })

  test('[M11] fences only grow over a rebuild', async () => {
    const room = await openRoom()
    const ada = await letIn(room)
    await room.load(3, { tickets: [loadedTicket(5)], state: { nextNumber: 6 } })
    await room.advance(60_000)
    const [admitted] = (await room.admit()).admitted
    expect(admitted?.fence).toBeGreaterThan(ada.fence ?? Number.POSITIVE_INFINITY)
  })

  for (const as of ['completed', 'cancelled', 'terminated', 'sold_out', 'timeout'] as const) {
    test(`[M12] ${as}: the slot is free in the same step`, async () => {
      const room = await openRoom({ settings: { capacity: 1 } })
      const ada = await letIn(room)
      await room.draw('next')
      expect(await room.admitted()).toEqual([])
      const state = as === 'completed' ? 'completed' : 'expired'
      const reason = as === 'completed' ? null : as
      const ended = await room.end(ada, as)
      expect(ended).toMatchObject({ status: 'ended', state, reason, fence: null, deadline: null, rank: null })
      expect((await room.now()).floor).toBe(0)
      expect(await room.admitted()).toEqual([2])
      expect(await room.end(ada, as)).toMatchObject({ status: 'was_ended', state, reason })
    })
  }

  test('[M12] only a ticket on the floor can be completed', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    expect(await room.end(ada, 'completed')).toMatchObject({ status: 'not_on_floor', state: 'waiting', rank: 0 })
    expect((await room.now()).waiting).toBe(1)
  })

  test('[M13] more time is given once for each ticket', async () => {
    const room = await openRoom()
    const ada = await letIn(room)
    await room.enter(ada)
    const deadline = ada.now + 300_000 + 120_000
    expect(await room.extend(ada, 120_000, 'one')).toMatchObject({ status: 'extended', deadline, extended: true })
    expect(await room.extend(ada, 120_000, 'one')).toMatchObject({ status: 'extended', deadline })
    expect(await room.extend(ada, 120_000, 'two')).toMatchObject({ status: 'already_extended', deadline })
    await room.advance(419_999)
    expect((await room.admit()).ended).toEqual([])
    await room.advance(1)
    expect((await room.admit()).ended).toHaveLength(1)
  })

  test('[M13] a waiting ticket has no time to extend', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    expect(await room.extend(ada, 1_000)).toMatchObject({ status: 'not_on_floor', extended: false })
  })

  test('[M14] a reservation moves the deadline to its own; losing it gives the session’s back', async () => {
    const room = await openRoom({ state: { stock: 9 } })
    const ada = await letIn(room)
    await room.enter(ada)
    const session = ada.now + 300_000
    await room.reserve(ada, session + 200_000, 2)
    expect(await room.look(ada)).toMatchObject({ deadline: session + 200_000 })
    expect(await room.floor()).toMatchObject([{ reservedSeats: 2, deadline: session + 200_000 }])
    await room.reserve(ada, session + 100_000)
    await room.reserve(ada, session + 100_000)
    await room.extend(ada, 50_000)
    expect(await room.look(ada)).toMatchObject({ deadline: session + 150_000 })
    await room.reserve(ada, null)
    await room.reserve(ada, null)
    expect(await room.look(ada)).toMatchObject({ deadline: session + 50_000 })
    const kinds = (await room.log(4)).map(({ change }) => change.kind)
    expect(kinds).toEqual(['reserved', 'reserved', 'extended', 'reserved'])
  })

  test('[M14] a session that is over when the reservation is lost ends', async () => {
    const room = await openRoom()
    const ada = await letIn(room)
    await room.enter(ada)
    await room.reserve(ada, ada.now + 900_000)
    await room.advance(300_000)
    expect((await room.admit()).ended).toEqual([])
    await room.reserve(ada, null)
    expect((await room.admit()).ended).toEqual([{ number: ada.number, reason: 'timeout' }])
  })

  test('[M14] entering with a ticket that has a reservation already keeps the reservation’s deadline', async () => {
    const room = await openRoom()
    const ada = await letIn(room)
    await room.reserve(ada, ada.now + 900_000)
    expect(await room.enter(ada)).toMatchObject({ status: 'active', deadline: ada.now + 900_000 })
    expect((await room.log()).at(-1)?.change).toMatchObject({ kind: 'entered', deadline: ada.now + 300_000 })
    await room.reserve(ada, null)
    expect(await room.look(ada)).toMatchObject({ deadline: ada.now + 300_000 })
  })

  test('[M14] [M24] reservations of tickets that wait, ended or never were are named and change nothing', async () => {
    const room = await openRoom()
    const [waiting, gone] = [await room.draw('waiting'), await room.draw('gone')]
    await room.end(gone, 'cancelled')
    const seq = await room.seq()
    const until = waiting.now + 900_000
    const numbers = [waiting.number, gone.number, 77]
    const results = numbers.map((number) => ({ operation: 'claim', number, reserved: { until, quantity: 1 } }))
    expect(await room.settle({ stock: 5, results })).toMatchObject({ left: numbers })
    expect((await room.log(seq)).map(({ change }) => change.kind)).toEqual(['changed'])
  })

  test('[M12] an operator ends any ticket, without its identity', async () => {
    const room = await openRoom()
    const ada = await letIn(room)
    await room.move(ada)
    const noHolder = { number: ada.number, identity: '', generation: 0 }
    const forbidden: EndRequest['as'][] = ['cancelled', 'completed', 'sold_out', 'timeout']
    for (const as of forbidden) expect(await room.end(noHolder, as)).toMatchObject({ status: 'unknown' })
    expect(await room.end(noHolder, 'terminated')).toMatchObject({ status: 'ended', reason: 'terminated' })
    expect(await room.end({ ...noHolder, number: 99 }, 'terminated')).toMatchObject({ status: 'unknown' })
  })

  test('[M20] a pass is valid from admission until its deadline', async () => {
    const room = await openRoom({ state: { stock: 9 } })
    const ada = await letIn(room)
    const counts = { status: 'counts', number: ada.number, identity: 'ada', generation: 1, reservedSeats: 0 }
    expect(await room.check(ada.number, ada.fence)).toEqual({ ...counts, deadline: ada.deadline, seq: ada.seq })
    await room.enter(ada)
    await room.reserve(ada, ada.now + 400_000)
    const reserved = { ...counts, reservedSeats: 1, deadline: ada.now + 400_000 }
    expect(await room.check(ada.number, ada.fence)).toEqual({ ...reserved, seq: ada.seq + 2 })
    await room.advance(399_999)
    expect(await room.check(ada.number, ada.fence)).toMatchObject({ status: 'counts' })
    await room.advance(1)
    expect(await room.check(ada.number, ada.fence)).toEqual({ status: 'stale', state: 'active', seq: ada.seq + 2 })
  })

  test('[M20] a pass is stale under another fence, after the end, and for tickets that wait or never were', async () => {
    const room = await openRoom()
    const ada = await letIn(room)
    const waiting = await room.draw('waiting')
    await room.move(ada)
    const { fence } = await room.look({ ...ada, generation: 2 })
    expect(await room.check(ada.number, ada.fence)).toMatchObject({ status: 'stale' })
    expect(await room.check(ada.number, fence)).toMatchObject({ status: 'counts', generation: 2 })
    expect(await room.check(waiting.number, fence)).toMatchObject({ status: 'stale' })
    expect(await room.check(99, fence)).toMatchObject({ status: 'stale', state: null })
    await room.end({ ...ada, generation: 2 }, 'completed')
    expect(await room.check(ada.number, fence)).toMatchObject({ status: 'stale', state: 'completed' })
  })
}
