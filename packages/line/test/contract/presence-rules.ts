import { expect, test } from 'vitest'
import type { TicketAct } from '../../src/index.ts'
import { loadedTicket, type OpenRoom, type TestRoom } from './test-room.ts'

export function presenceRules(openRoom: OpenRoom): void {
  const signs = [
    { sign: 'a look with a heartbeat', act: (room: TestRoom, ticket: TicketAct) => room.look(ticket, true) },
    { sign: 'a heartbeat', act: (room: TestRoom, ticket: TicketAct) => room.heartbeat(ticket) },
    { sign: 'joining again', act: (room: TestRoom, ticket: TicketAct) => room.join(ticket.identity) },
  ]
  for (const { sign, act } of signs) {
    test(`[L15] ${sign} counts as seen`, async () => {
      const room = await openRoom()
      const ada = await room.draw('ada')
      await room.attend(60_000)
      await act(room, ada)
      await room.attend(60_000)
      expect(await room.sweep()).toEqual({ away: 0, expired: 0 })
      expect(await room.admitted()).toEqual([ada.number])
    })

    test(`[L16] ${sign} puts an away ticket back at its place`, async () => {
      const room = await openRoom({ settings: { capacity: 1 } })
      const [away] = await makeAway(room)
      await room.attend(119_000)
      await act(room, away)
      expect(await room.look(away)).toMatchObject({ state: 'waiting', away: false, rank: 0, waiting: 2 })
      expect((await room.log()).at(-1)?.change).toEqual({ kind: 'back', numbers: [away.number], ranks: [0] })
    })
  }

  test('[L15] a look without a heartbeat does not count as seen', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    await room.attend(91_000)
    await room.look(ada)
    expect(await room.sweep()).toEqual({ away: 1, expired: 0 })
  })

  test('[L15] [L60] seen exactly the timeout ago is present, a tenth of a second longer is not', async () => {
    const room = await openRoom()
    await room.draw('ada')
    await room.attend(90_000)
    expect(await room.sweep()).toEqual({ away: 0, expired: 0 })
    await room.attend(100)
    expect(await room.sweep()).toEqual({ away: 1, expired: 0 })
    await room.draw('bob')
    await room.attend(90_100)
    expect(await room.admit()).toMatchObject({ admitted: [], away: [2] })
  })

  test('[L15] heartbeats are not logged', async () => {
    const room = await openRoom()
    const ada = await room.draw('ada')
    const seq = await room.seq()
    await room.advance(1_000)
    expect(await room.heartbeat(ada, { ...ada, number: 99 })).toEqual([])
    await room.look(ada, true)
    expect(await room.seq()).toBe(seq)
  })

  test('[L16] an away ticket has no rank and does not count in others’ ranks', async () => {
    const room = await openRoom({ settings: { capacity: 1 } })
    const [away, behind] = await makeAway(room)
    expect(await room.look(away)).toMatchObject({ state: 'waiting', away: true, rank: null, waiting: 1 })
    expect(await room.rank(behind)).toBe(0)
    expect(await room.now()).toMatchObject({ waiting: 1, away: 1 })
    expect(await room.waiting()).toEqual([behind.number])
  })

  test('[L16] a ticket that came back keeps its place before those who joined later', async () => {
    const room = await openRoom({ settings: { capacity: 1 } })
    const [away, behind] = await makeAway(room)
    expect(await room.heartbeat(away, away)).toEqual([away.number])
    expect(await room.waiting()).toEqual([away.number, behind.number])
  })

  test('[L16] the step that brought a ticket back says so, once', async () => {
    const room = await openRoom({ settings: { capacity: 1 } })
    const [away] = await makeAway(room)
    expect(await room.look(away)).toMatchObject({ away: true, back: false })
    expect(await room.look(away, true)).toMatchObject({ away: false, back: true })
    expect(await room.look(away, true)).toMatchObject({ away: false, back: false })
  })

  test('[L16] [L26] an away ticket stays away over a rebuild, at its place, with a whole grace time', async () => {
    const tickets = [loadedTicket(1, { away: true }), loadedTicket(2)]
    const state = { nextNumber: 3, passedPlace: 1.5 }
    const room = await openRoom({ tickets, state, settings: { heartbeatTimeoutSeconds: 600 }, emptyBucket: true })
    expect(await room.now()).toMatchObject({ waiting: 1, away: 1 })
    await room.sweep()
    await room.attend(120_000)
    expect(await room.sweep()).toEqual({ away: 0, expired: 0 })
    expect(await room.heartbeat({ number: 1, identity: 'loaded-1', generation: 1 })).toEqual([1])
    expect(await room.waiting()).toEqual([1, 2])
  })

  test('[L17] [L63] an away ticket expires as no_show when admission passed it for the grace time, not before', async () => {
    const room = await openRoom({ settings: { capacity: 1 } })
    const [away] = await makeAway(room)
    await room.sweep()
    await room.attend(120_000)
    expect(await room.sweep()).toEqual({ away: 1, expired: 0 })
    await room.attend(1)
    expect(await room.sweep()).toEqual({ away: 0, expired: 1 })
    const entry = { kind: 'expired', numbers: [away.number], reason: 'no_show', ranks: null }
    expect((await room.log()).at(-1)?.change).toEqual(entry)
    expect(await room.look(away)).toMatchObject({ state: 'expired', reason: 'no_show', away: false })
    expect(await room.heartbeat(away)).toEqual([])
    expect((await room.draw(away.identity)).number).toBeGreaterThan(away.number)
  })

  test('[L17] an away ticket can leave', async () => {
    const room = await openRoom({ settings: { capacity: 1 } })
    const [away] = await makeAway(room)
    await room.sweep()
    expect(await room.end(away, 'cancelled')).toMatchObject({ status: 'ended', reason: 'cancelled' })
    expect((await room.now()).away).toBe(0)
  })
}

/** Three visitors: one marked away, one on the floor with a long session, one waiting behind them. */
async function makeAway(room: TestRoom): Promise<[TicketAct, TicketAct]> {
  await room.change({ settings: { claimSeconds: 0, sessionSeconds: 3_600 } })
  const away = await room.draw('asleep')
  await room.attend(91_000)
  await room.draw('awake')
  const behind = await room.draw('behind')
  const admission = await room.admit()
  expect(admission.away).toEqual([away.number])
  expect(admission.admitted).toHaveLength(1)
  return [away, behind]
}
