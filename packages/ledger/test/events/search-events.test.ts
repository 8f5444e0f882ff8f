import { type EventSearch, type Ledger, readEvents, searchEvents } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { makeEvent } from './events-kit.ts'

const EVENTS = [
  { name: 'Aurora Live', code: 'AURORA', location: 'Hà Nội', startsAt: '2030-01-10T20:00:00Z' },
  { name: 'Dvořák: Requiem', location: 'Praha, Rudolfinum', startsAt: '2030-02-10T20:00:00Z' },
  { name: 'Café Concert', location: 'Genève', startsAt: '2030-03-10T20:00:00Z' },
  { name: '아이유 콘서트', location: '서울', startsAt: '2030-04-10T20:00:00Z' },
  { name: 'Đêm nhạc Trịnh Công Sơn', location: 'Đà Nẵng', startsAt: '2030-05-10T20:00:00Z' },
  { name: 'Jazz night', location: 'Aurora Hall, Brno', startsAt: '2030-06-10T20:00:00Z' },
  { name: 'Folk night', location: 'Wien', description: 'With the aurora choir', startsAt: '2030-07-10T20:00:00Z' },
  { name: 'Północ', location: 'Łódź', salesStartAt: '2030-08-10T20:00:00Z', salesEndAt: '2030-08-11T20:00:00Z' },
]

