import { fenceOf } from '@seatwise/domain'
import { expect, test } from 'vitest'
import { type Corrected, type FloorItem, type LoadedTicket, type LogEntry, replay } from '../../src/index.ts'
import { loadedTicket, type OpenRoom } from './test-room.ts'

export function correctionRules(openRoom: OpenRoom): void {
  test('[L41] tickets are corrected by the ledger before the room is visible, and its log tells it', async () => {
    const room = await openRoom()
    const late = 4_000_000_000_000
    const floor = { deadline: late, sessionEnd: late, fence: fenceOf(1, 9) }
    const tickets = [
      loadedTicket(1, { limitKey: 'address' }),
      loadedTicket(2),
      loadedTicket(3, { away: true }),
      loadedTicket(4, { state: 'admitted', ...floor, sessionEnd: null }),
      loadedTicket(5, { state: 'active', ...floor, reservedSeats: 2 }),
      loadedTicket(6, { state: 'active', ...floor, reservedSeats: 1 }),
      loadedTicket(7),
    ]
    const corrections: Corrected[] = [
      { kind: 'corrected', number: 1, from: 'waiting', state: 'completed', ...NOTHING },
      { kind: 'corrected', number: 2, from: 'waiting', state: 'active', ...floor, deadline: late - 9, quantity: 3 },
      { kind: 'corrected', number: 3, from: 'waiting', state: 'active', ...floor, quantity: 1 },
      { kind: 'corrected', number: 4, from: 'admitted', state: 'active', ...floor, fence: fenceOf(1, 12), quantity: 1 },
      { kind: 'corrected', number: 5, from: 'active', state: 'active', ...floor, quantity: 0 },
      { kind: 'corrected', number: 6, from: 'active', state: 'completed', ...NOTHING },
    ]
    await room.load(3, { state: { nextNumber: 8, stock: 9, heldSeats: 5 }, tickets, corrections })
    const log = await room.log()
    expect(log.map(({ operation }) => operation)).toEqual(Array.from({ length: 7 }, () => 'load'))
    expect(log.slice(1).map(({ change }) => change)).toEqual(corrections)
    expect(await room.waiting()).toEqual([7])
    const seated = { state: 'active', deadline: late, fence: fenceOf(1, 9) }
    expect(await room.floor()).toEqual([
      { number: 2, ...seated, deadline: late - 9, reservedSeats: 3 },
      { number: 3, ...seated, reservedSeats: 1 },
      { number: 4, ...seated, fence: fenceOf(1, 12), reservedSeats: 1 },
      { number: 5, ...seated, reservedSeats: 0 },
    ])
    expect(await room.now()).toMatchObject({ waiting: 1, away: 0, floor: 4, admitted: 0, active: 4, promised: 1 })
    expect(await room.look({ number: 1, identity: 'loaded-1', generation: 1 })).toMatchObject({ state: 'completed' })
    // A completed ticket shares no limit any more, and its visitor may join again.
    expect(await room.join('loaded-1', { limit: { key: 'address', max: 1 } })).toMatchObject({ status: 'joined' })
    expectReplay(await room.log(), tickets, await room.floor())
  })
}

const NOTHING = { fence: null, deadline: null, sessionEnd: null, quantity: 0 }

/** L20 over a rebuild: what was loaded and the log together are the state. */
function expectReplay(log: readonly LogEntry[], tickets: readonly LoadedTicket[], floor: readonly FloorItem[]): void {
  const replayed = replay(log, tickets)
  expect(replayed.floor.map(({ number }) => number)).toEqual(floor.map(({ number }) => number))
  expect(replayed.floor.map(({ reservedSeats }) => reservedSeats)).toEqual(
    floor.map(({ reservedSeats }) => reservedSeats),
  )
  expect(replayed.ended.map(({ number }) => number)).toEqual([1, 6])
}
