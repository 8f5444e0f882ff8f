import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import type { Answer } from '../support/events.ts'
import { Buyer, forEachMode, HOUSE, heldSeats, OPEN_FLOOR, typeIdsOf } from '../support/reservation.ts'
import type { RoomBench } from '../support/room.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }

forEachMode('forms of pages', (open) => {
  let bench: RoomBench
  let sale: string
  beforeAll(async () => {
    bench = await open()
    sale = await bench.sale({ ...OPEN_FLOOR, guests: true }, HOUSE)
  })

  interface Browser {
    readonly authorization?: string
    readonly cookie?: string
  }

  /** A visitor on the floor with the cookies that joining gave their browser. */
  async function visit(): Promise<Buyer & Browser> {
    const authorization = bench.buyer()
    const joined = await bench.call('POST', `${sale}/queue/join`, { as: authorization, body: {} })
    const cookie = [joined.headers['set-cookie'] ?? []].flat().map((one) => one.split(';', 1)[0])
    const buyer = new Buyer(bench, sale, authorization, joined.json<{ ticketToken: string }>().ticketToken)
    await buyer.look()
    return Object.assign(buyer, { cookie: cookie.join('; ') })
  }

  function send(url: string, fields: Record<string, string>, { authorization, cookie }: Browser = {}) {
    const who = {
      ...(authorization === undefined ? {} : { authorization }),
      ...(cookie === undefined ? {} : { cookie }),
    }
    const payload = new URLSearchParams(fields).toString()
    return bench.server.app.inject({ method: 'POST', url, headers: { ...FORM, ...who }, payload })
  }

  it('[B59][I33] choosing seats by form takes what the API takes, and one bad form fails no other visitor’s claim', async () => {
    const [, standing = ''] = await typeIdsOf(bench, sale)
    const [vandal, ...honest] = await Promise.all(Array.from({ length: 5 }, visit))
    if (vandal === undefined) throw new Error('No visitor was admitted')
    const url = `${sale.replace('/api', '')}/seats`
    const good = { choice: standing, quantity: '1', key: randomUUID() }
    const bad: Record<string, string>[] = [
      { ...good, quantity: '0' },
      { ...good, quantity: '-1' },
      { ...good, quantity: '1.5' },
      { ...good, quantity: '1001' },
      { ...good, quantity: '' },
      { ...good, key: 'k'.repeat(201) },
      { ...good, key: 'x'.repeat(20_000) },
      { ...good, key: '1 1 1 - x\n2 2 1' },
      { ...good, key: 'a\0b' },
      { ...good, key: '' },
      { ...good, choice: 'no id' },
      { ...good, choice: `${standing} <b>` },
      { ...good, seatTypeId: standing },
      { ...good, seatIds: randomUUID() },
      { quantity: '1', key: randomUUID() },
    ]
    const forms = bad.map((fields) => send(url, fields, vandal))
    const claims = honest.map((buyer) => buyer.reserve({ seatTypeId: standing, quantity: 1 }))
    const statuses = (answers: Answer[]): number[] => answers.map(({ statusCode }) => statusCode)
    expect(statuses(await Promise.all(claims))).toEqual([201, 201, 201, 201])
    expect(statuses(await Promise.all(forms))).toEqual(bad.map(() => 400))
    expect((await send(url, good, vandal)).statusCode).toBe(303)
    expect(await heldSeats(bench, sale)).toBe(5)
  })

  it('[B59] paying by form takes what the API takes', async () => {
    const buyer = await visit()
    const [stalls = ''] = await typeIdsOf(bench, sale)
    const { id } = await buyer.reserved({ seatTypeId: stalls, quantity: 1 })
    const good = { key: randomUUID(), method: 'sandbox_ok' }
    for (const fields of [
      { ...good, key: '' },
      { ...good, key: 'two words' },
      { ...good, key: 'k'.repeat(201) },
      { ...good, method: 'm'.repeat(201) },
      { ...good, amount: '1' },
      { method: 'sandbox_ok' },
    ]) {
      expect((await send(`/checkout/${id}/pay`, fields, buyer)).statusCode).toBe(400)
    }
    expect((await send(`/checkout/${id}/give-back`, { all: 'yes' }, buyer)).statusCode).toBe(400)
    expect((await send(`/checkout/${id}/pay`, good, buyer)).statusCode).toBe(303)
    expect((await buyer.read(`/api/reservations/${id}`)).json()).toMatchObject({ status: 'PAID' })
  })

  it('[B59] signing in and up by form takes what the API takes', async () => {
    const email = `${randomUUID()}@example.com`
    const account = { email, password: 'correct horse battery staple', name: 'Ada' }
    for (const fields of [
      { ...account, email: 'e'.repeat(300) },
      { ...account, name: 'n'.repeat(5_000) },
      { ...account, password: 'p'.repeat(5_000) },
      { ...account, role: 'admin' },
      { email },
    ]) {
      expect((await send('/sign-up', fields)).statusCode).toBe(400)
      expect((await send('/sign-in', { ...fields, name: '' })).statusCode).toBe(400)
    }
    expect((await send('/sign-up', { ...account, next: '/reservations' })).headers.location).toBe('/reservations')
    const { password } = account
    expect((await send('/sign-in', { email, password, next: '//evil.example' })).headers.location).toBe('/')
    expect((await send('/sign-out', { everywhere: 'yes' })).statusCode).toBe(400)
  })

  it('[B59] buttons of the waiting page and the console’s forms take their own fields only', async () => {
    const visitor = await visit()
    const page = `${sale.replace('/api', '')}/wait`
    for (const act of ['join', 'claim', 'extend', 'hand-over', 'leave']) {
      expect((await send(`${page}/${act}`, { class: '9' }, visitor)).statusCode).toBe(400)
      expect((await send(`${page}/${act}`, {}, visitor)).statusCode).toBeLessThan(400)
    }
    const { authorization } = bench.organizer
    const room = { name: 'Drop', target: 'https://shop.example.com/' }
    for (const fields of [
      { ...room, name: '' },
      { ...room, target: 'x'.repeat(3_000) },
      { ...room, capacity: '9' },
    ]) {
      expect((await send('/console/rooms', fields, { authorization })).statusCode).toBe(400)
    }
    expect((await send('/console/rooms', room, { authorization })).statusCode).toBe(303)
  })
})
