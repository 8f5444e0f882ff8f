import { expect, test } from 'vitest'
import { joinRequest, type OpenRoom } from './test-room.ts'

export function positionRules(openRoom: OpenRoom): void {
  test('[L28] a rank is the number of present tickets before this one', async () => {
    const room = await openRoom()
    const crowd = await room.crowd(30)
    for (const ticket of crowd.slice(5, 10)) await room.end(ticket, 'cancelled')
    await room.draw('vip', { class: 3 })
    const waiting = await room.waiting()
    for (const ticket of [...crowd.slice(0, 5), ...crowd.slice(10)]) {
      expect(await room.rank(ticket)).toBe(waiting.indexOf(ticket.number))
    }
  })

  test('[L29] the samples contain first and last, and lie close together', async () => {
    const room = await openRoom()
    expect((await room.now()).samples).toEqual([])
    await room.crowd(2_000)
    const { samples, waiting } = await room.now()
    expect(waiting).toBe(2_000)
    expect(samples[0]).toEqual({ place: 1, rank: 0 })
    expect(samples.at(-1)).toEqual({ place: 2_000, rank: 1_999 })
    for (const [index, { rank, place }] of samples.entries()) {
      expect(place).toBe(rank + 1)
      const gap = rank - (samples[index - 1]?.rank ?? -1)
      expect(gap).toBeGreaterThan(0)
      expect(gap).toBeLessThanOrEqual(Math.max(1, rank / 100))
    }
  })

  test('[L29] now counts waiting, away and floor tickets', async () => {
    const room = await openRoom({ settings: { capacity: 3 } })
    const crowd = await room.crowd(6)
    await room.admit()
    const [first] = crowd
    if (first !== undefined) await room.enter(first)
    expect(await room.now()).toMatchObject({
      ...{ epoch: 2, waiting: 3, away: 0, floor: 3, admitted: 2, active: 1, nextNumber: 7 },
      ...{ paused: false, held: null, soldOut: false, message: null, stock: null },
      samples: [
        { place: 4, rank: 0 },
        { place: 5, rank: 1 },
        { place: 6, rank: 2 },
      ],
    })
  })

  test('[L30] a range lists tickets by rank, with names only of those who agreed', async () => {
    const room = await openRoom()
    const shown = { name: 'Ada Łovelace', avatar: 'https://example.org/a.png' }
    await room.line.join(room.at, [
      joinRequest('quiet'),
      joinRequest('ada', { shown }),
      joinRequest('bob', { shown: { name: 'Bob', avatar: null }, profile: '{"name":"secret"}' }),
    ])
    expect(await room.range(0, 1)).toEqual([
      { number: 1, place: 1, rank: 0, class: 0, shown: null },
      { number: 2, place: 2, rank: 1, class: 0, shown },
    ])
    expect(await room.range(2, 50)).toMatchObject([{ number: 3, rank: 2, shown: { name: 'Bob', avatar: null } }])
    expect(await room.range(3, 50)).toEqual([])
  })

  test('[L30] a range has at most 200 tickets', async () => {
    const room = await openRoom()
    await room.crowd(250)
    const range = await room.range(10, 9_999)
    expect(range).toHaveLength(200)
    expect(range[0]).toMatchObject({ number: 11, rank: 10 })
  })
}
