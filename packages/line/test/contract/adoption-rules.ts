import { expect, test } from 'vitest'
import { replay } from '../../src/index.ts'
import type { OpenRoom, TestRoom } from './test-room.ts'

const USER = '0192f0c1-0000-7000-8000-000000000001'

export function adoptionRules(openRoom: OpenRoom): void {
  const adopt = async (room: TestRoom, from: string, to: string, operation = room.operation()) => {
    const request = { fromIdentity: from, toIdentity: to, userId: USER, operation }
    const [reply] = await room.line.adopt(room.at, [request])
    return reply
  }

  test('[L40] a guest’s ticket is the account’s from then on, at its place', async () => {
    const room = await openRoom()
    await room.draw('ada')
    const guest = await room.draw('guest')
    await room.draw('bob')
    expect(await adopt(room, 'guest', 'account')).toMatchObject({
      status: 'adopted',
      number: guest.number,
      place: guest.place,
      rank: 1,
      waiting: 3,
    })
    expect(await room.join('account')).toMatchObject({ status: 'present', number: guest.number, rank: 1 })
    expect(await room.rank({ ...guest, identity: 'account' })).toBe(1)
    // The guest's own token proves nothing any more, and the guest may join anew.
    expect(await room.look(guest)).toMatchObject({ state: null })
    expect(await room.end(guest, 'cancelled')).toMatchObject({ status: 'unknown' })
    expect(await room.join('guest')).toMatchObject({ status: 'joined', rank: 3 })
  })

  test('[L52] an account with a live ticket keeps its own, and the guest’s ends as cancelled', async () => {
    const room = await openRoom()
    const guest = await room.draw('guest')
    const own = await room.draw('account')
    const seq = await room.seq()
    expect(await adopt(room, 'guest', 'account', 'sign-in')).toEqual({ status: 'has_own', seq: seq + 1 })
    expect(await room.rank(own)).toBe(0)
    expect(await room.look(guest)).toMatchObject({ state: 'expired', reason: 'cancelled' })
    expect(await adopt(room, 'guest', 'account', 'sign-in')).toEqual({ status: 'has_own', seq: seq + 1 })
    expect(await adopt(room, 'account', 'account')).toMatchObject({ status: 'has_own' })
    expect(await room.rank(own)).toBe(0)
  })

  test('[L52] a guest’s ticket that has reserved, or is about to, lives on until that is over', async () => {
    const room = await openRoom()
    const guest = await room.draw('guest')
    await room.draw('account')
    await room.admit()
    const claimed = await room.enter(guest)
    const fence = 'fence' in claimed ? (claimed.fence ?? 0) : 0
    const { number } = guest
    await room.line.take(room.at, [{ number, fence, quantity: 1, operation: 'one seat', identity: 'guest' }])
    expect(await adopt(room, 'guest', 'account')).toMatchObject({ status: 'has_own' })
    expect(await room.look(guest)).toMatchObject({ state: 'active' })
    const until = (await room.now()).now + 60_000
    const counts = { version: 2, stock: 9, heldSeats: 1 }
    const results = [{ operation: 'one seat', number, reserved: { until, quantity: 1 } }]
    await room.line.settle(room.at, { ...counts, results })
    expect(await adopt(room, 'guest', 'account')).toMatchObject({ status: 'has_own' })
    expect(await room.look(guest)).toMatchObject({ state: 'active' })
    // Paid by the account: the box office need not know which identity the ticket has.
    expect(await room.end({ ...guest, identity: '' }, 'paid')).toMatchObject({ status: 'ended', state: 'completed' })
  })

  test('[L40] without a live ticket there is nothing to adopt', async () => {
    const room = await openRoom()
    const guest = await room.draw('guest')
    await room.end(guest, 'cancelled')
    const seq = await room.seq()
    expect(await adopt(room, 'guest', 'account')).toEqual({ status: 'nothing', seq })
    expect(await adopt(room, 'stranger', 'account')).toEqual({ status: 'nothing', seq })
  })

  test('[L40] repeating an adoption answers the same and adopts once', async () => {
    const room = await openRoom()
    const guest = await room.draw('guest')
    const first = await adopt(room, 'guest', 'account', 'sign-in')
    expect(await adopt(room, 'guest', 'account', 'sign-in')).toEqual(first)
    expect((await room.log()).filter(({ change }) => change.kind === 'adopted')).toHaveLength(1)
    await room.draw('guest')
    expect(await adopt(room, 'guest', 'account', 'sign-in')).toMatchObject({ number: guest.number })
    expect(await adopt(room, 'guest', 'account', 'another')).toMatchObject({ status: 'has_own' })
  })

  test('[L40] [M21] on the floor the pass stays good, and is the account’s', async () => {
    const room = await openRoom()
    const guest = await room.draw('guest')
    await room.admit()
    const claimed = await room.enter(guest)
    const fence = 'fence' in claimed ? claimed.fence : null
    const adopted = await adopt(room, 'guest', 'account')
    expect(adopted).toMatchObject({ status: 'adopted', state: 'active', fence })
    expect(await room.check(guest.number, fence)).toMatchObject({ status: 'counts', identity: 'account' })
    const request = { number: guest.number, fence: fence ?? 0, quantity: 1, operation: 'one seat' }
    const takes = ['guest', 'account'].map((identity) => ({ ...request, identity }))
    expect(await room.line.take(room.at, takes)).toMatchObject([{ status: 'stale' }, { status: 'taken' }])
  })

  test('[L40] [L8] an adopted ticket no longer counts against the guests of its address', async () => {
    const room = await openRoom()
    const limit = { key: 'address', max: 1 }
    await room.draw('guest', { limit })
    expect(await room.join('other', { limit })).toMatchObject({ status: 'limit_reached' })
    await adopt(room, 'guest', 'account')
    const other = await room.draw('other', { limit })
    expect(await room.join('third', { limit })).toMatchObject({ status: 'limit_reached' })
    await room.end({ ...other, identity: 'other' }, 'cancelled')
    expect(await room.join('third', { limit })).toMatchObject({ status: 'joined' })
  })

  test('[L40] [L32] an overdue ticket expires first', async () => {
    const room = await openRoom()
    const guest = await room.draw('guest')
    await room.admit()
    await room.advance(3_600_000)
    expect(await adopt(room, 'guest', 'account')).toMatchObject({ status: 'nothing' })
    expect(await room.look(guest)).toMatchObject({ state: 'expired', reason: 'timeout' })
  })

  test('[L40] [L20] the log tells the new identity of the ticket', async () => {
    const room = await openRoom()
    const guest = await room.draw('guest')
    await adopt(room, 'guest', 'account')
    const log = await room.log()
    expect(log.at(-1)?.change).toEqual({ kind: 'adopted', number: guest.number, identity: 'account', userId: USER })
    expect(replay(log).line).toMatchObject([{ number: guest.number, identity: 'account' }])
  })
}
