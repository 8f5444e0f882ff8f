import { fenceOf } from '@seatwise/domain'
import { expect, test } from 'vitest'
import { LineLost, type RestoreRequest, type RoomAt } from '../../src/index.ts'
import { joinRequest, loadedTicket, type OpenRoom, type TestRoom, testSettings, testState } from './test-room.ts'

export function lossRules(openRoom: OpenRoom): void {
  const losses = [
    { why: 'missing', name: 'a room without state', at: (room: TestRoom) => ({ ...room.at, room: `${room.id}-x` }) },
    { why: 'other-epoch', name: 'another epoch', at: (room: TestRoom) => ({ ...room.at, epoch: room.epoch + 1 }) },
    { why: 'regressed', name: 'less history than was seen', at: (room: TestRoom) => ({ ...room.at, seenSeq: 99 }) },
  ] as const
  for (const { why, name, at } of losses) {
    test(`[L23] every step on ${name} throws LineLost and changes nothing`, async () => {
      const room = await openRoom()
      await room.draw('ada')
      const before = await room.now()
      const lost = at(room)
      for (const [step, run] of Object.entries(everyStep(room, lost))) {
        await expect(run(), step).rejects.toSatisfy(
          (error: unknown) => error instanceof LineLost && error.why === why && error.room === lost.room,
        )
      }
      expect(await room.now()).toEqual(before)
    })
  }

  test('[L23] a caller that has seen exactly this seq continues', async () => {
    const room = await openRoom()
    const { seq } = await room.draw('ada')
    expect(await room.line.join({ ...room.at, seenSeq: seq }, [joinRequest('bob')])).toMatchObject([{ number: 2 }])
  })

  test('[L23] a dropped room is lost', async () => {
    const room = await openRoom()
    await room.line.drop(room.id)
    expect(await room.line.epochOf(room.id)).toBeNull()
    await expect(room.now()).rejects.toBeInstanceOf(LineLost)
  })

  test('[L24] a room being loaded is not visible; the earlier epoch serves until the load is finished', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    await room.line.beginLoad(room.id, 3, { ...testState(), settings: testSettings() })
    await room.line.loadTickets(room.id, 3, [loadedTicket(1), loadedTicket(2)])
    await room.line.loadTickets(room.id, 3, [loadedTicket(2), loadedTicket(3)])
    expect(await room.line.epochOf(room.id)).toBe(2)
    expect(await room.rank(ada)).toBe(0)
    await room.line.finishLoad(room.id, 3)
    await expect(room.now()).rejects.toMatchObject({ why: 'other-epoch' })
    room.epoch = 3
    expect(await room.line.epochOf(room.id)).toBe(3)
    expect(await room.waiting()).toEqual([1, 2, 3])
  })

  test('[L24] loading again under the same epoch drops what was loaded before', async () => {
    const room = await openRoom()
    const state = { ...testState(), settings: testSettings() }
    await room.line.beginLoad(room.id, 3, state)
    await room.line.loadTickets(room.id, 3, [loadedTicket(1)])
    await room.line.beginLoad(room.id, 3, state)
    await room.line.loadTickets(room.id, 3, [loadedTicket(2)])
    await room.line.finishLoad(room.id, 3)
    await room.line.finishLoad(room.id, 3)
    room.epoch = 3
    expect(await room.waiting()).toEqual([2])
    expect(await room.log()).toHaveLength(1)
  })

  test('[L24] an older epoch never replaces a newer one', async () => {
    const room = await openRoom()
    const state = { ...testState(), settings: testSettings() }
    await room.line.beginLoad(room.id, 3, state)
    await room.load(4, { tickets: [loadedTicket(7)] })
    await expect(room.line.finishLoad(room.id, 3)).rejects.toBeInstanceOf(LineLost)
    await expect(room.line.beginLoad(room.id, 4, state)).rejects.toBeInstanceOf(LineLost)
    await expect(room.line.beginLoad(room.id, 2, state)).rejects.toBeInstanceOf(LineLost)
    expect(await room.waiting()).toEqual([7])
  })

  test('[L24] what was loaded is all there: line, floor, limits, names', async () => {
    const shown = { name: 'Ada', avatar: 'a.png' }
    const floor = { deadline: 4_000_000_000_000, fence: fenceOf(1, 9) }
    const room = await openRoom({
      state: { nextNumber: 9, paused: true, message: 'Hello', stock: 0, heldSeats: 0, stockVersion: 41 },
      tickets: [
        loadedTicket(5, { shown, class: 2, place: 1.5, generation: 3, limitKey: 'address' }),
        loadedTicket(3, { state: 'active', ...floor, sessionEnd: 3_900_000_000_000, extended: true, reservedSeats: 2 }),
        loadedTicket(4, { state: 'admitted', ...floor }),
        loadedTicket(6, { away: true }),
      ],
    })
    expect(await room.now()).toMatchObject({
      ...{ waiting: 1, away: 1, floor: 2, admitted: 1, active: 1, nextNumber: 9 },
      ...{ paused: true, message: 'Hello', soldOut: true, held: null },
      ...{ stock: 0, heldSeats: 0, stockVersion: 41, promised: 1, taken: 0 },
    })
    expect(await room.range()).toEqual([{ number: 5, place: 1.5, rank: 0, class: 2, shown }])
    expect(await room.floor()).toEqual([
      { number: 3, state: 'active', ...floor, reservedSeats: 2 },
      { number: 4, state: 'admitted', ...floor, reservedSeats: 0 },
    ])
    const active = { number: 3, identity: 'loaded-3', generation: 1 }
    expect(await room.look(active)).toMatchObject({ state: 'active', extended: true, ...floor, joinedAt: 1_000 })
    expect(await room.extend(active, 5)).toMatchObject({ status: 'already_extended' })
    const results = [{ operation: 'lost', number: 3, reserved: null }]
    // What was loaded is as of version 41.
    await room.settle({ version: 41, results })
    expect(await room.floor()).toMatchObject([{ reservedSeats: 2 }, { reservedSeats: 0 }])
    await room.settle({ version: 42, stock: 2, results })
    expect(await room.look(active)).toMatchObject({ deadline: 3_900_000_000_000 })
    const limit = { key: 'address', max: 1 }
    expect(await room.join('other', { limit })).toMatchObject({ status: 'limit_reached' })
  })

  test('[L25] a ticket above the mark of its epoch comes back at exactly its old place', async () => {
    const room = await openRoom({
      state: { nextNumber: 100, marks: { 1: 10 } },
      tickets: [loadedTicket(5), loadedTicket(10)],
    })
    await room.draw('new')
    const reply = await room.restore(lost({ number: 11, place: 7.5, class: 1, generation: 2 }))
    expect(reply).toMatchObject({ status: 'joined', number: 11, place: 7.5, class: 1, generation: 2, rank: 1 })
    expect(reply).toMatchObject({ joinedAt: 1_234, state: 'waiting' })
    expect(await room.waiting()).toEqual([5, 11, 10, 100])
    expect((await room.log()).at(-1)).toMatchObject({
      operation: 'restore',
      change: {
        kind: 'restored',
        ...{
          number: 11,
          identity: 'lost',
          class: 1,
          place: 7.5,
          rank: 1,
          generation: 2,
          joinedAt: 1_234,
          fromEpoch: 1,
        },
      },
    })
    expect(await room.restore(lost({ number: 11, place: 7.5 }))).toMatchObject({ status: 'present', number: 11 })
    expect((await room.draw('elevated', { class: 1 })).place).toBeGreaterThan(7.5)
  })

  const abuses: { name: string; request: Partial<RestoreRequest> }[] = [
    { name: 'a number at the mark', request: { number: 10 } },
    { name: 'a number that this epoch draws itself', request: { number: 100 } },
    { name: 'a number of this epoch', request: { epoch: 2 } },
    { name: 'a number of a later epoch', request: { epoch: 3 } },
    { name: 'an epoch that the ledger never ended', request: { epoch: 0 } },
    { name: 'a number that a live ticket has', request: { number: 20 } },
    { name: 'a number that ended', request: { number: 21 } },
    { name: 'an identity with an ended ticket', request: { identity: 'loaded-21' } },
  ]
  for (const { name, request } of abuses) {
    test(`[L25] restoring is refused for ${name}`, async () => {
      const tickets = [loadedTicket(20), loadedTicket(21)]
      const room = await openRoom({ state: { nextNumber: 100, marks: { 1: 10, 2: 10, 3: 10 } }, tickets })
      await room.end({ number: 21, identity: 'loaded-21', generation: 1 }, 'cancelled')
      const seq = await room.seq()
      expect(await room.restore(lost(request))).toEqual({ status: 'refused', seq })
      expect(await room.waiting()).toEqual([20])
    })
  }

  test('[L25] an identity with a live ticket gets that one, not a second', async () => {
    const room = await openRoom({ state: { nextNumber: 100, marks: { 1: 10 } } })
    const ticket = await room.draw('lost')
    expect(await room.restore(lost({}))).toMatchObject({ status: 'present', number: ticket.number })
    expect((await room.now()).waiting).toBe(1)
  })

  test('[L26] every loaded ticket counts as seen at that moment', async () => {
    const tickets = [loadedTicket(1), loadedTicket(2)]
    const room = await openRoom({ tickets, state: { nextNumber: 3 }, emptyBucket: true })
    await room.attend(90_000)
    expect(await room.admitted(1)).toEqual([1])
    await room.attend(100)
    expect((await room.admit()).away).toEqual([2])
  })

  test('[L26] the bucket starts empty', async () => {
    const settings = { ratePerMinute: 60, burst: 10 }
    const room = await openRoom({ tickets: [loadedTicket(1)], state: { nextNumber: 2 }, settings, emptyBucket: true })
    expect(await room.admit()).toMatchObject({ admitted: [], nextAt: (await room.now()).now + 1_000 })
    await room.advance(1_000)
    expect(await room.admitted()).toEqual([1])
  })

  test('[L27] every answer has the room’s clock, which continues across a rebuild', async () => {
    const room = await openRoom()
    const { now } = await room.now()
    await room.advance(5_000)
    expect((await room.draw('ada')).now).toBe(now + 5_000)
    await room.load(3, { state: { nextNumber: 2 } })
    expect((await room.now()).now).toBe(now + 5_000)
    expect((await room.log())[0]?.at).toBe(now + 5_000)
  })
}

