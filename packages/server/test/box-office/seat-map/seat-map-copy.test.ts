import { randomUUID } from 'node:crypto'
import type { PlannedSeat, SeatMapChange, SeatMapNews, SeatPlan } from '@seatwise/ledger'
import { describe, expect, it } from 'vitest'
import { FollowedSeatMap } from '../../../src/box-office/seat-map/followed-seat-map.ts'
import { SeatMapCopy } from '../../../src/box-office/seat-map/seat-map-copy.ts'

const STALLS = randomUUID()
const STANDING = randomUUID()
const NONE = { available: 0, held: 0, sold: 0, blocked: 0 }

/** A row of six and three places to stand. */
function plan(version = 7): SeatPlan & { seats: PlannedSeat[] } {
  const row = Array.from({ length: 6 }, (_, index) => seat(STALLS, 'A', index + 1))
  const standing = Array.from({ length: 3 }, () => seat(STANDING, null, null))
  const seats = [...row, ...standing]
  const seatTypes = [
    { id: STALLS, isNumbered: true, isHidden: false },
    { id: STANDING, isNumbered: false, isHidden: false },
  ]
  return { version, counts: { ...NONE, available: 9 }, seatTypes, seats }
}

function seat(seatTypeId: string, row: string | null, along: number | null): PlannedSeat {
  return { id: randomUUID(), seatTypeId, row, along, status: 'available', accessible: false }
}

const idsOf = ({ seats }: SeatPlan): string[] => seats.map(({ id }) => id)

describe('a copy of a seat map', () => {
  it('[B10] refuses seats it knows to be taken, and lets everything else go to the ledger', () => {
    const house = plan()
    const [a1 = '', a2 = ''] = idsOf(house)
    const copy = new SeatMapCopy(house)
    expect(copy.judge({ seatIds: [a1, a2] })).toBeNull()
    copy.apply(8, { ...NONE, available: 8, held: 1 }, [{ seatId: a2, status: 'held' }])
    expect(copy.judge({ seatIds: [a1, a2] })).toEqual({ status: 'taken', seatIds: [a2] })
    expect(copy.judge({ seatIds: [a1, randomUUID()] })).toBeNull()
    copy.apply(9, { ...NONE, available: 9 }, [{ seatId: a2, status: 'available' }])
    expect(copy.judge({ seatIds: [a1, a2] })).toBeNull()
  })

  it('[B14] says sold out only when nothing is available and nothing is held', () => {
    const house = plan()
    const copy = new SeatMapCopy(house)
    const wish = { seatTypeId: STANDING, quantity: 1, accessible: false }
    const all = (status: 'held' | 'sold') => idsOf(house).map((seatId) => ({ seatId, status }))
    copy.apply(8, { ...NONE, held: 9 }, all('held'))
    expect(copy.judge(wish)).toEqual({ status: 'not_enough', available: 0 })
    copy.apply(9, { ...NONE, sold: 9 }, all('sold'))
    expect(copy.judge(wish)).toEqual({ status: 'sold_out' })
    expect(copy.judge({ seatIds: idsOf(house).slice(0, 1) })).toEqual({ status: 'sold_out' })
  })

  it('[B8] offers a seat to one claim at a time, and again when that claim failed', () => {
    const copy = new SeatMapCopy(plan())
    const wish = { seatTypeId: STALLS, quantity: 3, accessible: false }
    const first = copy.pick(wish, 1, [])
    const second = copy.pick(wish, 1, [])
    expect(new Set([...(first?.seatIds ?? []), ...(second?.seatIds ?? [])]).size).toBe(6)
    // Only seats reserved by claims under way are left: the claim is tried rather than refused.
    expect(copy.pick(wish, 1, [])?.seatIds).toHaveLength(3)
    first?.rubOut()
    expect(copy.pick(wish, 1, [])?.seatIds.toSorted()).toEqual(first?.seatIds.toSorted())
  })

  it('[B8] rows that are full are passed over, and found again when a seat returns or is the visitor’s own', () => {
    const house = plan()
    const back = Array.from({ length: 6 }, (_, index) => seat(STALLS, 'B', index + 1))
    const copy = new SeatMapCopy({ ...house, seats: [...house.seats, ...back] })
    const front = idsOf(house).slice(0, 6)
    const wish = { seatTypeId: STALLS, quantity: 2, accessible: false }
    const picked = (own: string[] = []) => {
      const choice = copy.pick(wish, 1, own)
      choice?.rubOut()
      return choice?.seatIds ?? []
    }
    expect(front).toEqual(expect.arrayContaining(picked()))
    copy.apply(
      8,
      { ...NONE, available: 9, held: 6 },
      front.map((seatId) => ({ seatId, status: 'held' })),
    )
    expect(back.map(({ id }) => id)).toEqual(expect.arrayContaining(picked()))
    expect(picked(front.slice(2, 4)).toSorted()).toEqual(front.slice(2, 4).toSorted())
    copy.apply(
      9,
      { ...NONE, available: 11, held: 4 },
      front.slice(2, 4).map((seatId) => ({ seatId, status: 'available' })),
    )
    expect(picked().toSorted()).toEqual(front.slice(2, 4).toSorted())
  })

  it('[B8] a visitor’s own held seats count as free for their next claim', () => {
    const house = plan()
    const row = idsOf(house).slice(0, 6)
    const copy = new SeatMapCopy(house)
    copy.apply(
      8,
      { ...NONE, available: 3, held: 6 },
      row.map((seatId) => ({ seatId, status: 'held' as const })),
    )
    const wish = { seatTypeId: STALLS, quantity: 2, accessible: false }
    expect(copy.pick(wish, 1, [])).toBeNull()
    expect(copy.pick(wish, 1, row.slice(2, 4))?.seatIds.toSorted()).toEqual(row.slice(2, 4).toSorted())
  })

  it('[B15] lists what changed since a version it has seen, and nothing for earlier ones', () => {
    const house = plan()
    const [a1 = '', a2 = ''] = idsOf(house)
    const copy = new SeatMapCopy(house)
    copy.apply(8, { ...NONE, available: 8, held: 1 }, [{ seatId: a1, status: 'held' }])
    copy.apply(9, { ...NONE, available: 7, held: 2 }, [{ seatId: a2, status: 'held' }])
    expect(copy.changesSince(9)).toEqual([])
    expect(copy.changesSince(8)).toEqual([{ id: a2, status: 'held' }])
    expect(copy.changesSince(7)).toHaveLength(2)
    expect(copy.changesSince(6)).toBeNull()
    expect(copy.changesSince(10)).toBeNull()
  })
})