forEachLedger('search', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
    for (const event of EVENTS) await makeEvent(ledger, { totalSeats: 1, ...event })
  })

  const none: EventSearch = {
    words: '',
    from: null,
    to: null,
    place: '',
    isToCome: false,
    organizationId: null,
    fromDay: null,
    toDay: null,
    priceMax: null,
    limit: 20,
    after: null,
  }
  const find = async (search: Partial<EventSearch>): Promise<string[]> => {
    const { ids } = await searchEvents(ledger.db, { ...none, ...search })
    return (await readEvents(ledger.db, ids)).map(({ name }) => name)
  }

  it.each([
    ['ha noi', 'Aurora Live'],
    ['Hà Nội', 'Aurora Live'],
    ['HÀ NỘI'.normalize('NFD'), 'Aurora Live'],
    ['hanoi', 'Aurora Live'],
    ['dvorak', 'Dvořák: Requiem'],
    ['cafe', 'Café Concert'],
    ['dem nhac', 'Đêm nhạc Trịnh Công Sơn'],
    ['da nang', 'Đêm nhạc Trịnh Công Sơn'],
    ['polnoc lodz', 'Północ'],
  ])('[S1] "%s" finds %s', async (words, name) => {
    expect((await find({ words }))[0]).toBe(name)
  })

  it.each([
    ['auro', 'Aurora Live'],
    ['req dvo', 'Dvořák: Requiem'],
    ['콘서트', '아이유 콘서트'],
    ['아이', '아이유 콘서트'],
    ['콘', '아이유 콘서트'],
  ])('[S2] beginnings of words: "%s" finds %s', async (words, name) => {
    expect((await find({ words }))[0]).toBe(name)
  })

  it.each([
    ['auroar', 'Aurora Live'],
    ['dvorka requeim', 'Dvořák: Requiem'],
    ['trinh cong sno', 'Đêm nhạc Trịnh Công Sơn'],
    ['아이유 콘써트', '아이유 콘서트'],
    ['udolfin', 'Dvořák: Requiem'],
  ])('[S3] typing errors and parts: "%s" finds %s', async (words, name) => {
    expect((await find({ words }))[0]).toBe(name)
  })

  it('[S4] the name counts more than the place, the place more than the description', async () => {
    expect(await find({ words: 'aurora' })).toEqual(['Aurora Live', 'Jazz night', 'Folk night'])
  })

  it('[S4] the very name comes before a name that begins with it, and that before one that contains it', async () => {
    for (const name of ['Winter Gala Extra', 'The Winter Gala', 'Winter Gala']) await makeEvent(ledger, { name })
    expect(await find({ words: 'winter gala' })).toEqual(['Winter Gala', 'Winter Gala Extra', 'The Winter Gala'])
  })

  it('[S5] dates bound when an event takes place or, where that is open, when its sale begins', async () => {
    const from = new Date('2030-07-01T00:00:00Z')
    expect(await find({ from })).toEqual(['Folk night', 'Północ'])
    expect(await find({ from, to: new Date('2030-08-01T00:00:00Z') })).toEqual(['Folk night'])
    expect(await find({ words: 'night', from })).toEqual(['Folk night'])
  })

  it('[S6] the place filter forgives as much as words do', async () => {
    for (const place of ['ha noi', 'hanoi', 'Hà Nội', 'hanoii']) expect(await find({ place })).toContain('Aurora Live')
    expect(await find({ words: 'aurora', place: 'brno' })).toEqual(['Jazz night'])
    expect(await find({ words: 'auroar', place: 'wien' })).toEqual([])
  })

  it('[S80] days count by the clock at the venue, with words and without', async () => {
    // 23:30 on the 4th at the venue, 14:30 by UTC; and 06:00 on the 5th, which by UTC is still the 4th.
    const venue = { timeZone: 'Asia/Seoul', totalSeats: 1 }
    await makeEvent(ledger, { ...venue, name: 'Late raga', startsAt: '2031-05-04T14:30:00Z' })
    await makeEvent(ledger, { ...venue, name: 'Morning raga', startsAt: '2031-05-04T21:00:00Z' })
    for (const words of ['', 'raga']) {
      expect(await find({ words, fromDay: '2031-05-04', toDay: '2031-05-04' })).toEqual(['Late raga'])
      expect(await find({ words, fromDay: '2031-05-05', toDay: '2031-05-31' })).toEqual(['Morning raga'])
    }
  })

  it('[S80] an event is cheap enough if its cheapest ticket is, in the units of its currency', async () => {
    const types = (price: number, currency: string, more: object = {}) => ({
      seatTypes: [{ name: 'Seat', price, currency, totalQuantity: 1, ...more }],
    })
    await makeEvent(ledger, { name: 'Polka euro', startsAt: '2032-01-01T20:00:00Z', ...types(2_050, 'EUR') })
    await makeEvent(ledger, { name: 'Polka won', startsAt: '2032-01-02T20:00:00Z', ...types(25_000, 'KRW') })
    const child = {
      variants: [
        { name: 'Adult', price: 9_000 },
        { name: 'Child', price: 1_000 },
      ],
    }
    await makeEvent(ledger, { name: 'Polka child', startsAt: '2032-01-03T20:00:00Z', ...types(9_000, 'EUR', child) })
    const hidden = { name: 'Friends', price: 0, currency: 'EUR', totalQuantity: 1, hidden: true }
    const dear = { name: 'Seat', price: 9_900, currency: 'EUR', totalQuantity: 1 }
    await makeEvent(ledger, { name: 'Polka dear', startsAt: '2032-01-04T20:00:00Z', seatTypes: [dear, hidden] })
    for (const words of ['', 'polka']) {
      const upTo = async (priceMax: number) => (await find({ words, fromDay: '2032-01-01', priceMax })).sort()
      expect(await upTo(20.49)).toEqual(['Polka child'])
      expect(await upTo(20.5)).toEqual(['Polka child', 'Polka euro'])
      expect(await upTo(25_000)).toEqual(['Polka child', 'Polka dear', 'Polka euro', 'Polka won'])
    }
  })

  it('[S80] what is over is left out where that is asked for, with words and without', async () => {
    const past = { startsAt: '2020-01-01T20:00:00Z', endsAt: '2020-01-01T22:00:00Z' }
    await makeEvent(ledger, { name: 'Gone mazurka', totalSeats: 1, ...past })
    await makeEvent(ledger, { name: 'Next mazurka', totalSeats: 1, startsAt: '2033-01-01T20:00:00Z' })
    expect(await find({ words: 'mazurka' })).toHaveLength(2)
    for (const words of ['', 'mazurka']) {
      const found = await find({ words, isToCome: true, limit: 100 })
      expect(found).toContain('Next mazurka')
      expect(found).not.toContain('Gone mazurka')
    }
  })

  it('[S7] pages follow each other without repeating or leaving out', async () => {
    const whole = await searchEvents(ledger.db, { ...none, words: 'night', limit: 100 })
    const paged: string[] = []
    let after: EventSearch['after'] = null
    do {
      const page = await searchEvents(ledger.db, { ...none, words: 'night', limit: 1, after })
      paged.push(...page.ids)
      after = page.next
    } while (after !== null && paged.length < 100)
    expect(paged).toEqual(whole.ids)
    expect(paged.length).toBeGreaterThan(1)
  })

  it('[S7] without words the soonest comes first, page by page', async () => {
    const first = await searchEvents(ledger.db, { ...none, from: new Date('2030-01-01T00:00:00Z'), limit: 2 })
    const second = await searchEvents(ledger.db, {
      ...none,
      from: new Date('2030-01-01T00:00:00Z'),
      limit: 2,
      after: first.next,
    })
    const names = (await readEvents(ledger.db, [...first.ids, ...second.ids])).map(({ name }) => name)
    expect(names).toEqual(EVENTS.slice(0, 4).map(({ name }) => name))
  })

  it.each(["'", '%', '_', '\\', "a' | 'b", ':*', '!!', '& | <->', '((', '😀', 'x'.repeat(100), 'a b c d e f g h i j'])(
    '[S8] words are words, never a query language: %s',
    async (words) => {
      await expect(find({ words })).resolves.toBeInstanceOf(Array)
      await expect(find({ place: words })).resolves.toBeInstanceOf(Array)
    },
  )

  it('[S2] an edited event is found by what it says now', async () => {
    const { id } = await makeEvent(ledger, { name: 'Oldname' })
    await ledger.db.updateTable('events').set({ name: 'Brandnew' }).where('id', '=', id).execute()
    expect(await find({ words: 'brandnew' })).toEqual(['Brandnew'])
    expect(await find({ words: 'oldname' })).toEqual([])
  })
})
