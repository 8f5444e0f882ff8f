import { expect, test } from 'vitest'
import type { TicketClass } from '../../src/index.ts'
import { loadedTicket, type OpenRoom } from './test-room.ts'

export function priorityRules(openRoom: OpenRoom): void {
  const shares = [
    { class: 1, rank: 18, skips: 'a tenth' },
    { class: 2, rank: 10, skips: 'half' },
    { class: 3, rank: 0, skips: 'all' },
  ] as const satisfies { class: TicketClass; rank: number; skips: string }[]
  for (const share of shares) {
    test(`[L12] class ${share.class} skips ${share.skips} of the line`, async () => {
      const room = await openRoom()
      await room.crowd(20)
      expect(await room.draw('vip', { class: share.class })).toMatchObject({ rank: share.rank, waiting: 21 })
    })
  }

  test('[L12] shares are of the line as it is now, also after much churn', async () => {
    const room = await openRoom({ settings: { capacity: 90 } })
    await room.crowd(100)
    await room.admit()
    expect(await room.draw('vip', { class: 2 })).toMatchObject({ rank: 5, waiting: 11 })
  })

  test('[L12] a share is rounded down in integers, and an empty line has nothing to skip', async () => {
    const room = await openRoom()
    expect(await room.draw('first', { class: 3 })).toMatchObject({ rank: 0, place: 1 })
    await room.crowd(10)
    // ⌊11 · 0.9⌋ = 9.
    expect(await room.draw('elevated', { class: 1 })).toMatchObject({ rank: 9 })
  })

  test('[L13] each class stays first come, first served inside itself', async () => {
    const room = await openRoom()
    await room.crowd(10)
    const vips: number[] = []
    for (let index = 0; index < 10; index++) vips.push((await room.draw(`vip-${index}`, { class: 3 })).number)
    await room.crowd(10, 'late')
    vips.push((await room.draw('vip-last', { class: 3 })).number)
    expect((await room.waiting()).slice(0, 11)).toEqual(vips)
  })

  test('[L13] a class keeps its order when the line before it empties', async () => {
    const room = await openRoom({ settings: { capacity: 15 } })
    await room.crowd(20)
    const early = await room.draw('early', { class: 1 })
    await room.admit()
    const late = await room.draw('late', { class: 1 })
    const waiting = await room.waiting()
    expect(waiting.indexOf(early.number)).toBeLessThan(waiting.indexOf(late.number))
  })

  test('[L13] places differ, so that a rank follows from a place', async () => {
    const room = await openRoom()
    await room.crowd(5)
    for (let index = 0; index < 60; index++) await room.draw(`vip-${index}`, { class: index % 2 === 0 ? 3 : 2 })
    const places = (await room.range()).map(({ place }) => place)
    expect(new Set(places).size).toBe(65)
    expect(places).toEqual(places.toSorted((left, right) => left - right))
  })

  test('[L13] no ticket overtakes its own class when the mode changes back and forth', async () => {
    const room = await openRoom()
    await room.crowd(10)
    const numbers: number[] = []
    for (const priorityMode of ['skip', 'lanes', 'skip', 'lanes'] as const) {
      await room.change({ settings: { priorityMode } })
      numbers.push((await room.draw(`${numbers.length}-first`, { class: 2 })).number)
      numbers.push((await room.draw(`${numbers.length}-second`, { class: 2 })).number)
      await room.crowd(3, priorityMode + numbers.length)
    }
    const waiting = await room.waiting()
    expect(waiting.filter((number) => numbers.includes(number))).toEqual(numbers)
  })

  test('[L13] places given before a rebuild still count', async () => {
    const tickets = [1, 2, 3, 4].map((number) => loadedTicket(number))
    const low = -1_000_000
    const room = await openRoom({ tickets, state: { nextNumber: 5, lastPlaces: [4, low, 2.5, low] } })
    const vip = await room.draw('vip', { class: 2 })
    expect(vip.place).toBeGreaterThan(2.5)
    expect(vip.rank).toBe(2)
  })

  test('[L3] equal places are ordered by number', async () => {
    const tickets = [12, 9, 100].map((number) => loadedTicket(number, { place: 5 }))
    const room = await openRoom({ tickets, state: { nextNumber: 101 } })
    expect(await room.waiting()).toEqual([9, 12, 100])
  })

  test('[L14] lanes: 3 before 2 before 1 before 0, each first come, first served', async () => {
    const room = await openRoom({ settings: { priorityMode: 'lanes' } })
    const drawn: { number: number; class: number }[] = []
    for (const ticketClass of [0, 1, 2, 3, 2, 1, 0, 3, 1] as const) {
      drawn.push(await room.draw(`visitor-${drawn.length}`, { class: ticketClass }))
    }
    const expected = drawn.toSorted((left, right) => right.class - left.class || left.number - right.number)
    expect(await room.waiting()).toEqual(expected.map(({ number }) => number))
  })

  test('[L143] a code moves a live ticket forward, once, and is spent by that', async () => {
    const room = await openRoom()
    await room.crowd(10)
    const ada = await room.draw('ada')
    expect(await room.join('ada', { class: 2, code: 'golden' })).toMatchObject({
      ...{ status: 'present', number: ada.number, class: 2, rank: 5, place: 5.5 },
    })
    expect((await room.range())[5]).toMatchObject({ number: ada.number, class: 2 })
    const { seq } = await room.now()
    expect(await room.join('ada', { class: 2, code: 'golden' }), 'repeated').toMatchObject({
      status: 'present',
      rank: 5,
    })
    expect(await room.join('bob', { class: 2, code: 'golden' })).toMatchObject({ status: 'code_used' })
    expect(await room.join('visitor-9', { class: 2, code: 'golden' })).toMatchObject({ status: 'code_used' })
    expect(await room.seq()).toBe(seq)
    expect((await room.log()).at(-1)?.change).toEqual({
      ...{ kind: 'classed', number: ada.number, class: 2, code: 'golden', place: 5.5, rank: 5, fromRank: 10 },
    })
  })

  test('[L143] a code never moves a ticket back, and of a lower class it stays unused', async () => {
    const room = await openRoom()
    const first = await room.draw('first')
    await room.crowd(10)
    expect(await room.join('first', { class: 1, code: 'one' })).toMatchObject({ class: 1, rank: 0, place: first.place })
    const vip = await room.draw('vip', { class: 3, code: 'three' })
    expect(await room.join('vip', { class: 2, code: 'two' })).toMatchObject({
      status: 'present',
      class: 3,
      rank: vip.rank,
    })
    expect(await room.join('visitor-3', { class: 2, code: 'two' })).toMatchObject({ status: 'present', class: 2 })
  })

  test('[L143] promoted tickets of a class stand in the order of their codes, behind those that joined with one', async () => {
    for (const priorityMode of ['skip', 'lanes'] as const) {
      const room = await openRoom({ settings: { priorityMode } })
      await room.crowd(10)
      const numbers = [(await room.draw('vip', { class: 2, code: 'zero' })).number]
      for (const visitor of [8, 6, 9]) {
        const promoted = await room.join(`visitor-${visitor}`, { class: 2, code: `of ${visitor}` })
        if ('number' in promoted) numbers.push(promoted.number)
      }
      expect((await room.waiting()).filter((number) => numbers.includes(number))).toEqual(numbers)
      expect(await room.present(), 'tokens of these may have an older place').toHaveProperty('size', 7)
    }
  })

  test('[L143] an away ticket comes back first; on the floor a code changes nothing', async () => {
    const room = await openRoom({ settings: { heartbeatTimeoutSeconds: 20 } })
    await room.crowd(4)
    await room.draw('ada')
    await room.attend(10_000)
    for (const visitor of [0, 1, 2, 3]) await room.join(`visitor-${visitor}`)
    await room.attend(11_000)
    await room.sweep()
    expect(await room.now()).toMatchObject({ away: 1 })
    const back = await room.join('ada', { class: 3, code: 'golden' })
    expect(back).toMatchObject({ status: 'present', back: true, class: 3, rank: 0 })
    expect((await room.log()).slice(-2).map(({ change }) => change.kind)).toEqual(['back', 'classed'])
    await room.admit()
    expect(await room.join('visitor-0', { class: 3, code: 'late' })).toMatchObject({ state: 'admitted', class: 0 })
    expect(await room.join('bob', { class: 3, code: 'late' })).toMatchObject({ status: 'joined' })
  })
}
