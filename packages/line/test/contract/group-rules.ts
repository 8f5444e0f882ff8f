import { expect, test } from 'vitest'
import { type RoomState, replay, type TicketAct } from '../../src/index.ts'
import { loadedTicket, type OpenRoom, type TestRoom } from './test-room.ts'

const USER = '0192f0c1-0000-7000-8000-000000000001'

export function groupRules(openRoom: OpenRoom): void {
  const kinds = async (room: TestRoom) => (await room.log()).map(({ change }) => change.kind)
  const last = async (room: TestRoom) => (await room.log()).at(-1)?.change

  test('[L150] two visitors stand together at the place of the later one, as one ticket', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    const bob = await room.draw('bob')
    const eve = await room.draw('eve', { group: ada.number })
    const group = { number: eve.number, place: eve.number, rank: 1, waiting: 2 }
    expect(eve).toMatchObject({ ...group, group: { number: eve.number, people: 2 } })
    expect(await room.look(ada)).toMatchObject({ ...group, group: { number: ada.number, people: 2 } })
    expect(await room.waiting()).toEqual([bob.number, eve.number])
    expect(await last(room)).toEqual({
      ...{ kind: 'grouped', number: eve.number, members: [ada.number, eve.number] },
      ...{ merged: ada.number, fromRank: 0, left: null },
    })
    expect(await room.present()).toEqual(new Map([[bob.number, 1]]))
  })

  test('[L150] a visitor who waits further ahead gives that place up; any member’s number leads to the group', async () => {
    const room = await openRoom()
    const [ada, bob, eve] = [await room.draw('ada'), await room.draw('bob'), await room.draw('eve')]
    expect(await room.join('ada', { group: eve.number })).toMatchObject({
      status: 'present',
      number: eve.number,
      rank: 1,
    })
    expect(await room.join('bob', { group: ada.number })).toMatchObject({
      ...{ status: 'present', number: eve.number, rank: 0, waiting: 1 },
      group: { number: bob.number, people: 3 },
    })
    // Again, it is only found.
    const seq = await room.seq()
    expect(await room.join('ada', { group: bob.number })).toMatchObject({ status: 'present', number: eve.number })
    expect(await room.seq()).toBe(seq)
  })

  test('[L150] before a draw the lower class counts, and one lot is drawn for all', async () => {
    const room = await openRoom()
    const { now } = await room.now()
    const state: Partial<RoomState> = {
      opensAt: now + 60_000,
      start: {
        joinsFrom: 0,
        hasStarted: false,
        draw: {
          ...{ note: { mode: 'commit', commitment: 'aa' }, isNew: true },
          ...{ progress: 'announced', sealAfterMs: 0, drawnBelow: 0 },
        },
      },
    }
    await room.load(3, { state })
    await room.crowd(9)
    const ada = await room.draw('ada')
    const bob = await room.draw('bob', { class: 1, code: 'one', group: ada.number })
    expect(bob).toMatchObject({ number: ada.number, class: 0, group: { number: ada.number + 1 } })
    await room.advance(60_000)
    await room.line.seal(room.at)
    expect(await last(room)).toMatchObject({ kind: 'sealed', count: 10 })
    expect(await room.join('eve', { group: ada.number })).toMatchObject({ status: 'drawing' })
    const places = [
      { number: ada.number, place: 1 },
      { number: bob.number, place: 2 },
    ]
    await room.line.rearrange(room.at, places)
    expect(await room.look({ number: bob.group?.number ?? 0, identity: 'bob', generation: 1 })).toMatchObject({
      place: 2,
    })
  })

  test('[L151] any visitor of a group enters, looks, claims seats and finishes, with one pass', async () => {
    const room = await openRoom({ settings: { maxWaiting: 9 }, state: { stock: 9 } })
    const ada = await room.draw('ada')
    const bob = await room.draw('bob', { group: ada.number })
    expect(await room.admitted()).toEqual([bob.number])
    const entered = await room.enter(ada)
    expect(entered).toMatchObject({ status: 'active', number: bob.number, group: { number: ada.number, people: 2 } })
    const fence = 'fence' in entered ? (entered.fence ?? 0) : 0
    expect(await room.enter(bob)).toMatchObject({ status: 'active', fence })
    expect(await room.check(bob.number, fence)).toMatchObject({ status: 'counts', people: ['ada', 'bob'] })
    const claim = { number: bob.number, fence, quantity: 2 }
    const take = (identity: string) =>
      room.line.take(room.at, [{ ...claim, identity, operation: `seats for ${identity}` }])
    expect(await take('stranger')).toMatchObject([{ status: 'stale' }])
    expect(await take('ada')).toMatchObject([{ status: 'taken' }])
    expect(await take('bob')).toMatchObject([{ status: 'taken' }])
    expect(await room.end(ada, 'completed')).toMatchObject({ status: 'ended', state: 'completed' })
    expect(await room.look(bob)).toMatchObject({ state: 'completed', number: bob.number })
    expect(await room.look(ada)).toMatchObject({ state: 'completed' })
    expect(await room.join('ada')).toMatchObject({ status: 'joined' })
  })

  test('[L151] the heartbeat of any visitor keeps the group, and brings it back', async () => {
    const room = await openRoom({ settings: { heartbeatTimeoutSeconds: 30 } })
    const ada = await room.draw('ada')
    const bob = await room.draw('bob', { group: ada.number })
    await room.attend(20_000)
    await room.heartbeat(ada)
    await room.attend(20_000)
    expect(await room.sweep()).toMatchObject({ away: 0 })
    await room.attend(31_000)
    expect(await room.sweep()).toMatchObject({ away: 1 })
    expect(await room.heartbeat(ada)).toEqual([bob.number])
    await room.attend(31_000)
    await room.sweep()
    expect(await room.look(ada, true)).toMatchObject({ back: true, rank: 0 })
    await room.attend(31_000)
    await room.sweep()
    // A visitor who joins the group is there, too.
    expect(await room.join('eve', { group: ada.number })).toMatchObject({ status: 'joined', rank: 0 })
  })

  test('[L151] a hand-over moves one visitor, and renews the pass for all', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    const bob = await room.draw('bob', { group: ada.number })
    const moved = await room.move(ada, 'to the phone')
    expect(moved).toMatchObject({ status: 'moved_here', number: bob.number, generation: 2 })
    expect(await room.move(ada, 'to the phone')).toMatchObject({ status: 'moved_here', generation: 2 })
    expect(await room.enter(ada)).toMatchObject({ status: 'moved' })
    expect(await room.look(bob)).toMatchObject({ generation: 1 })
    await room.admit()
    const before = await room.look(bob)
    const adaNow = { ...ada, generation: 2 }
    await room.move(adaNow)
    const after = await room.look(bob)
    expect(after.fence).toBeGreaterThan(before.fence ?? 0)
    expect((await kinds(room)).slice(-2)).toEqual(['moved', 'moved'])
    expect(await room.enter(bob)).toMatchObject({ status: 'active', fence: after.fence })
  })

  test('[L151] a visitor of a group who signs in stays in it, and leaves it for a ticket of the account', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada', { limit: { key: 'address', max: 2 } })
    const bob = await room.draw('bob', { group: ada.number, limit: { key: 'address', max: 2 } })
    expect(await room.join('eve', { limit: { key: 'address', max: 2 } })).toMatchObject({ status: 'limit_reached' })
    const adopt = (from: string, to: string) =>
      room.line.adopt(room.at, [{ fromIdentity: from, toIdentity: to, userId: USER, operation: `${from} signs in` }])
    expect(await adopt('ada', 'account')).toMatchObject([{ status: 'adopted', number: bob.number }])
    expect(await adopt('ada', 'account')).toMatchObject([{ status: 'adopted', number: bob.number }])
    expect(await room.look({ ...ada, identity: 'account' })).toMatchObject({ number: bob.number, rank: 0 })
    expect(await room.look(ada)).toMatchObject({ state: null })
    const eve = await room.draw('eve', { limit: { key: 'address', max: 2 } })
    await room.draw('other account')
    expect(await adopt('bob', 'other account')).toMatchObject([{ status: 'has_own' }])
    expect(await room.waiting()).toEqual([bob.number, eve.number, eve.number + 1])
    expect(await room.look({ ...ada, identity: 'account' })).toMatchObject({ number: bob.number, rank: 0 })
    expect(await room.join('bob')).toMatchObject({ status: 'joined', rank: 3 })
  })

  test('[L152] who leaves a group loses the place, and the others keep it', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    const bob = await room.draw('bob', { group: ada.number })
    const eve = await room.draw('eve', { group: bob.number })
    const { number } = eve
    expect(await room.end(ada, 'cancelled')).toMatchObject({ status: 'ended', number: ada.number, state: 'expired' })
    expect(await last(room)).toMatchObject({ kind: 'grouped', number, members: [bob.number, number], left: ada.number })
    expect(await room.end(ada, 'cancelled')).toMatchObject({ status: 'was_ended', reason: 'cancelled' })
    // The visitor whose ticket it was leaves, too.
    expect(await room.end(eve, 'cancelled')).toMatchObject({ status: 'ended', number, state: 'expired' })
    expect(await last(room)).toMatchObject({ kind: 'grouped', number, members: [bob.number], left: number })
    expect(await room.look(eve)).toMatchObject({ state: null })
    expect(await room.look(bob)).toMatchObject({ number, rank: 0, group: { number: bob.number, people: 1 } })
    expect(await room.join('eve')).toMatchObject({ status: 'joined', rank: 1 })
    expect(await room.join('carl', { group: ada.number })).toMatchObject({ status: 'group_over' })
    expect(await room.join('carl', { group: number })).toMatchObject({ status: 'group_over' })
    const carl = await room.draw('carl', { group: bob.number })
    // The ticket that its own visitor had left ends.
    expect((await room.log()).slice(-2).map(({ change }) => change)).toMatchObject([
      { kind: 'grouped', number: carl.number, members: [bob.number, carl.number], merged: null, left: null },
      { kind: 'expired', numbers: [number], reason: 'cancelled', ranks: [0] },
    ])
    expect(await room.look(bob)).toMatchObject({ number: carl.number, rank: 1 })
    expect(await room.end(carl, 'cancelled')).toMatchObject({ status: 'ended' })
    expect(await room.end(bob, 'cancelled')).toMatchObject({ status: 'ended' })
    expect(await last(room)).toMatchObject({ kind: 'expired', numbers: [carl.number] })
    expect(await room.waiting()).toEqual([number + 1])
  })

  test('[L152] on the floor the others keep slot and pass; an end is one for all', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    const bob = await room.draw('bob', { group: ada.number })
    await room.admit()
    const { fence } = await room.look(bob)
    await room.end(bob, 'cancelled')
    expect(await room.enter(ada)).toMatchObject({ status: 'active', fence })
    expect(await room.check(bob.number, fence)).toMatchObject({ status: 'counts', people: ['ada'] })
    const claim = { number: bob.number, fence: fence ?? 0, quantity: 1, operation: 'seat' }
    expect(await room.line.take(room.at, [{ ...claim, identity: 'bob' }])).toMatchObject([{ status: 'stale' }])
    expect(await room.line.take(room.at, [{ ...claim, identity: 'ada' }])).toMatchObject([{ status: 'taken' }])
    await room.advance(300_000)
    await room.admit()
    expect(await room.look(ada)).toMatchObject({ state: 'expired', reason: 'timeout' })
    const eve = await room.draw('eve')
    const carl = await room.draw('carl', { group: eve.number })
    await room.end(carl, 'terminated')
    expect(await room.look(eve)).toMatchObject({ state: 'expired', reason: 'terminated' })
    // The ledger has it: the room forgets all of them.
    await room.line.trim(room.at, await room.seq())
    for (const gone of [ada, eve, carl]) expect(await room.look(gone)).toMatchObject({ state: null })
    expect(await room.join('eve')).toMatchObject({ status: 'joined' })
  })

  test('[L153] a refused join draws nothing', async () => {
    const room = await openRoom({ settings: { groupMax: 2 } })
    const ada = await room.draw('ada')
    const bob = await room.draw('bob', { group: ada.number })
    const eve = await room.draw('eve')
    const carl = await room.draw('carl', { group: eve.number })
    const seq = await room.seq()
    expect(await room.join('dan', { group: 99 })).toMatchObject({ status: 'group_over' })
    expect(await room.join('dan', { group: ada.number })).toMatchObject({ status: 'group_full' })
    expect(await room.join('ada', { group: carl.number })).toMatchObject({ status: 'in_group' })
    expect(await room.join('bob', { class: 2, code: 'one' })).toMatchObject({ status: 'in_group' })
    expect(await room.seq()).toBe(seq)
    expect(await room.waiting()).toEqual([bob.number, carl.number])
    await room.admit()
    expect(await room.join('dan', { group: ada.number })).toMatchObject({ status: 'group_over' })
    const dan = await room.draw('dan')
    await room.admit()
    await room.draw('fay')
    expect(await room.join('dan', { group: dan.number + 1 })).toMatchObject({ status: 'group_over' })
  })

  test('[L150] a loaded group is as before, and the log replays to the room', async () => {
    const tickets = [
      loadedTicket(3),
      loadedTicket(7),
      loadedTicket(9, { identity: '!9' }),
      loadedTicket(5, { standsWith: 7, generation: 2 }),
      loadedTicket(2, { standsWith: 9, limitKey: 'address' }),
    ]
    const room = await openRoom({ tickets, state: { nextNumber: 10 } })
    const visitor = (number: number, generation = 1): TicketAct => ({
      number,
      identity: `loaded-${number}`,
      generation,
    })
    expect(await room.look(visitor(5, 2))).toMatchObject({
      number: 7,
      rank: 1,
      generation: 2,
      group: { number: 5, people: 2 },
    })
    expect(await room.look(visitor(2))).toMatchObject({ number: 9, rank: 2, group: { number: 2, people: 1 } })
    expect(await room.join('fay', { limit: { key: 'address', max: 1 } })).toMatchObject({ status: 'limit_reached' })
    expect(await room.join('loaded-7', { group: 2 })).toMatchObject({ status: 'in_group' })
    const ada = await room.draw('ada', { group: 5 })
    await room.move(visitor(5, 2))
    await room.end(ada, 'cancelled')
    await room.end(visitor(3), 'cancelled')
    const replayed = replay(await room.log(), tickets)
    expect(replayed.line.map(({ number }) => number)).toEqual([9, ada.number])
    expect(await room.waiting()).toEqual([9, ada.number])
    expect(replayed.ended.map(({ number }) => number)).toEqual([3])
  })
}
