import { NUMBERS_MAX } from '@seatwise/domain'
import { expect, test } from 'vitest'
import { replay, type TicketAct } from '../../src/index.ts'
import { loadedTicket, type OpenRoom, type TestRoom } from './test-room.ts'

const HOUR_MS = 3_600_000

export function sweepRules(openRoom: OpenRoom): void {
  test('[L60] a sweep marks silent tickets away wherever they stand, and the others move up', async () => {
    const room = await openRoom({ settings: { capacity: 1 } })
    const crowd = await room.crowd(900)
    const silent = crowd.filter((_, index) => index % 3 === 0)
    const present = crowd.filter((_, index) => index % 3 !== 0)
    await room.attend(80_000)
    await heartbeats(room, present)
    await room.attend(11_000)
    expect(await room.sweep()).toEqual({ away: silent.length, expired: 0 })
    expect(await room.now()).toMatchObject({ waiting: present.length, away: silent.length })
    for (const index of [0, 1, 299, present.length - 1])
      expect(await room.rank(present[index] as TicketAct)).toBe(index)
    expect(await room.look(silent[7] as TicketAct)).toMatchObject({ state: 'waiting', away: true, rank: null })
  })

  test('[L60] [L61] tickets that go away together share an entry, in the order of their places, with the rank each left from', async () => {
    const room = await openRoom()
    const crowd = await room.crowd(6)
    const vip = await room.draw('vip', { class: 2 })
    const before = await room.waiting()
    await room.attend(80_000)
    await heartbeats(room, [crowd[1], crowd[4]] as TicketAct[])
    await room.attend(11_000)
    await room.sweep()
    const stayed = [crowd[1]?.number, crowd[4]?.number]
    const numbers = before.filter((number) => !stayed.includes(number))
    expect((await room.log()).at(-1)).toMatchObject({
      operation: 'sweep',
      change: { kind: 'away', numbers, ranks: [0, 1, 1, 1, 2] },
    })
    expect(numbers).toContain(vip.number)
    expect(await room.waiting()).toEqual(stayed)
    expect(replay(await room.log()).away.map(({ number }) => number)).toEqual(numbers)
  })

  test('[L61] tickets that come back together share an entry', async () => {
    const room = await openRoom()
    const crowd = await room.crowd(5)
    await room.attend(91_000)
    await room.sweep()
    await room.heartbeat(crowd[3] as TicketAct, crowd[0] as TicketAct, crowd[1] as TicketAct)
    const numbers = [crowd[3], crowd[0], crowd[1]].map((ticket) => ticket?.number)
    expect((await room.log()).at(-1)?.change).toEqual({ kind: 'back', numbers, ranks: [0, 0, 1] })
    expect(await room.waiting()).toEqual([crowd[0]?.number, crowd[1]?.number, crowd[3]?.number])
  })

  test('[L61] a sweep changes no more tickets than its batch, and says when there is more', async () => {
    const room = await openRoom()
    await room.crowd(7)
    await room.attend(91_000)
    const sweep = (batch: number) => room.line.sweep(room.at, { batch })
    expect(await sweep(3)).toMatchObject({ away: 3, more: true })
    expect(await sweep(3)).toMatchObject({ away: 3, more: true })
    expect(await sweep(3)).toMatchObject({ away: 1, more: false })
    expect(await sweep(3)).toMatchObject({ away: 0, more: false })
    await expect(sweep(NUMBERS_MAX + 1)).rejects.toThrow(/batch/)
  })

  test('[L60] a changed timeout counts from the next sweep on, for tickets that were swept before, too', async () => {
    const room = await openRoom()
    await room.crowd(3)
    await room.attend(30_000)
    expect(await room.sweep()).toEqual({ away: 0, expired: 0 })
    await room.change({ settings: { heartbeatTimeoutSeconds: 20 } })
    expect(await room.sweep()).toEqual({ away: 3, expired: 0 })
    await room.change({ settings: { awaySeconds: 5 } })
    expect(await room.sweep()).toEqual({ away: 0, expired: 3 })
  })

  test('[L62] silence does not count while no server takes heartbeats', async () => {
    const room = await openRoom()
    await room.crowd(3)
    await room.attend(60_000)
    await room.advance(HOUR_MS)
    expect(await room.sweep()).toEqual({ away: 0, expired: 0 })
    expect((await room.log()).at(-1)?.change.kind).toBe('attended')
    await room.attend(90_000)
    expect(await room.sweep()).toEqual({ away: 0, expired: 0 })
    await room.attend(100)
    expect(await room.sweep()).toEqual({ away: 3, expired: 0 })
  })

  test('[L62] three seconds without a word are no gap, a millisecond more is one', async () => {
    const room = await openRoom()
    await room.crowd(3)
    await room.attend(88_000)
    await room.advance(3_000)
    expect(await room.sweep()).toEqual({ away: 3, expired: 0 })
    await room.crowd(3, 'other')
    await room.attend(88_000)
    await room.advance(3_001)
    expect(await room.sweep()).toEqual({ away: 0, expired: 0 })
  })

  test('[L62] admission marks no ticket away while no server takes heartbeats', async () => {
    const room = await openRoom()
    await room.crowd(2)
    await room.advance(HOUR_MS)
    expect(await room.admit()).toMatchObject({ admitted: { length: 2 }, away: [] })
  })

  test('[L62] neither grace nor absence runs out while no server takes heartbeats', async () => {
    const room = await openRoom({ settings: { capacity: 1, awaySeconds: 300, claimSeconds: 3_600 } })
    const asleep = await room.draw('asleep')
    await room.attend(91_000)
    await room.draw('awake')
    await room.admit()
    await room.sweep()
    await room.advance(2 * HOUR_MS)
    expect(await room.sweep()).toEqual({ away: 0, expired: 0 })
    await room.attend(119_000)
    expect(await room.sweep()).toEqual({ away: 0, expired: 0 })
    expect(await room.look(asleep)).toMatchObject({ state: 'waiting', away: true })
  })

  test('[L62] a room in which no ticket waits logs no gap', async () => {
    const room = await openRoom()
    const seq = await room.seq()
    await room.advance(HOUR_MS)
    await room.sweep()
    expect(await room.seq()).toBe(seq)
  })

  test('[L63] an away ticket that admission has not passed keeps its place beyond the grace time', async () => {
    const room = await openRoom({ settings: { graceSeconds: 10 } })
    const [first, asleep] = await room.crowd(2)
    await room.attend(60_000)
    await heartbeats(room, [first as TicketAct])
    await room.attend(31_000)
    await room.sweep()
    await room.admit(1)
    await room.attend(60_000)
    expect(await room.sweep()).toEqual({ away: 0, expired: 0 })
    expect(await room.look(asleep as TicketAct, true)).toMatchObject({ back: true, rank: 0 })
  })

  test('[L63] after a rebuild admission has still passed the places that it had', async () => {
    const tickets = [loadedTicket(5, { away: true }), loadedTicket(9, { away: true })]
    const state = { nextNumber: 10, passedPlace: 7 }
    const room = await openRoom({ tickets, state, settings: { graceSeconds: 10 } })
    await room.sweep()
    await room.attend(10_001)
    expect(await room.sweep()).toEqual({ away: 0, expired: 1 })
    expect((await room.log()).at(-1)?.change).toMatchObject({ numbers: [5], reason: 'no_show' })
  })

  test('[L64] a ticket that was away for awaySeconds expires as no_show wherever it stands, not before', async () => {
    const room = await openRoom({ settings: { awaySeconds: 60 } })
    await room.crowd(3)
    await room.attend(100_000)
    await room.sweep()
    await room.attend(50_000)
    expect(await room.sweep()).toEqual({ away: 0, expired: 0 })
    await room.attend(100)
    expect(await room.sweep()).toEqual({ away: 0, expired: 3 })
    expect(await room.now()).toMatchObject({ waiting: 0, away: 0 })
  })

  test('[L64] a ticket that came back in time is away anew the next time', async () => {
    const room = await openRoom({ settings: { awaySeconds: 60 } })
    const ada = await room.draw('ada')
    await room.attend(140_000)
    await room.sweep()
    await room.heartbeat(ada)
    await room.attend(149_900)
    expect(await room.sweep()).toEqual({ away: 1, expired: 0 })
    await room.attend(200)
    expect(await room.sweep()).toEqual({ away: 0, expired: 1 })
  })
}

/** Of many tickets, in one call. */
async function heartbeats(room: TestRoom, tickets: readonly TicketAct[]): Promise<void> {
  await room.heartbeat(...tickets)
}