describe('a followed seat map', () => {
  /** A ledger that answers as the test says, one question at a time. */
  function follow(house = plan()) {
    const questions: { since: number; answer: (news: SeatMapNews | null) => void }[] = []
    const clock = { now: 1_000 }
    const map = new FollowedSeatMap({
      readPlan: async () => house,
      readChanges: (since) => {
        const { promise, resolve } = Promise.withResolvers<SeatMapNews | null>()
        questions.push({ since, answer: resolve })
        return promise
      },
      onError: () => undefined,
      now: () => clock.now,
    })
    return { map, house, questions, clock }
  }

  const change = (version: number, seatId: string): SeatMapChange => ({
    ...{ version, counts: { ...NONE, available: 8, held: 1 }, offered: 0, changes: [{ seatId, status: 'held' }] },
  })

  it('[B10] gives no verdict once it is older than a second', async () => {
    const { map, clock } = follow()
    expect(map.peek()).toBeNull()
    await map.whenIdle()
    expect(map.peek()?.version).toBe(7)
    clock.now += 1_001
    expect(map.peek()).toBeNull()
  })

  it('[B13] our own change is known at once; an older answer under way does not undo it', async () => {
    const { map, house, questions } = follow()
    const copy = await map.read()
    const refreshed = map.refresh()
    const [a1 = ''] = idsOf(house)
    map.learn(change(8, a1))
    expect(copy?.judge({ seatIds: [a1] })).toMatchObject({ status: 'taken' })
    questions[0]?.answer({ version: 7, counts: house.counts, changes: [] })
    await refreshed
    expect(copy?.version).toBe(8)
    expect(copy?.judge({ seatIds: [a1] })).toMatchObject({ status: 'taken' })
  })

  it('[B13] a version that skips others is not applied: the ledger is asked for those between', async () => {
    const { map, house, questions } = follow()
    const copy = await map.read()
    const [a1 = '', a2 = ''] = idsOf(house)
    map.learn(change(9, a1))
    expect([copy?.version, questions[0]?.since]).toEqual([7, 7])
    const changes = [a1, a2].map((seatId) => ({ seatId, status: 'held' as const }))
    questions[0]?.answer({ version: 9, counts: { ...NONE, available: 7, held: 2 }, changes })
    await map.whenIdle()
    expect(copy?.judge({ seatIds: [a2] })).toMatchObject({ status: 'taken' })
    // A new version without its changes cannot be applied.
    map.learn({ version: 10, counts: house.counts, offered: 0, changes: [] })
    expect(copy?.version).toBe(9)
    questions[1]?.answer(null)
    await map.whenIdle()
  })

  it('[B10] a caller that asks for a refresh gets an answer to a query sent afterwards', async () => {
    const { map, questions } = follow()
    await map.read()
    const first = map.refresh()
    const second = map.refresh()
    questions[0]?.answer({ version: 7, counts: NONE, changes: [] })
    await first
    await Promise.resolve()
    expect(questions).toHaveLength(2)
    questions[1]?.answer({ version: 8, counts: NONE, changes: [] })
    expect((await second)?.version).toBe(8)
  })
})
