import { expect, test } from 'vitest'
import { joinRequest, loadedTicket, type OpenRoom } from './test-room.ts'

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

  test('[L70] pages list the generation of each ticket that waits and is present, over gaps between numbers', async () => {
    // The last two are in an epoch's new numbers, behind a gap of a thousand chunks.
    const numbers = [1, 2, 3, 255, 256, 5_000, 300_000, 300_001]
    const tickets = numbers.map((number) => loadedTicket(number, { generation: number === 256 ? 3 : 1 }))
    const away = loadedTicket(4, { away: true })
    const inside = loadedTicket(6, { state: 'active', deadline: 9e12, sessionEnd: 9e12, fence: 7 })
    const worn = loadedTicket(7, { generation: 128 })
    const room = await openRoom({ tickets: [...tickets, away, inside, worn], state: { nextNumber: 300_002 } })
    await room.end({ number: 2, identity: 'loaded-2', generation: 1 }, 'cancelled')
    await room.move({ number: 3, identity: 'loaded-3', generation: 1 })
    const drawn = await room.draw('ada')
    expect(await room.present()).toEqual(
      new Map([
        ...[[1, 1] as const, [3, 2] as const, [255, 1] as const, [256, 3] as const, [5_000, 1] as const],
        ...[[300_000, 1] as const, [300_001, 1] as const, [drawn.number, 1] as const],
      ]),
    )
  })

  test('[L70] a page is bounded, and tells the entry of the log as of which it is true', async () => {
    const room = await openRoom()
    for (let index = 0; index < 6; index++) await room.crowd(500, `visitor-${index}`)
    const { runs, next, seq } = await room.line.present(room.at, 0)
    const listed = runs.reduce((sum, { generations }) => sum + generations.length, 0)
    expect(listed).toBeGreaterThan(255)
    expect(listed).toBeLessThanOrEqual(2_048)
    expect(next).not.toBeNull()
    expect(seq).toBe(await room.seq())
    expect((await room.present()).size).toBe(3_000)
    expect(await room.line.present(room.at, 1_000_000)).toMatchObject({ next: null })
  })
}
