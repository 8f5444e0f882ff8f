import { expect, test } from 'vitest'
import { joinRequest, type OpenRoom } from './test-room.ts'

export function stepRules(openRoom: OpenRoom): void {
  test('[L31] a call with many requests answers as if each were a step of its own', async () => {
    const together = await openRoom()
    const apart = await openRoom()
    const requests = [
      ...[joinRequest('a'), joinRequest('b'), joinRequest('c', { class: 3 }), joinRequest('a')],
      ...[joinRequest('d', { class: 2 }), joinRequest('e'), joinRequest('f', { class: 1, code: 'one' })],
      ...[joinRequest('g', { class: 1, code: 'one' }), joinRequest('c')],
    ]
    const replies = await together.line.join(together.at, requests)
    const single: unknown[] = []
    for (const request of requests) single.push(...(await apart.line.join(apart.at, [request])))
    expect(replies.map(withoutTimes)).toEqual(single.map(withoutTimes))
    expect((await together.log()).map(({ change }) => change)).toEqual((await apart.log()).map(({ change }) => change))
  })

  test('[L31] acts in one call see what the acts before them did', async () => {
    const room = await openRoom()
    const [ada, bob] = [await room.draw('ada'), await room.draw('bob')]
    const replies = await room.line.end(room.at, [
      { ...ada, as: 'cancelled', operation: 'one' },
      { ...ada, as: 'cancelled', operation: 'two' },
      { ...bob, as: 'cancelled', operation: 'three' },
    ])
    expect(replies).toMatchObject([
      { status: 'ended', seq: 4, waiting: 1 },
      { status: 'was_ended', seq: 4, waiting: 1 },
      { status: 'ended', seq: 5, waiting: 0 },
    ])
    expect((await room.log(3)).map(({ operation }) => operation)).toEqual(['one', 'three'])
  })

  test('[L31] a call with no requests answers nothing and changes nothing', async () => {
    const room = await openRoom()
    expect(await room.line.join(room.at, [])).toEqual([])
    expect(await room.line.look(room.at, [])).toEqual([])
    expect(await room.line.heartbeat(room.at, [])).toEqual({ back: [] })
    expect(await room.seq()).toBe(1)
  })

  test('[L32] a look after the deadline shows the state that the log has', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    await room.admit()
    await room.advance(60_000)
    expect(await room.look(ada)).toMatchObject({ state: 'expired', reason: 'timeout', deadline: null, fence: null })
    expect((await room.log()).at(-1)).toMatchObject({
      operation: 'look',
      change: { kind: 'expired', numbers: [ada.number], reason: 'timeout', ranks: null },
    })
    expect((await room.now()).floor).toBe(0)
  })

  test('[L32] entering, extending, completing and moving after the deadline find it expired', async () => {
    const room = await openRoom()
    const [a, b, c, d] = await room.crowd(4)
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('no crowd')
    await room.admit()
    await room.advance(60_000)
    expect(await room.enter(a)).toMatchObject({ status: 'not_admitted', state: 'expired', reason: 'timeout' })
    expect(await room.extend(b, 60_000)).toMatchObject({ status: 'not_on_floor', state: 'expired', extended: false })
    expect(await room.end(c, 'completed')).toMatchObject({ status: 'was_ended', state: 'expired', reason: 'timeout' })
    expect(await room.move(d)).toMatchObject({ status: 'over', state: 'expired', generation: 1 })
  })

  test('[L32] joining with an overdue ticket draws a new one', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    await room.admit()
    await room.advance(60_000)
    expect((await room.draw('ada')).number).toBeGreaterThan(ada.number)
    expect((await room.log(3)).map(({ change }) => change.kind)).toEqual(['expired', 'joined'])
  })

  test('[L32] an away ticket is not overdue before a sweep has ended it', async () => {
    const room = await openRoom({ settings: { awaySeconds: 10 } })
    const ada = await room.draw('ada')
    await room.attend(91_000)
    await room.sweep()
    await room.attend(20_000)
    expect(await room.look(ada)).toMatchObject({ state: 'waiting', away: true })
    expect(await room.heartbeat(ada)).toEqual([ada.number])
    expect(await room.sweep()).toEqual({ away: 0, expired: 0 })
  })

  test('[L32] a reservation for an overdue ticket is ignored', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    const { now } = await room.now()
    await room.admit()
    await room.advance(60_000)
    expect(await room.reserve(ada, now + 900_000)).toMatchObject({ left: [ada.number] })
    expect(await room.look(ada)).toMatchObject({ state: 'expired' })
    expect((await room.log(3)).map(({ change }) => change.kind)).toEqual(['expired', 'changed'])
  })

  test('[L33] a change is applied once for each operation', async () => {
    const room = await openRoom()
    const seq = await room.change({ operation: 'pause', paused: true })
    await room.change({ operation: 'resume', paused: false })
    expect(await room.change({ operation: 'pause', paused: true })).toBe(seq)
    expect((await room.now()).paused).toBe(false)
    expect(await room.log(1)).toHaveLength(2)
  })

  test('[L33] an admission that changed something repeats its first answer', async () => {
    const room = await openRoom()
    await room.crowd(4)
    const first = await room.admit(2, 'tick')
    expect(first.admitted).toHaveLength(2)
    await room.advance(1_000)
    expect(await room.admit(2, 'tick')).toEqual(first)
    expect((await room.admit(2, 'tock')).admitted).toHaveLength(2)
    const idle = await room.admit(2, 'idle')
    expect(idle.admitted).toEqual([])
    await room.draw('late')
    expect((await room.admit(2, 'idle')).admitted).toHaveLength(1)
  })

  test('[L33] operations are remembered for the next 31 changes', async () => {
    const room = await openRoom()
    for (let index = 0; index < 33; index++) await room.change({ operation: `change-${index}`, message: String(index) })
    await room.change({ operation: 'change-1', message: 'again' })
    expect((await room.now()).message).toBe('32')
    await room.change({ operation: 'change-0', message: 'again' })
    expect((await room.now()).message).toBe('again')
  })
}

/** Two rooms have two clocks. */
function withoutTimes(reply: unknown): unknown {
  return { ...(reply as object), now: 0, joinedAt: 0 }
}
