import { expect, test } from 'vitest'
import type { JoinRequest } from '../../src/index.ts'
import { joinRequest, type OpenRoom } from './test-room.ts'

export function ticketRules(openRoom: OpenRoom): void {
  test('[L1] joining again returns the same ticket, and the line grows once', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    await room.draw('bob')
    const again = await room.join('ada')
    expect(again).toMatchObject({ status: 'present', number: ada.number, place: ada.place, rank: 0, waiting: 2 })
    expect((await room.now()).waiting).toBe(2)
  })

  test('[L1] the same identity twice in one call draws one ticket', async () => {
    const room = await openRoom()
    const replies = await room.line.join(room.at, [joinRequest('ada'), joinRequest('ada'), joinRequest('bob')])
    expect(replies.map(({ status }) => status)).toEqual(['joined', 'present', 'joined'])
    expect(replies).toMatchObject([{ number: 1 }, { number: 1 }, { number: 2 }])
  })

  test('[L1] a visitor on the floor who joins again is shown the ticket on the floor', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    await room.admit()
    expect(await room.join('ada')).toMatchObject({ status: 'present', number: ada.number, state: 'admitted' })
  })

  test('[L2] numbers count up from the room’s counter', async () => {
    const room = await openRoom({ state: { nextNumber: 7 } })
    const tickets = await room.crowd(3)
    expect(tickets.map(({ number }) => number)).toEqual([7, 8, 9])
    expect((await room.now()).nextNumber).toBe(10)
  })

  test('[L2] [L3] tickets that joined in one instant keep their order', async () => {
    const room = await openRoom()
    const tickets = await room.crowd(150)
    expect(new Set(tickets.map(({ joinedAt }) => joinedAt)).size).toBe(1)
    expect(await room.waiting()).toEqual(tickets.map(({ number }) => number))
  })

  test('[L4] a visitor who left and joins again gets a new ticket at the back', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    const bob = await room.draw('bob')
    await room.end(ada, 'cancelled')
    const again = await room.draw('ada')
    expect(again.number).toBeGreaterThan(bob.number)
    expect(again.rank).toBe(1)
    expect(await room.look(ada)).toMatchObject({ state: 'expired', reason: 'cancelled' })
  })

  test('[L5] joining is refused before the sale opens, by the room’s clock', async () => {
    const room = await openRoom()
    const { now } = await room.now()
    await room.change({ opensAt: now + 1_000 })
    await room.advance(999)
    expect(await room.join('ada')).toMatchObject({ status: 'not_started' })
    await room.advance(1)
    expect(await room.join('ada')).toMatchObject({ status: 'joined' })
  })

  test('[L5] joining is refused after the sale closes; a visitor with a ticket still gets it', async () => {
    const room = await openRoom()
    const { now } = await room.now()
    await room.change({ closesAt: now + 1_000 })
    const ada = await room.draw('ada')
    await room.advance(1_000)
    expect(await room.join('bob')).toMatchObject({ status: 'joined' })
    await room.advance(1)
    expect(await room.join('carol')).toMatchObject({ status: 'sale_ended' })
    expect(await room.join('ada')).toMatchObject({ status: 'present', number: ada.number })
  })

  test('[L91] what is good once draws one ticket, and a refused join spends nothing', async () => {
    const room = await openRoom({ settings: { maxWaiting: 2 } })
    const { now } = await room.now()
    const proof = { key: 'a-proof', until: now + 60_000, forMs: 0 }
    const join = async (name: string, given: JoinRequest['proof']) =>
      (await room.line.join(room.at, [{ ...joinRequest(name), ...(given !== undefined && { proof: given }) }]))[0]
    await room.change({ opensAt: now + 1_000 })
    expect(await join('ada', proof)).toMatchObject({ status: 'not_started' })
    await room.advance(1_000)
    expect(await join('ada', null)).toMatchObject({ status: 'proof_missing' })
    const drawn = await join('ada', proof)
    expect(drawn).toMatchObject({ status: 'joined', rank: 0 })
    expect(await join('bob', proof)).toMatchObject({ status: 'proof_spent' })
    expect(await join('ada', null)).toMatchObject({ status: 'present' })
    expect(await join('ada', proof)).toMatchObject({ status: 'present' })
    const both = await room.line.join(room.at, [
      { ...joinRequest('bob'), proof: { ...proof, key: 'of:both' } },
      { ...joinRequest('eve'), proof: { ...proof, key: 'of:both' } },
    ])
    expect(both.map(({ status }) => status)).toEqual(['joined', 'full'])
    await room.change({ settings: { maxWaiting: 10 } })
    expect(await join('eve', { ...proof, key: 'of:both' })).toMatchObject({ status: 'proof_spent' })
    expect((await room.now()).waiting).toBe(2)
  })

  test('[L91] a wait that was begun before the last one of its key was spent does not count', async () => {
    const room = await openRoom()
    const { now } = await room.now()
    const wait = (name: string, begun: number) =>
      room.line.join(room.at, [
        { ...joinRequest(name), proof: { key: 'w:home', until: begun + 300_000, forMs: 300_000 } },
      ])
    await room.advance(20_000)
    expect(await wait('ada', now)).toMatchObject([{ status: 'joined' }])
    expect(await wait('bob', now + 19_000)).toMatchObject([{ status: 'proof_spent' }])
    expect(await wait('bob', now + 20_001)).toMatchObject([{ status: 'joined' }])
  })

  test('[L92] what cannot count any more is forgotten', async () => {
    const room = await openRoom()
    const spend = async (name: string, key: string, until: number) =>
      (await room.line.join(room.at, [{ ...joinRequest(name), proof: { key, until, forMs: 0 } }]))[0]?.status
    const { now } = await room.now()
    for (let index = 0; index < 6; index++) await spend(`early ${index}`, `early-${index}`, now + 1_000)
    expect(await spend('late', 'early-0', now + 1_000)).toBe('proof_spent')
    await room.advance(62_000)
    for (let index = 0; index < 2; index++) await spend(`late ${index}`, `late-${index}`, now + 600_000)
    for (let index = 0; index < 6; index++) {
      expect(await spend(`again ${index}`, `early-${index}`, now + 1_000)).toBe('joined')
    }
    expect(await spend('last', 'late-0', now + 600_000)).toBe('proof_spent')
  })

  test('[L6] joining is refused when the line is full; leaving makes room', async () => {
    const room = await openRoom({ settings: { maxWaiting: 2 } })
    const [first] = await room.crowd(2)
    expect(await room.join('ada')).toMatchObject({ status: 'full' })
    if (first !== undefined) await room.end(first, 'cancelled')
    expect(await room.join('ada')).toMatchObject({ status: 'joined' })
  })

  test('[L6] away tickets leave room for as many present ones, and no more', async () => {
    const room = await openRoom({ settings: { maxWaiting: 2 } })
    const asleep = await room.crowd(2, 'asleep')
    await room.attend(91_000)
    expect(await room.sweep()).toEqual({ away: 2, expired: 0 })
    await room.crowd(2, 'awake')
    expect(await room.join('ada')).toMatchObject({ status: 'full' })
    await room.attend(91_000)
    expect(await room.sweep()).toEqual({ away: 2, expired: 0 })
    expect(await room.join('ada')).toMatchObject({ status: 'full' })
    expect(await room.heartbeat(...asleep)).toHaveLength(2)
    expect(await room.now()).toMatchObject({ waiting: 2, away: 2 })
  })

  test('[L7] a priority code is good for one ticket', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada', { class: 2, code: 'golden' })
    expect(await room.join('bob', { class: 2, code: 'golden' })).toMatchObject({ status: 'code_used' })
    expect(await room.join('ada', { class: 2, code: 'golden' })).toMatchObject({
      status: 'present',
      number: ada.number,
    })
    await room.end(ada, 'cancelled')
    expect(await room.join('ada', { class: 2, code: 'golden' })).toMatchObject({ status: 'code_used' })
    expect(await room.join('carol', { class: 2, code: 'silver' })).toMatchObject({ status: 'joined' })
  })

  test('[L7] codes used in an earlier epoch stay used', async () => {
    const room = await openRoom({ state: { usedCodes: ['golden'] } })
    expect(await room.join('ada', { class: 1, code: 'golden' })).toMatchObject({ status: 'code_used' })
  })

  test('[L8] visitors who share a limit hold only so many live tickets', async () => {
    const room = await openRoom()
    const limit = { key: 'address', max: 2 }
    const ada = await room.draw('ada', { limit })
    await room.draw('bob', { limit })
    expect(await room.join('carol', { limit })).toMatchObject({ status: 'limit_reached' })
    expect(await room.join('ada', { limit })).toMatchObject({ status: 'present' })
    expect(await room.join('carol', { limit: { key: 'elsewhere', max: 1 } })).toMatchObject({ status: 'joined' })
    await room.admit(1)
    expect(await room.join('dora', { limit })).toMatchObject({ status: 'limit_reached' })
    await room.end(ada, 'completed')
    expect(await room.join('dora', { limit })).toMatchObject({ status: 'joined' })
  })

  test('[L8] a limit of 0 refuses no visitor, and counts those who join for a limit that is set later', async () => {
    const room = await openRoom()
    const unlimited = { key: 'address', max: 0 }
    const first = await room.draw('visitor-0', { limit: unlimited })
    for (let i = 1; i <= 150; i++) await room.draw(`visitor-${i}`, { limit: unlimited })
    expect(await room.join('late', { limit: { key: 'address', max: 151 } })).toMatchObject({ status: 'limit_reached' })
    await room.end(first, 'cancelled', 'leave')
    expect(await room.join('late', { limit: { key: 'address', max: 151 } })).toMatchObject({ status: 'joined' })
    expect(await room.join('later', { limit: { key: 'address', max: 151 } })).toMatchObject({ status: 'limit_reached' })
  })

  test('[L123] a device that holds enough live tickets draws no other', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    const held = { numbers: [ada.number, 4_000], max: 1 }
    expect(await room.join('bob', { held })).toMatchObject({ status: 'held' })
    expect(await room.join('bob', { held: { ...held, max: 2 } })).toMatchObject({ status: 'joined' })
    expect(await room.join('ada', { held })).toMatchObject({ status: 'present' })
    expect(await room.join('carol', { held, proof: null })).toMatchObject({ status: 'held' })
    await room.end(ada, 'cancelled')
    expect(await room.join('carol', { held })).toMatchObject({ status: 'joined' })
  })

  test('[L123] [L32] a ticket whose time on the floor is over counts no more, and the log tells its end first', async () => {
    const room = await openRoom({ settings: { claimSeconds: 10 } })
    const ada = await room.draw('ada')
    await room.admit(1)
    const held = { numbers: [ada.number], max: 1 }
    expect(await room.join('bob', { held })).toMatchObject({ status: 'held' })
    await room.advance(10_001)
    expect(await room.join('bob', { held })).toMatchObject({ status: 'joined' })
    const kinds = (await room.log()).map(({ change }) => change.kind)
    expect(kinds.slice(-2)).toEqual(['expired', 'joined'])
  })

  test('[L9] leaving twice answers the same, and moves those behind up once', async () => {
    const room = await openRoom()
    const [ada, bob, carol] = [await room.draw('ada'), await room.draw('bob'), await room.draw('carol')]
    expect(await room.end(ada, 'cancelled', 'leave')).toMatchObject({ status: 'ended', state: 'expired', waiting: 2 })
    const again = await room.end(ada, 'cancelled', 'leave')
    expect(again).toMatchObject({ status: 'was_ended', state: 'expired', reason: 'cancelled', waiting: 2 })
    expect(await room.rank(bob)).toBe(0)
    expect(await room.rank(carol)).toBe(1)
    expect((await room.log()).filter(({ change }) => change.kind === 'expired')).toHaveLength(1)
  })

  test('[L9] a ticket that ended in one way cannot end in another', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    await room.end(ada, 'cancelled')
    expect(await room.end(ada, 'terminated')).toMatchObject({ status: 'was_ended', reason: 'cancelled' })
    expect(await room.end(ada, 'completed')).toMatchObject({ status: 'was_ended', reason: 'cancelled' })
  })

  test('[L10] an act with an older generation is refused as moved', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    expect(await room.move(ada, 'hand-over')).toMatchObject({ status: 'moved_here', generation: 2, fence: null })
    expect(await room.enter(ada)).toMatchObject({ status: 'moved' })
    expect(await room.extend(ada, 1_000)).toMatchObject({ status: 'moved' })
    expect(await room.end(ada, 'cancelled')).toMatchObject({ status: 'moved' })
    expect(await room.move(ada)).toMatchObject({ status: 'moved' })
    expect(await room.look(ada)).toMatchObject({ generation: 2, state: 'waiting' })
    expect(await room.end({ ...ada, generation: 2 }, 'cancelled')).toMatchObject({ status: 'ended' })
  })

  test('[L10] moving twice with one operation moves once; moving an ended ticket is over', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    await room.move(ada, 'hand-over')
    expect(await room.move(ada, 'hand-over')).toMatchObject({ status: 'moved_here', generation: 2 })
    const moved = { ...ada, generation: 2 }
    expect(await room.move(moved, 'second')).toMatchObject({ status: 'moved_here', generation: 3 })
    await room.end({ ...ada, generation: 3 }, 'cancelled')
    expect(await room.move({ ...ada, generation: 3 }, 'third')).toMatchObject({ status: 'over', state: 'expired' })
  })

  test('[L10] a look with an older generation is answered, but is no heartbeat', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    await room.move(ada)
    await room.attend(91_000)
    await room.look(ada, true)
    expect((await room.admit()).away).toEqual([ada.number])
  })

  test('[L11] an act with another identity is refused as unknown', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    const stolen = { ...ada, identity: 'mallory' }
    const seq = await room.seq()
    expect(await room.enter(stolen)).toEqual({ status: 'unknown', seq })
    expect(await room.end(stolen, 'cancelled')).toEqual({ status: 'unknown', seq })
    expect(await room.extend(stolen, 1_000)).toEqual({ status: 'unknown', seq })
    expect(await room.move(stolen)).toEqual({ status: 'unknown', seq })
    expect(await room.look(stolen, true)).toMatchObject({ number: ada.number, state: null, rank: null })
    expect(await room.end(stolen, 'terminated')).toMatchObject({ status: 'ended', reason: 'terminated' })
  })
}
