import { randomUUID } from 'node:crypto'
import { waitUntil } from '@seatwise/testbench'
import { beforeAll, expect, it } from 'vitest'
import { registerWithRole } from '../../support/accounts.ts'
import { expectError } from '../../support/kernel.ts'
import { Buyer, forEachMode, OPEN_FLOOR, type WireSeat } from '../../support/reservation.ts'
import type { RoomBench } from '../../support/room.ts'
import { codesOf, HALL, typesOf, type WireType } from './codes-kit.ts'

const MINUTE_MS = 60_000

forEachMode('codes of an event', (open) => {
  let bench: RoomBench
  let sale: string
  let codes: ReturnType<typeof codesOf>
  let types: Record<string, string>
  beforeAll(async () => {
    bench = await open()
    sale = await bench.sale(OPEN_FLOOR, HALL)
    codes = codesOf(bench, sale)
    types = await typesOf(bench, sale)
  })

  it('[B110] bad codes are refused by field, and nothing is stored', async () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const bad: [object, string][] = [
      [{ percent: 10 }, 'body/code'],
      [{ code: 'A', count: 2, percent: 10 }, 'body/code'],
      [{ code: ' - ', percent: 10 }, 'body/code'],
      [{ code: 'A' }, 'body/percent'],
      [{ code: 'A', percent: 0 }, 'body/percent'],
      [{ code: 'A', percent: 10.0001 }, 'body/percent'],
      [{ code: 'A', percent: 10, amountOff: 5 }, 'body/amountOff'],
      [{ code: 'A', percent: 10, seatTypeIds: [randomUUID()] }, 'body/seatTypeIds'],
      [{ code: 'A', percent: 10, validFrom: at(MINUTE_MS), validUntil: at(0) }, 'body/validUntil'],
    ]
    for (const [body, field] of bad) {
      expect(expectError(await codes.post(body), 400, 'BAD_REQUEST'), JSON.stringify(body)).toMatchObject({ field })
    }
    for (const body of [
      { code: 'A', percent: 101 },
      { code: 'A', price: -1 },
      { code: 'A', usesMax: 0, access: true },
    ]) {
      expectError(await codes.post(body), 400, 'BAD_REQUEST')
    }
    expectError(await codes.post({ code: 'A', percent: 1, unknown: 1 }), 400, 'BAD_REQUEST')
    expect((await codes.get()).json()).toEqual({ items: [], nextCursor: null })
  })

  it('[B121] the organiser makes, lists, exports and ends codes; other callers do not', async () => {
    const hall = await bench.sale(OPEN_FLOOR, HALL)
    const own = codesOf(bench, hall)
    const one = await own.post({ code: 'Spring-26', percent: 12.5, usesMax: 50 })
    expect([one.statusCode, one.json()]).toMatchObject([201, { items: [{ code: 'Spring-26' }] }])
    expectError(await own.post({ code: 'spring 26', access: true }), 409, 'CODE_EXISTS')
    const bulk = await own.post({ count: 30, access: true, perBuyerMax: 1 })
    const texts = bulk.json<{ items: { code: string }[] }>().items.map(({ code }) => code)
    expect(new Set(texts).size).toBe(30)
    for (const text of texts) expect(text).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/)

    const first = (await own.get('?limit=20')).json<{ items: { id: string; code: string }[]; nextCursor: string }>()
    const rest = (await own.get(`?limit=20&cursor=${first.nextCursor}`)).json<typeof first>()
    const listed = [...first.items, ...rest.items]
    expect(listed.map(({ code }) => code).sort()).toEqual([...texts, 'Spring-26'].sort())
    expect([rest.nextCursor, listed.at(-1)]).toMatchObject([
      null,
      { percent: 12.5, amountOff: null, uses: 0, usesMax: 50 },
    ])

    const table = await own.get('.csv')
    expect(table.headers['content-type']).toContain('text/csv')
    expect(table.body.split('\r\n')).toHaveLength(33)
    expect(table.body).toContain('Spring-26,12.5,,,EUR,false,0,50')

    const id = listed.at(-1)?.id ?? ''
    expect((await own.end(id)).statusCode).toBe(204)
    expect((await own.end(id)).statusCode).toBe(204)
    expectError(await own.end(randomUUID()), 404, 'NOT_FOUND')
    expectError(await own.end('nonsense'), 404, 'NOT_FOUND')
    expectError(await own.check('SPRING26'), 404, 'CODE_UNKNOWN')
    const { endedAt } = (await own.get()).json<{ items: { id: string; endedAt: string }[] }>().items.at(-1) ?? {}
    expect(endedAt).toEqual(expect.any(String))

    const stranger = await registerWithRole(bench.server.app, bench.server.ledger, 'organizer')
    for (const call of [own.get, own.post.bind(null, { code: 'X', access: true })]) {
      const as = (authorization: string) =>
        call === own.get ? own.get('', authorization) : own.post({ code: 'X', access: true }, authorization)
      expectError(await as(stranger.authorization), 403, 'FORBIDDEN')
      expectError(await as(bench.buyer()), 403, 'FORBIDDEN')
      expectError(await as(''), 401, 'UNAUTHORIZED')
    }
    expect((await own.get('', bench.admin.authorization)).statusCode).toBe(200)
  })

  it('[B111, B117] a reservation with a code has its discount, once for each key', async () => {
    await codes.post({ code: 'TENTH', percent: 10, usesMax: 2 })
    const ada = await Buyer.admitted(bench, sale)
    const [key, wish] = [randomUUID(), { seatTypeId: types.Standing, quantity: 2 }]
    const answer = await ada.reserve({ ...wish, code: ' tenth' }, key)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      201,
      {
        lines: [
          { kind: 'seat', name: 'Standing', quantity: 2, unitPrice: 4_500, amount: 9_000 },
          { kind: 'discount', name: 'TENTH', amount: -900 },
        ],
        amount: 8_100,
      },
    ])
    expect((await ada.reserve({ ...wish, code: 'TENTH' }, key)).body).toBe(answer.body)
    expectError(await ada.reserve(wish, key), 422, 'KEY_REUSED')
    const [{ uses } = { uses: 0 }] = (await codes.get()).json<{ items: { code: string; uses: number }[] }>().items
    expect(uses).toBe(1)
    // The best seats in a row, and named ones, have the code as well.
    const [bea, cem, dan] = [
      await Buyer.admitted(bench, sale),
      await Buyer.admitted(bench, sale),
      await Buyer.admitted(bench, sale),
    ]
    expect((await bea.reserved({ seatTypeId: types.Stalls, quantity: 1, code: 'TENTH' })).amount).toBe(8_100)
    expectError(await cem.reserve({ ...wish, code: 'TENTH' }), 409, 'CODE_USED_UP')
    await ada.cancel(answer.json<{ id: string }>().id)
    expect((await dan.reserve({ ...wish, code: 'TENTH' })).statusCode).toBe(201)
    expect((await ada.reserve({ ...wish, code: 'TENTH' }, key)).body).toBe(answer.body)
  })

  it('[B115] unknown codes, codes for other seats, and codes of the buyer’s own limit are told apart', async () => {
    await codes.post({ code: 'STALLS', amountOff: 500, seatTypeIds: [types.Stalls], perBuyerMax: 1 })
    const ada = await Buyer.admitted(bench, sale)
    const standing = { seatTypeId: types.Standing, quantity: 1 }
    expectError(await ada.reserve({ ...standing, code: 'NOTHING' }), 404, 'CODE_UNKNOWN')
    expectError(await ada.reserve({ ...standing, code: 'STALLS' }), 409, 'CODE_NOT_APPLICABLE')
    expectError(await ada.reserve({ ...standing, code: '' }), 400, 'BAD_REQUEST')
    expectError(await ada.reserve({ ...standing, code: 'STALLS' }, randomUUID(), null), 403, 'NOT_ACTIVE')
    const stalls = { seatTypeId: types.Stalls, quantity: 1, code: 'STALLS' }
    expect((await ada.reserved(stalls)).amount).toBe(8_500)
    // Replacing one's own is no second use.
    expect((await ada.reserved({ ...stalls, quantity: 2 })).amount).toBe(17_500)
    const again = await Buyer.admitted(bench, await bench.sale(OPEN_FLOOR, HALL), ada.authorization)
    expectError(await again.reserve({ ...standing, code: 'STALLS' }), 404, 'CODE_UNKNOWN')
  })

  it('[E26, B116] hidden seat types are in no public answer, and not found without a code that opens them', async () => {
    const organizer = { as: bench.organizer.authorization }
    const hidden = [types.Friends, types.Box]
    const all = (await bench.call('GET', `${sale}/seats`, organizer)).json<{ seats: WireSeat[] }>().seats
    expect(all.filter(({ seatTypeId }) => hidden.includes(seatTypeId))).toHaveLength(9)
    const box = all.find(({ row }) => row === 'Z')?.id ?? ''
    const id = sale.split('/').at(-1) ?? ''
    const publicly = [sale, `${sale}/seats`, '/api/events?limit=100', '/api/events/search?q=', `${sale}/queue/now`]
    const stranger = await registerWithRole(bench.server.app, bench.server.ledger, 'organizer')
    for (const as of [undefined, bench.buyer(), stranger.authorization]) {
      for (const url of publicly) {
        const { body } = await bench.call('GET', url, as === undefined ? {} : { as })
        for (const secret of [...hidden, box, 'Friends', 'Box']) expect(body, `${url} ${as}`).not.toContain(secret)
      }
    }
    const event = (await bench.call('GET', sale)).json<{ totalSeats: number; seatTypes: WireType[] }>()
    expect([event.totalSeats, event.seatTypes.map(({ name }) => name)]).toEqual([60, ['Stalls', 'Standing']])
    const own = (await bench.call('GET', sale, organizer)).json<typeof event>()
    expect([own.totalSeats, own.seatTypes.map(({ hidden: is }) => is)]).toEqual([69, [false, false, true, true]])
    expect((await bench.call('GET', `${sale}/queue/now`)).json()).toMatchObject({ remainingSeats: null })

    await codes.post({ code: 'BOX', access: true, seatTypeIds: [types.Box] })
    await codes.post({ code: 'CHEAPER', percent: 50 })
    const [ada, bea] = [await Buyer.admitted(bench, sale), await Buyer.admitted(bench, sale)]
    const wishes = [
      { seatIds: [box] },
      { seatTypeId: types.Box, quantity: 1 },
      { seatTypeId: types.Friends, quantity: 1 },
    ]
    for (const wish of wishes) {
      expectError(await ada.reserve(wish), 404, 'NOT_FOUND')
      expectError(await ada.reserve({ ...wish, code: 'CHEAPER' }), 404, 'NOT_FOUND')
    }
    expectError(await ada.reserve({ seatTypeId: types.Friends, quantity: 1, code: 'BOX' }), 404, 'NOT_FOUND')
    const version = (await bench.call('GET', `${sale}/seats`)).json<{ version: number }>().version
    expect((await ada.reserved({ seatTypeId: types.Box, quantity: 4, code: 'BOX' })).amount).toBe(80_000)
    // Taken ones are not found either, and their changes are told to no visitor.
    for (const wish of wishes.slice(0, 2)) expectError(await bea.reserve(wish), 404, 'NOT_FOUND')
    const { body } = await bench.call('GET', `${sale}/seats?since=${version}`)
    expect(body).toContain('"version"')
    expect(body).not.toContain(box)
    expect((await bench.call('GET', `/api/events/${id}`)).json()).toMatchObject({ totalSeats: 60 })
  })

  it('[E27] a type that is shown counts in the public figures, also of the room, once it is', async () => {
    const hall = await bench.sale(OPEN_FLOOR, HALL)
    const { Friends = '', Box = '' } = await typesOf(bench, hall)
    const body = {
      seatTypes: [
        { id: Friends, hidden: false },
        { id: Box, hidden: false },
      ],
    }
    const as = bench.organizer.authorization
    expect((await bench.call('GET', `${hall}/queue/now`)).json()).toMatchObject({ remainingSeats: null })
    expect((await bench.call('PATCH', hall, { as, body })).statusCode).toBe(200)
    expect((await bench.call('GET', hall)).json()).toMatchObject({ totalSeats: 69 })
    // The document of the room is at most a second old.
    await waitUntil('the room tells how many seats are left', async () => {
      const now = await bench.call('GET', `${hall}/queue/now`)
      return now.json<{ remainingSeats: number | null }>().remainingSeats === 69
    })
  })

  it('[B122] checking a code says what it does, with the hidden seats that it opens, and uses nothing up', async () => {
    await codes.post({ code: 'GUEST', access: true, price: 0, seatTypeIds: [types.Friends], usesMax: 1 })
    const checked = (await codes.check('guest')).json<{ seatTypes: WireType[]; seats: WireSeat[] }>()
    expect(checked).toMatchObject({
      code: 'GUEST',
      access: true,
      price: 0,
      percent: null,
      seatTypeIds: [types.Friends],
    })
    expect(checked.seatTypes).toMatchObject([{ id: types.Friends, name: 'Friends' }])
    expect(checked.seats.map(({ seatTypeId }) => seatTypeId)).toEqual(Array(5).fill(types.Friends))
    expect((await codes.check('guest')).statusCode).toBe(200)
    const ada = await Buyer.admitted(bench, sale)
    expect((await ada.reserved({ seatTypeId: types.Friends, quantity: 2, code: 'GUEST' })).amount).toBe(0)
    expectError(await codes.check('guest'), 409, 'CODE_USED_UP')
    expectError(await codesOf(bench, `/api/events/${randomUUID()}`).check('guest'), 404, 'CODE_UNKNOWN')
  })

  it('[E25, B123] from presaleStartAt on visitors with an access code join and reserve, all others from salesStartAt', async () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const times = { presaleStartAt: at(-MINUTE_MS), salesStartAt: at(60 * MINUTE_MS), salesEndAt: at(120 * MINUTE_MS) }
    const presale = await bench.sale(OPEN_FLOOR, { ...HALL, ...times })
    const { Stalls = '' } = await typesOf(bench, presale)
    const own = codesOf(bench, presale)
    await own.post({ code: 'FAN', access: true })
    await own.post({ code: 'CHEAP', percent: 10 })
    const join = (body: object) => bench.call('POST', `${presale}/queue/join`, { as: bench.buyer(), body })
    expectError(await join({}), 400, 'SALES_NOT_STARTED')
    expectError(await join({ code: 'CHEAP' }), 400, 'SALES_NOT_STARTED')
    expectError(await join({ code: 'WRONG' }), 404, 'CODE_UNKNOWN')
    const authorization = bench.buyer()
    const { ticketToken } = await bench.join(presale, authorization, { code: 'fan' })
    const fan = new Buyer(bench, presale, authorization, ticketToken)
    await fan.look()
    const wish = { seatTypeId: Stalls, quantity: 1 }
    expectError(await fan.reserve(wish), 400, 'SALES_NOT_STARTED')
    expectError(await fan.reserve({ ...wish, code: 'CHEAP' }), 400, 'SALES_NOT_STARTED')
    expect((await fan.reserve({ ...wish, code: 'FAN' })).statusCode).toBe(201)

    const edit = (body: object) => bench.call('PATCH', presale, { as: bench.organizer.authorization, body })
    expectError(await edit({ presaleStartAt: null }), 409, 'SALE_CONFLICT')
    expectError(await edit({ presaleStartAt: at(180 * MINUTE_MS) }), 400, 'BAD_REQUEST')
    expect((await edit({ salesStartAt: at(-1_000) })).statusCode).toBe(200)
    expect((await join({})).statusCode).toBe(200)
    expectError(await join({ code: 'WRONG' }), 404, 'CODE_UNKNOWN')
    expect((await fan.reserve(wish)).statusCode).toBe(201)
    const early = { ...times, presaleStartAt: at(MINUTE_MS) }
    const later = await bench.sale(OPEN_FLOOR, { ...HALL, ...early })
    await codesOf(bench, later).post({ code: 'FAN', access: true })
    const tooEarly = await bench.call('POST', `${later}/queue/join`, { as: bench.buyer(), body: { code: 'FAN' } })
    expectError(tooEarly, 400, 'SALES_NOT_STARTED')
  })

  it('[B119] wrong codes are limited by address and event; a right one is no guess, however many send it', async () => {
    const strict = await open({ env: { SEATWISE_RATE_LIMITS: 'on' } })
    const hall = await strict.sale(OPEN_FLOOR, HALL)
    const own = codesOf(strict, hall)
    await own.post({ code: 'RIGHT', percent: 10 })
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => own.check(`WRONG${index}`, '203.0.113.7')),
    )
    expect(guesses.filter(({ statusCode }) => statusCode === 404)).toHaveLength(30)
    const refused = guesses.find(({ statusCode }) => statusCode === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expectError(await own.check('RIGHT', '203.0.113.7'), 429, 'TOO_MANY_REQUESTS')
    const right = await Promise.all(Array.from({ length: 100 }, () => own.check('right', '203.0.113.8')))
    expect(right.map(({ statusCode }) => statusCode)).toEqual(Array(100).fill(200))
    const join = {
      method: 'POST',
      url: `${hall}/queue/join`,
      payload: { code: 'WRONG' },
      remoteAddress: '203.0.113.7',
    } as const
    expectError(await strict.server.app.inject(join), 429, 'TOO_MANY_REQUESTS')
  })
})