function lost(request: Partial<RestoreRequest>): RestoreRequest {
  return { number: 11, place: 11, class: 0, identity: 'lost', generation: 1, epoch: 1, joinedAt: 1_234, ...request }
}

/** Every step of a line, once. */
export function everyStep({ line }: TestRoom, at: RoomAt): Record<string, () => Promise<unknown>> {
  const act = { number: 1, identity: 'ada', generation: 1 }
  return {
    join: () => line.join(at, [joinRequest('eve')]),
    look: () => line.look(at, [{ ...act, heartbeat: true }]),
    heartbeat: () => line.heartbeat(at, [1]),
    admit: () => line.admit(at, { batch: 10, operation: 'lost' }),
    enter: () => line.enter(at, [act]),
    end: () => line.end(at, [{ ...act, as: 'terminated', operation: 'lost' }]),
    extend: () => line.extend(at, [{ ...act, byMs: 1, operation: 'lost' }]),
    take: () => line.take(at, [{ number: 1, fence: 1, quantity: 1, operation: 'lost' }]),
    settle: () => line.settle(at, { version: 9, stock: 1, heldSeats: 0, results: [] }),
    check: () => line.check(at, [{ number: 1, fence: 1 }]),
    move: () => line.move(at, [{ ...act, operation: 'lost' }]),
    adopt: () => line.adopt(at, [{ fromIdentity: 'ada', toIdentity: 'eve', userId: 'eve', operation: 'lost' }]),
    restore: () => line.restore(at, [lost({})]),
    change: () => line.change(at, { operation: 'lost', by: 'operator', paused: true }),
    now: () => line.now(at),
    range: () => line.range(at, 0, 9),
    floor: () => line.floor(at, 9),
    readLog: () => line.readLog(at, 0, { limit: 9, waitMs: 0 }),
    trim: () => line.trim(at, 1),
  }
}
