import { expect, test } from 'vitest'
import { replay } from '../../src/index.ts'
import type { OpenRoom } from './test-room.ts'
import { loadedTicket } from './test-room.ts'

export function logRules(openRoom: OpenRoom): void {
  test('[L18] seq counts from 1 without gaps, and the first entry says why the epoch began', async () => {
    const tickets = [loadedTicket(1), loadedTicket(2, { state: 'active', deadline: 4_000_000_000_000, fence: 5 })]
    const room = await openRoom({ tickets, state: { nextNumber: 3, reason: 'start' } })
    await room.crowd(5)
    await room.admit(3)
    const log = await room.log()
    expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: log.length }, (_, index) => index + 1))
    expect(new Set(log.map(({ epoch }) => epoch))).toEqual(new Set([room.epoch]))
    const { settings, paused, soldOut, opensAt, closesAt, stock } = await room.now()
    expect(log[0]).toMatchObject({
      operation: 'load',
      change: {
        ...{ kind: 'opened', reason: 'start', nextNumber: 3, waiting: 1, floor: 1 },
        rules: { settings, paused, soldOut, opensAt, closesAt, stock },
      },
    })
  })

  test('[L18] an entry tells everything the ledger must know of a join', async () => {
    const room = await openRoom()
    const shown = { name: 'Ada\t"Lovelace"\n', avatar: null }
    const profile = '{"name":"Ada Łovelace","metadata":{"tab":"\\t","line":"\\n"}}'
    const limit = { key: 'address', max: 1 }
    const { now } = await room.now()
    await room.join('ada', { class: 1, code: 'golden', limit, shown, profile })
    expect((await room.log(1))[0]).toEqual({
      epoch: room.epoch,
      seq: 2,
      at: now,
      operation: 'join',
      change: {
        kind: 'joined',
        ...{ number: 1, identity: 'ada', class: 1, place: 1, rank: 0, code: 'golden', limitKey: 'address' },
        ...{ shown, profile },
      },
    })
  })

  test('[L18] every kind of entry carries what changed, when, and by which operation', async () => {
    const room = await openRoom()
    const { now: start } = await room.now()
    const ada = await room.draw('ada')
    await room.draw('bob')
    await room.admit(1, 'let-in')
    await room.enter(ada)
    await room.extend(ada, 5_000, 'more-time')
    await room.move(ada, 'hand-over')
    const reserved = { until: start + 900_000, quantity: 2 }
    await room.settle({ version: 7, stock: 3, results: [{ operation: 'seats', number: 1, reserved }] })
    await room.settle({ version: 8, stock: 3, results: [{ operation: 'no-seats', number: 1, reserved: null }] })
    await room.end({ ...ada, generation: 2 }, 'completed', 'paid')
    await room.attend(91_000)
    await room.admit(1, 'all-absent')
    await room.heartbeat({ ...ada, number: 2 })
    await room.advance(4_000)
    await room.sweep()
    await room.end({ number: 2, identity: '', generation: 0 }, 'terminated', 'by-operator')
    const fence = (epochSeq: number) => room.epoch * 2 ** 36 + epochSeq
    const log = (await room.log(3)).map(({ operation, at, change }) => ({ operation, after: at - start, ...change }))
    const deadline = start + 300_000
    expect(log).toEqual([
      {
        ...{ operation: 'let-in', after: 0, kind: 'admitted', number: 1, class: 0 },
        ...{ fence: fence(4), deadline: start + 60_000, active: false },
      },
      { operation: 'enter', after: 0, kind: 'entered', number: 1, deadline },
      {
        operation: 'more-time',
        after: 0,
        kind: 'extended',
        number: 1,
        deadline: deadline + 5_000,
        sessionEnd: deadline + 5_000,
      },
      { operation: 'hand-over', after: 0, kind: 'moved', number: 1, generation: 2, fence: fence(7) },
      { operation: 'seats-7', after: 0, kind: 'reserved', numbers: [1], deadline: start + 900_000, quantity: 2 },
      { operation: 'seats-7', after: 0, kind: 'changed', by: 'seats', stock: 3 },
      { operation: 'seats-8', after: 0, kind: 'reserved', numbers: [1], deadline: null, quantity: 0 },
      { operation: 'paid', after: 0, kind: 'completed', number: 1 },
      { operation: 'all-absent', after: 91_000, kind: 'away', numbers: [2], ranks: [0] },
      { operation: 'heartbeat', after: 91_000, kind: 'back', numbers: [2], ranks: [0] },
      { operation: 'sweep', after: 95_000, kind: 'attended', unattendedSince: start + 91_000 },
      { operation: 'by-operator', after: 95_000, kind: 'expired', numbers: [2], reason: 'terminated', ranks: [0] },
    ])
  })

  test('[L18] a change is logged with exactly what was given', async () => {
    const room = await openRoom()
    const { now } = await room.now()
    const all = {
      settings: { capacity: 7, priorityMode: 'lanes', stockAware: false } as const,
      ...{ paused: true, held: 'the ledger is away', message: 'Soon!\n"Really"', opensAt: now - 5, closesAt: now + 5 },
    }
    await room.change({ operation: 'all', by: 'operator', ...all })
    await room.change({ operation: 'some', by: 'operator', held: null, message: null })
    await room.change({ operation: 'nothing', by: 'operator' })
    expect((await room.log(1)).map(({ operation, change }) => ({ operation, ...change }))).toEqual([
      { operation: 'all', kind: 'changed', by: 'operator', ...all },
      { operation: 'some', kind: 'changed', by: 'operator', held: null, message: null },
    ])
    expect(await room.now()).toMatchObject({ ...all, held: null, message: null, settings: { capacity: 7 } })
  })

  test('[L19] refusals and reads append nothing', async () => {
    const room = await openRoom({ settings: { maxWaiting: 1, capacity: 1 } })
    const ada = await room.draw('ada')
    const seq = await room.seq()
    await room.join('bob')
    await room.enter(ada)
    await room.extend(ada, 1_000)
    await room.end(ada, 'completed')
    await room.enter({ ...ada, number: 99 })
    await room.restore({ number: 9, place: 9, class: 0, identity: 'x', generation: 1, epoch: 1, joinedAt: 1 })
    await room.change({ paused: true })
    await room.admit()
    await room.look(ada, true)
    await room.range()
    await room.floor()
    await room.now()
    expect((await room.log(seq)).map(({ change }) => change.kind)).toEqual(['changed'])
  })

  test('[L20] replaying the log gives the state', async () => {
    const room = await openRoom({ settings: { capacity: 3, graceSeconds: 30, claimSeconds: 30 } })
    const crowd = await room.crowd(12)
    await room.attend(91_000)
    await room.heartbeat(...crowd.slice(4))
    await room.admit(6)
    await room.sweep()
    await room.attend(20_000)
    await room.heartbeat(...crowd.slice(0, 2))
    for (const ticket of crowd.slice(4, 6)) await room.enter(ticket)
    await room.draw('vip', { class: 3 })
    for (const ticket of crowd.slice(8, 10)) await room.end(ticket, 'cancelled')
    await room.attend(20_000)
    await room.sweep()
    await room.admit(6)
    const replayed = replay(await room.log())
    expect(replayed.line.map(({ number }) => number)).toEqual(await room.waiting())
    const floor = (await room.floor()).map(({ number, state, deadline, fence }) => ({ number, state, deadline, fence }))
    expect(replayed.floor).toMatchObject(floor)
    for (const { number, state, reason } of replayed.ended) {
      const ticket = crowd.find((other) => other.number === number)
      if (ticket !== undefined) expect(await room.look(ticket)).toMatchObject({ state, reason })
    }
    expect(replayed.ended.length).toBeGreaterThan(3)
  })

  test('[L21] at 80 % of its bound the log refuses joins, and nothing else', async () => {
    const room = await openRoom({ state: { logMax: 10 } })
    const crowd = await room.crowd(7)
    expect(await room.join('ada')).toMatchObject({ status: 'log_full', seq: 8 })
    expect(await room.join('visitor-0')).toMatchObject({ status: 'present' })
    expect((await room.now()).logFill).toBe(0.8)
    const [first, second, third] = crowd
    if (first === undefined || second === undefined || third === undefined) throw new Error('no crowd')
    expect(await room.admit()).toMatchObject({ admitted: { length: 7 } })
    expect(await room.enter(first)).toMatchObject({ status: 'active' })
    expect(await room.end(first, 'completed')).toMatchObject({ status: 'ended' })
    expect(await room.end(second, 'cancelled')).toMatchObject({ status: 'ended' })
    await room.advance(60_000)
    expect((await room.admit()).ended).toHaveLength(5)
    await room.line.trim(room.at, await room.seq())
    expect(await room.join('ada')).toMatchObject({ status: 'joined' })
  })

  test('[L21] joins in one call are refused from the entry on that reaches the bound', async () => {
    const room = await openRoom({ state: { logMax: 10 } })
    const requests = Array.from({ length: 9 }, (_, index) => ({
      identity: `v${index}`,
      class: 0 as const,
      profile: '',
    }))
    const replies = await room.line.join(room.at, requests)
    expect(replies.map(({ status }) => status)).toEqual([...Array(7).fill('joined'), 'log_full', 'log_full'])
  })

  test('[L22] trimming forgets the log before that entry, and the tickets that ended up to it', async () => {
    const room = await openRoom()
    const [ada, bob, carol] = [await room.draw('ada'), await room.draw('bob'), await room.draw('carol')]
    await room.end(ada, 'cancelled')
    const seq = await room.seq()
    await room.end(bob, 'cancelled')
    await room.line.trim(room.at, seq)
    expect((await room.log()).map((entry) => entry.seq)).toEqual([seq, seq + 1])
    expect(await room.look(ada)).toMatchObject({ state: null, number: ada.number })
    expect(await room.end(ada, 'cancelled')).toMatchObject({ status: 'unknown' })
    expect(await room.look(bob)).toMatchObject({ state: 'expired' })
    expect(await room.rank(carol)).toBe(0)
    expect((await room.now()).logFill).toBe(1 / 10_000)
  })

  test('[L22] trimming twice, or to less, changes nothing more', async () => {
    const room = await openRoom()
    await room.crowd(5)
    await room.line.trim(room.at, 4)
    await room.line.trim(room.at, 4)
    await room.line.trim(room.at, 2)
    expect((await room.log()).map(({ seq }) => seq)).toEqual([4, 5, 6])
    expect((await room.log(4)).map(({ seq }) => seq)).toEqual([5, 6])
    await room.line.trim(room.at, 6)
    expect((await room.log()).map(({ seq }) => seq)).toEqual([6])
  })

  test('[L22] entries before that point are kept for slower readers when asked', async () => {
    const room = await openRoom()
    for (const name of ['ada', 'bob', 'carol', 'dora', 'eve']) await room.draw(name)
    await room.line.trim(room.at, 5, 2)
    expect((await room.log()).map(({ seq }) => seq)).toEqual([3, 4, 5, 6])
    expect((await room.log(4)).map(({ seq }) => seq)).toEqual([5, 6])
    expect((await room.now()).logFill).toBe(1 / 10_000)
    await room.line.trim(room.at, 6, 100)
    expect((await room.log()).map(({ seq }) => seq)).toEqual([3, 4, 5, 6])
    await room.draw('fay')
    await room.line.trim(room.at, 7)
    expect((await room.log()).map(({ seq }) => seq)).toEqual([7])
  })

  test('[L22] a caller that keeps less than the one before forgets, also by an older entry', async () => {
    const room = await openRoom()
    for (const name of ['ada', 'bob', 'carol', 'dora', 'eve']) await room.draw(name)
    await room.line.trim(room.at, 6, 100)
    await room.line.trim(room.at, 5)
    expect((await room.log()).map(({ seq }) => seq)).toEqual([5, 6])
  })

  test('[L22] reading takes no more than asked, oldest first', async () => {
    const room = await openRoom()
    await room.crowd(5)
    const page = await room.line.readLog(room.at, 2, { limit: 2, waitMs: 0 })
    expect(page.map(({ seq }) => seq)).toEqual([3, 4])
  })

  test('[L18] a reader waits for the next entry, and gets it', async () => {
    const room = await openRoom()
    const seq = await room.seq()
    const reading = room.line.readLog(room.at, seq, { limit: 10, waitMs: 20_000 })
    const ada = await room.draw('ada')
    expect(await reading).toMatchObject([{ seq: seq + 1, change: { kind: 'joined', number: ada.number } }])
  })

  test('[L18] a reader stops waiting when its time is over', async () => {
    const room = await openRoom()
    expect(await room.line.readLog(room.at, await room.seq(), { limit: 10, waitMs: 20 })).toEqual([])
  })
}
