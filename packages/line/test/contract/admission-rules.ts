import { expect, test } from 'vitest'
import type { Admission } from '../../src/index.ts'
import { type OpenRoom, type TestRoom, testSettings } from './test-room.ts'

/** Who goes in, and how many. */
export function admissionRules(openRoom: OpenRoom): void {
  test('[M1] the floor never holds more than its capacity', async () => {
    const room = await openRoom({ settings: { capacity: 3 } })
    await room.crowd(5)
    expect(await room.admit()).toMatchObject({ admitted: { length: 3 }, floor: 3, waiting: 2, more: false })
    expect(await room.admitted()).toEqual([])
    expect((await room.now()).floor).toBe(3)
  })

  test('[M1] lowered capacity admits no ticket until the floor is below it', async () => {
    const room = await openRoom({ settings: { capacity: 3 } })
    const crowd = await room.crowd(5)
    await room.admit()
    await room.change({ settings: { capacity: 2 } })
    const [first, second] = crowd
    if (first === undefined || second === undefined) throw new Error('no crowd')
    await room.end(first, 'completed')
    expect(await room.admitted()).toEqual([])
    await room.end(second, 'completed')
    expect(await room.admitted()).toEqual([4])
  })

  test('[M2] the bucket holds at most its burst, and refills at its rate', async () => {
    const room = await openRoom({ settings: { ratePerMinute: 60, burst: 5 } })
    await room.crowd(20)
    expect(await room.admitted()).toHaveLength(5)
    expect(await room.admitted()).toHaveLength(0)
    await room.advance(999)
    expect(await room.admitted()).toHaveLength(0)
    await room.advance(1)
    expect(await room.admitted()).toHaveLength(1)
    await room.advance(3_500)
    expect(await room.admitted()).toHaveLength(3)
    await room.advance(500)
    expect(await room.admitted()).toHaveLength(1)
  })

  test('[M2] no fraction of a token is lost, however often it is asked', async () => {
    const room = await openRoom({ settings: { ratePerMinute: 7, burst: 1 } })
    await room.crowd(20)
    let admitted = (await room.admitted()).length
    const { now: start } = await room.now()
    for (let asked = 0; asked < 60; asked++) {
      await room.advance(997)
      admitted += (await room.admitted()).length
    }
    const elapsed = (await room.now()).now - start
    expect(admitted).toBe(1 + Math.floor((elapsed * 7) / 60_000))
  })

  test('[M3] with stock, every ticket on the floor without a reservation has a seat promised', async () => {
    const room = await openRoom({ state: { stock: 3 } })
    const crowd = await room.crowd(10)
    expect(await room.admit()).toMatchObject({ admitted: { length: 3 }, unreserved: 3 })
    const { now } = await room.now()
    // One of them takes the promised seat: stock and promise sink together.
    const results = [
      { operation: 'claim', number: crowd[0]?.number ?? 0, reserved: { until: now + 300_000, quantity: 1 } },
    ]
    await room.settle({ stock: 2, heldSeats: 1, results })
    expect(await room.admit()).toMatchObject({ admitted: [], floor: 3, unreserved: 2 })
    await room.settle({ stock: 4 })
    expect(await room.admit()).toMatchObject({ admitted: { length: 2 }, floor: 5, unreserved: 4 })
  })

  test('[M3] without stock awareness the stock does not matter', async () => {
    const room = await openRoom({ state: { stock: 0, heldSeats: 1 } })
    await room.crowd(2)
    expect(await room.admitted()).toEqual([])
    await room.change({ settings: { stockAware: false } })
    expect(await room.admitted()).toEqual([1, 2])
  })

  test('[M4] tickets are admitted by place', async () => {
    const room = await openRoom()
    await room.crowd(10)
    const waiting = async () => room.waiting()
    await room.draw('vip', { class: 2 })
    await room.draw('first', { class: 3 })
    const expected = await waiting()
    expect([...(await room.admitted(5)), ...(await room.admitted(50))]).toEqual(expected)
  })

  test('[M5] the absent are marked away without costing a slot or a token', async () => {
    const room = await openRoom({ settings: { capacity: 2, ratePerMinute: 1, burst: 2 } })
    await room.attend(120_000)
    const asleep = await room.crowd(5, 'asleep')
    await room.attend(91_000)
    const awake = await room.crowd(3, 'awake')
    const admission = await room.admit()
    expect(admission.away).toEqual(asleep.map(({ number }) => number))
    expect(admission.admitted.map(({ number }) => number)).toEqual(awake.slice(0, 2).map(({ number }) => number))
    expect(admission).toMatchObject({ waiting: 1, floor: 2 })
    const ranks = asleep.map(() => 0)
    expect((await room.log()).map(({ change }) => change)).toContainEqual({
      kind: 'away',
      numbers: admission.away,
      ranks,
    })
  })

  test('[M5] admission marks no ticket away while none could be admitted', async () => {
    const room = await openRoom({ settings: { capacity: 1, sessionSeconds: 3_600, claimSeconds: 0 } })
    await room.crowd(3)
    await room.admit()
    await room.attend(600_000)
    expect(await room.admit()).toMatchObject({ away: [], waiting: 2 })
  })

  test('[M6] a step looks at no more tickets than its batch, and says when there is more', async () => {
    const room = await openRoom()
    await room.crowd(25)
    const steps: Admission[] = []
    do steps.push(await room.admit(10))
    while (steps.at(-1)?.more === true)
    expect(steps.map(({ admitted }) => admitted.length)).toEqual([10, 10, 5])
    expect(steps[0]).toMatchObject({ more: true, nextAt: steps[0]?.now })
    await room.advance(60_000)
    await room.crowd(5, 'late')
    expect(await room.admit(10)).toMatchObject({ ended: { length: 10 }, admitted: [], more: true })
    expect(await room.admit(20)).toMatchObject({ ended: { length: 15 }, admitted: { length: 5 }, more: false })
  })

  test('[M6] absent tickets count against the batch', async () => {
    const room = await openRoom()
    await room.crowd(4)
    await room.attend(91_000)
    await room.draw('awake')
    expect(await room.admit(4)).toMatchObject({ away: { length: 4 }, admitted: [], more: true })
    expect(await room.admit(4)).toMatchObject({ away: [], admitted: { length: 1 }, more: false })
  })

  const closures: { name: string; heldBy: Admission['heldBy']; close: (room: TestRoom) => Promise<unknown> }[] = [
    { name: 'it is paused', heldBy: 'paused', close: (room) => room.change({ paused: true }) },
    { name: 'it is held', heldBy: 'held', close: (room) => room.change({ held: 'the ledger is away' }) },
    {
      name: 'it has not opened',
      heldBy: 'not_open',
      close: async (room) => room.change({ opensAt: (await room.now()).now + 1 }),
    },
    {
      name: 'it is sold out and keeps its line',
      heldBy: 'sold_out',
      close: async (room) => {
        await room.change({ settings: { keepLineWhenSoldOut: true } })
        await room.sellOut()
      },
    },
  ]
  for (const { name, heldBy, close } of closures) {
    test(`[M7] no ticket is admitted while ${name}`, async () => {
      const room = await openRoom()
      await room.crowd(3)
      await close(room)
      expect(await room.admit()).toMatchObject({ admitted: [], away: [], waiting: 3, heldBy })
      const { now } = await room.now()
      await room.change({ paused: false, held: null, opensAt: now })
      await room.settle({ stock: 3 })
      expect(await room.admit()).toMatchObject({ admitted: { length: 3 }, heldBy: null })
    })
  }

  test('[M7] [M16] after it closed no ticket is admitted, and waiting tickets expire as sale_ended', async () => {
    const room = await openRoom({ settings: { capacity: 1 } })
    await room.draw('asleep')
    await room.attend(91_000)
    const [inside, waiting] = await room.crowd(2)
    await room.admit()
    const { now } = await room.now()
    await room.change({ closesAt: now + 10 })
    await room.advance(10)
    expect((await room.admit()).ended).toEqual([])
    await room.advance(1)
    const admission = await room.admit()
    const reason = 'sale_ended'
    expect(admission.ended).toEqual([
      { number: waiting?.number, reason },
      { number: 1, reason },
    ])
    expect(admission).toMatchObject({ admitted: [], waiting: 0, floor: 1, heldBy: 'closed' })
    if (inside !== undefined) expect(await room.enter(inside)).toMatchObject({ status: 'active' })
  })

  test('[M15] when it is sold out, waiting tickets expire as sold_out, bounded by the batch; the floor finishes', async () => {
    const room = await openRoom({ settings: { capacity: 1 } })
    const [inside] = await room.crowd(6)
    await room.admit()
    await room.sellOut()
    expect(await room.admit(3)).toMatchObject({ ended: { length: 3 }, more: true, waiting: 2 })
    expect(await room.admit(3)).toMatchObject({ ended: { length: 2 }, more: false, waiting: 0, heldBy: 'sold_out' })
    expect((await room.log()).at(-1)?.change).toMatchObject({ kind: 'expired', reason: 'sold_out', ranks: [0, 0] })
    if (inside !== undefined) expect(await room.enter(inside)).toMatchObject({ status: 'active' })
    expect(await room.join('late')).toMatchObject({ status: 'sold_out' })
  })

  test('[M15] a room that keeps its line keeps it, and takes new tickets', async () => {
    const room = await openRoom({ settings: { keepLineWhenSoldOut: true } })
    await room.crowd(2)
    await room.sellOut()
    expect(await room.admit()).toMatchObject({ ended: [], waiting: 2 })
    expect(await room.join('hopeful')).toMatchObject({ status: 'joined' })
    await room.settle({ stock: 3 })
    expect(await room.admitted()).toEqual([1, 2, 3])
  })

  test('[M17] a change of rate refills the bucket at the old rate first', async () => {
    const room = await openRoom({ settings: { ratePerMinute: 60, burst: 100 }, emptyBucket: true })
    await room.crowd(200)
    await room.advance(10_000)
    await room.change({ settings: { ratePerMinute: 600 } })
    await room.advance(1_000)
    expect(await room.admitted()).toHaveLength(20)
  })

  test('[M17] a smaller burst keeps no more than it holds; other settings leave the bucket alone', async () => {
    const room = await openRoom({ settings: { ratePerMinute: 60, burst: 100 }, emptyBucket: true })
    await room.crowd(50)
    await room.advance(30_000)
    await room.change({ settings: { capacity: 500 } })
    await room.change({ settings: { burst: 7 } })
    await room.change({ settings: { burst: 100 } })
    expect(await room.admitted()).toHaveLength(7)
  })

  test('[M18] nextAt tells when something could change by itself', async () => {
    const room = await openRoom({ settings: { ratePerMinute: 60, burst: 1, capacity: 2 }, state: { closesAt: 3e12 } })
    expect((await room.admit()).nextAt).toBeNull()
    const { now } = await room.now()
    await room.crowd(4)
    expect((await room.admit()).nextAt).toBe(now + 1_000)
    await room.change({ paused: true })
    expect((await room.admit()).nextAt).toBe(now + 60_000)
    await room.attend(1_000)
    await room.change({ paused: false, settings: { ...testSettings(), capacity: 2 } })
    expect(await room.admit()).toMatchObject({ admitted: { length: 1 }, nextAt: now + 60_000 })
    await room.change({ closesAt: now + 30_000 })
    expect((await room.admit()).nextAt).toBe(now + 30_001)
    await room.change({ closesAt: 3e12 })
    for (const { number } of await room.floor()) await room.end({ number, identity: '', generation: 1 }, 'terminated')
    await room.attend(91_000)
    expect(await room.admit()).toMatchObject({ away: { length: 2 }, nextAt: 3e12 + 1 })
    await room.change({ closesAt: now })
    expect(await room.admit()).toMatchObject({ ended: { length: 2 }, nextAt: null })
  })

  test('[M18] a room that has not opened is looked at again when it does', async () => {
    const room = await openRoom()
    await room.crowd(2)
    const { now } = await room.now()
    await room.change({ opensAt: now + 500 })
    expect((await room.admit()).nextAt).toBe(now + 500)
  })

  test('[M29] an operator lets so many in from the head, past the rate and without using it up', async () => {
    const room = await openRoom({ settings: { ratePerMinute: 60, burst: 2 } })
    const [first] = await room.crowd(10)
    expect((await room.admitNow(3)).admitted.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(await room.admitted()).toEqual([4, 5])
    expect((await room.admitNow(2)).admitted).toHaveLength(2)
    await room.advance(1_000)
    expect(await room.admitted()).toEqual([8])
    const admitted = (await room.log()).flatMap(({ change }) => (change.kind === 'admitted' ? [change] : []))
    expect(admitted.filter(({ by }) => by === 'operator').map(({ number }) => number)).toEqual([1, 2, 3, 6, 7])
    expect(first && (await room.look(first)).state).toBe('admitted')
  })

  test('[M29] an operator never lets in past capacity or stock', async () => {
    const full = await openRoom({ settings: { capacity: 3 } })
    await full.crowd(9)
    expect(await full.admitNow(7)).toMatchObject({ admitted: { length: 3 }, floor: 3, more: false })
    const scarce = await openRoom({ state: { stock: 2, stockVersion: 1 } })
    await scarce.crowd(9)
    expect(await scarce.admitNow(7)).toMatchObject({ admitted: { length: 2 }, more: false })
  })

  test('[M29] not while the room is paused or held, before it opens, or when the ledger does not follow', async () => {
    const room = await openRoom({ state: { followWithinMs: 2_000 } })
    await room.line.trim(room.at, await room.seq())
    await room.crowd(3)
    await room.change({ paused: true })
    expect(await room.admitNow(3)).toMatchObject({ admitted: [], heldBy: 'paused' })
    await room.change({ paused: false, held: 'the ledger is away' })
    expect(await room.admitNow(3)).toMatchObject({ admitted: [], heldBy: 'held' })
    await room.change({ held: null, opensAt: (await room.now()).now + 1_000 })
    expect(await room.admitNow(3)).toMatchObject({ admitted: [], heldBy: 'not_open' })
    await room.advance(2_001)
    expect(await room.admitNow(3)).toMatchObject({ admitted: [], heldBy: 'unfollowed' })
  })

  test('[M29] [M6] away tickets do not count, and a full batch says that there is more', async () => {
    const room = await openRoom({ settings: { ratePerMinute: 1, burst: 1 } })
    await room.crowd(4, 'gone')
    await room.attend(testSettings().heartbeatTimeoutSeconds * 1_000 + 1_000)
    await room.crowd(4, 'there')
    expect(await room.admitNow(2, 5)).toMatchObject({ away: { length: 4 }, admitted: { length: 1 }, more: true })
    expect(await room.admitNow(1, 5)).toMatchObject({ admitted: [{ number: 6 }], more: false })
  })

  test('[M29] [L33] a repeated operation lets the tickets in once', async () => {
    const room = await openRoom()
    await room.crowd(6)
    const first = await room.admitNow(2, 1_000, 'let two in')
    expect(await room.admitNow(2, 1_000, 'let two in')).toEqual(first)
    expect((await room.now()).floor).toBe(2)
  })

  test('[M19] no ticket is admitted while the ledger does not follow; expiry continues', async () => {
    const room = await openRoom({ state: { followWithinMs: 2_000 } })
    await room.line.trim(room.at, await room.seq())
    const crowd = await room.crowd(5)
    await room.advance(2_000)
    expect(await room.admit(1)).toMatchObject({ admitted: { length: 1 }, heldBy: null })
    await room.advance(1)
    expect(await room.admit()).toMatchObject({ admitted: [], heldBy: 'unfollowed' })
    await room.advance(60_000)
    expect(await room.admit()).toMatchObject({ ended: { length: 1 }, admitted: [], heldBy: 'unfollowed' })
    await room.heartbeat(...crowd)
    // Progress counts, even when it does not reach the end.
    await room.line.trim(room.at, (await room.seq()) - 1)
    expect(await room.admit(1)).toMatchObject({ admitted: { length: 1 }, heldBy: null })
    await room.advance(2_001)
    expect(await room.admit()).toMatchObject({ admitted: [], heldBy: 'unfollowed', nextAt: expect.any(Number) })
    await room.line.trim(room.at, await room.seq())
    expect(await room.admit()).toMatchObject({ admitted: { length: 3 }, heldBy: null })
  })

  test('[M19] without a bound, an unfollowed log does not stop admission', async () => {
    const room = await openRoom({ state: { followWithinMs: null } })
    const ada = await room.draw('ada')
    await room.advance(3_600_000)
    await room.heartbeat(ada)
    expect(await room.admitted()).toEqual([ada.number])
  })
}
