import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger, parseRecord } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../../src/http/http-server.ts'
import { openTestApp, registerWithRole, type Visitor } from '../../support/accounts.ts'
import { patch, post, shortEvent, type WireEvent } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'

const type = (more: object): object => ({ name: 'Stalls', totalQuantity: 5, ...more })
const typed = (more: object): object => ({ totalSeats: undefined, seatTypes: [type(more)] })
const variant = (more: object = {}): object => ({ name: 'Adult', price: 0, ...more })
const rows = (...list: object[]): object => typed({ totalQuantity: undefined, rows: list })
const outline = (...list: unknown[]): object => typed({ area: list })
const shape = (more: object): object => ({
  shapes: [{ kind: 'stage', outline: [...TRIANGLE], ...more }],
})
const TRIANGLE = [
  [0, 0],
  [4, 0],
  [2, 3],
] as const
const deep = (levels: number): object => (levels === 0 ? {} : { inner: deep(levels - 1) })

/** Each is laid over a good event. */
const BAD: Record<string, object> = {
  'no name': { name: undefined },
  'an empty name': { name: '' },
  'a blank name': { name: '  \u00a0 ' },
  'a name that is too long': { name: 'x'.repeat(201) },
  'a name that is a number': { name: 5 },
  'a name with NUL': { name: 'a\0b' },
  'a name with a line break': { name: 'a\nb' },
  'a name that is half a character': { name: 'a\ud800' },
  'a location with NUL': { location: '\0' },
  'a description that is too long': { description: 'x'.repeat(20_001) },
  'no start of sales': { salesStartAt: undefined },
  'a day that does not exist': { salesStartAt: '2026-02-30T10:00:00Z' },
  'a month that does not exist': { salesStartAt: '2026-13-01T10:00:00Z' },
  'an hour that does not exist': { salesStartAt: '2026-01-01T25:00:00Z' },
  'a leap second': { salesStartAt: '2016-12-31T23:59:60Z' },
  'a time without a zone': { salesStartAt: '2026-01-01T10:00:00' },
  'a time that is a number': { salesStartAt: 1_790_000_000 },
  'a time that is a word': { startsAt: 'tomorrow' },
  'a year beyond the ledger': { endsAt: '9999-12-31T23:59:59Z' },
  'sales that end before they start': { salesEndAt: '2098-01-01T00:00:00Z' },
  'sales that end when they start': { salesEndAt: shortEvent().salesStartAt },
  'an end before the beginning': { startsAt: '2099-05-02T00:00:00Z', endsAt: '2099-05-01T00:00:00Z' },
  'a tax rate of four decimals': { taxRate: 7.1255 },
  'a negative tax rate': { taxRate: -1 },
  'a tax rate over 100': { taxRate: 100.5 },
  'a fee of nothing': { fees: [{ name: 'Booking' }] },
  'a fee without a name': { fees: [{ name: ' ', perTicket: 1 }] },
  'a fee of four decimals': { fees: [{ name: 'Booking', percent: 0.0001 }] },
  'two variants of one name': typed({ variants: [variant(), variant()] }),
  'two variants of one id': typed({ variants: [variant({ id: 'a' }), variant({ id: 'a', name: 'Child' })] }),
  'a variant with a price and no currency': typed({ variants: [variant({ price: 1 })] }),
  'a variant with a negative price': typed({ variants: [variant({ price: -1 })] }),
  'a shape of no kind': shape({ kind: 'bar' }),
  'a shape of two corners': shape({ outline: TRIANGLE.slice(1) }),
  'a shape of 65 corners': shape({ outline: Array.from({ length: 65 }, (_, index) => [index, index % 2]) }),
  'a shape that is a line': shape({
    outline: [
      [0, 0],
      [5, 0],
      [9, 0],
    ],
  }),
  'a corner off the map': shape({ outline: [...TRIANGLE, [100_001, 0]] }),
  'a corner without a height': shape({ outline: [...TRIANGLE, [1]] }),
  'a blank label of a shape': shape({ label: ' ' }),
  'an area of a type with rows': rows({ label: 'A', seats: 3 }, { label: 'B', seats: 3, area: TRIANGLE }),
  'an area beside rows': typed({ totalQuantity: undefined, rows: [{ label: 'A', seats: 3 }], area: TRIANGLE }),
  'an area of one point': outline([1, 1], [1, 1], [1, 1]),
  'no seats at all': { totalSeats: undefined },
  'both forms at once': { seatTypes: [type({})] },
  'zero seats': { totalSeats: 0 },
  'negative seats': { totalSeats: -1 },
  'half a seat': { totalSeats: 1.5 },
  'seats as text': { totalSeats: '10' },
  'a billion seats': { totalSeats: 1_000_000_000 },
  'a billion seats of a type': typed({ totalQuantity: 1_000_000_000 }),
  'too many seats in sum': {
    totalSeats: undefined,
    seatTypes: [type({ totalQuantity: 150_000 }), type({ totalQuantity: 150_000 })],
  },
  'a billion seats in a row': rows({ label: 'A', seats: 1_000_000_000 }),
  'too many seats in rows': rows(...Array.from({ length: 100 }, (_, index) => ({ label: `R${index}`, seats: 5_000 }))),
  'too many rows': rows(...Array.from({ length: 5_001 }, (_, index) => ({ label: `R${index}`, seats: 1 }))),
  'a row without seats': rows({ label: 'A', seats: 0 }),
  'two rows of one name': rows({ label: 'A', seats: 1 }, { label: 'A', seats: 1 }),
  'a row without a name': rows({ label: '', seats: 1 }),
  'a row with a long name': rows({ label: 'x'.repeat(61), seats: 1 }),
  'a blocked seat outside its row': rows({ label: 'A', seats: 3, blocked: [4] }),
  'a seat blocked twice': rows({ label: 'A', seats: 3, blocked: [2, 2] }),
  'a blocked seat number zero': rows({ label: 'A', seats: 3, blocked: [0] }),
  'a row with half a place': rows({ label: 'A', seats: 3, x: 5 }),
  'a row beyond the map': rows({ label: 'A', seats: 3, x: 1e9, y: 0 }),
  'a row just beyond the map': rows({ label: 'A', seats: 3, x: 0, y: -100_000.5 }),
  'seats too far apart': rows({ label: 'A', seats: 3, x: 0, y: 0, seatPitch: 100_001 }),
  'a row at infinity': rows({ label: 'A', seats: 3, x: 0, y: Number.POSITIVE_INFINITY }),
  'an unknown field in a row': rows({ label: 'A', seats: 3, colour: 'red' }),
  'rows without reserved seating': typed({
    totalQuantity: undefined,
    reservedSeating: false,
    rows: [{ label: 'A', seats: 1 }],
  }),
  'reserved seating without rows': typed({ reservedSeating: true }),
  'a quantity that is not what the rows have': typed({ rows: [{ label: 'A', seats: 4 }] }),
  'no seat types': { totalSeats: undefined, seatTypes: [] },
  'too many seat types': { totalSeats: undefined, seatTypes: Array.from({ length: 201 }, () => type({})) },
  'a negative price': typed({ price: -1, currency: 'EUR' }),
  'a price with cents': typed({ price: 9.99, currency: 'EUR' }),
  'a price as text': typed({ price: '900', currency: 'EUR' }),
  'a price beyond reason': typed({ price: 1_000_000_001, currency: 'EUR' }),
  'a price without a currency': typed({ price: 900 }),
  'a currency in small letters': typed({ price: 900, currency: 'eur' }),
  'a currency that does not exist': typed({ price: 900, currency: 'QQQ' }),
  'two currencies': {
    totalSeats: undefined,
    seatTypes: [type({ price: 1, currency: 'EUR' }), type({ price: 1, currency: 'USD' })],
  },
  'an unknown field': { colour: 'red' },
  'an id of one’s own': { id: '00000000-0000-4000-8000-000000000000' },
  'an unknown field in a seat type': typed({ colour: 'red' }),
  'an unknown room setting': { room: { speed: 1 } },
  'a capacity of zero': { room: { capacity: 0 } },
  'a rate beyond its limit': { room: { ratePerMinute: 1_000_001 } },
  'a session of no seconds': { room: { sessionSeconds: 0 } },
  'a mode that does not exist': { room: { priorityMode: 'chaos' } },
  'a flag as text': { room: { guests: 'true' } },
  'a room that is a list': { room: [] },
  'extras that are a list': { additionalInfo: [] },
  'extras that are null': { additionalInfo: null },
  'extras that are too deep': { additionalInfo: deep(9) },
  'extras that are too large': { additionalInfo: { text: 'x'.repeat(16_400) } },
  'extras with NUL': { additionalInfo: { text: '\0' } },
  'extras with a NUL key': { additionalInfo: { '\0': 1 } },
  'a body with a prototype': parseRecord('{"additionalInfo": {"__proto__": {"role": "admin"}}}'),
  'a body with a constructor': { additionalInfo: { constructor: { prototype: { role: 'admin' } } } },
}

/** The same as edits, without those that lay seats over the good event and the one that makes sense: to sell no more. */
const BAD_EDITS = Object.entries(BAD).filter(
  ([name, more]) => name !== 'zero seats' && !('seatTypes' in more) && !Object.values(more).includes(undefined),
)

describe('bad events', () => {
  let ledger: Ledger
  let app: App
  let organizer: Visitor
  let good: WireEvent
  beforeAll(async () => {
    ledger = await openScratchLedger()
    ;({ app } = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' } }))
    organizer = await registerWithRole(app, ledger, 'organizer')
    good = (await post(app, organizer.authorization, shortEvent())).json<WireEvent>()
  })
  afterAll(async () => {
    await app.close()
    await ledger.close()
  })

  /** How much there is, and when an event last changed. */
  const stored = async (): Promise<unknown> => {
    const { countAll, max } = ledger.db.fn
    return await Promise.all([
      ledger.db
        .selectFrom('events')
        .select([countAll().as('events'), max('updated_at').as('changed')])
        .execute(),
      ledger.db.selectFrom('seats').select(countAll().as('seats')).execute(),
      ledger.db.selectFrom('rooms').select(countAll().as('rooms')).execute(),
    ])
  }

  it.each(Object.entries(BAD))('[E3] %s is refused with 400, and nothing is stored', async (_name, more) => {
    const before = await stored()
    const answer = await post(app, organizer.authorization, { ...shortEvent(), ...more })
    expectError(answer, 400, 'BAD_REQUEST')
    expect(await stored()).toEqual(before)
  })

  it.each(BAD_EDITS)('[E3] an edit to %s is refused with 400, and nothing changes', async (_name, more) => {
    const before = await stored()
    expectError(await patch(app, organizer.authorization, good.id, more), 400, 'BAD_REQUEST')
    expect(await stored()).toEqual(before)
  })

  it('[E3] a seat type of another event cannot be edited', async () => {
    const other = (await post(app, organizer.authorization, shortEvent())).json<WireEvent>()
    const seatTypes = [{ id: other.seatTypes[0]?.id, price: 0 }]
    expectError(await patch(app, organizer.authorization, good.id, { seatTypes }), 400, 'BAD_REQUEST')
  })

  it('[E3] hostile events do not stall the loop', async () => {
    const wide = rows({ label: 'A', seats: 5_000, blocked: Array.from({ length: 5_000 }, () => 7) })
    const hostile = [BAD['a billion seats'], BAD['too many rows'], BAD['a billion seats in a row'], wide]
    for (const more of hostile) {
      const costs: number[] = []
      for (let run = 0; run < 3; run += 1) {
        const before = process.threadCpuUsage()
        expectError(await post(app, organizer.authorization, { ...shortEvent(), ...more }), 400, 'BAD_REQUEST')
        // Time of this thread's own, so that a busy machine does not fail the test.
        const { user, system } = process.threadCpuUsage(before)
        costs.push((user + system) / 1_000)
      }
      expect(Math.min(...costs)).toBeLessThan(50)
    }
  })

  it('[E3] more than 1 MB is 413, and up to there is read', async () => {
    const large = { ...shortEvent(), description: 'x'.repeat(20_000), additionalInfo: { text: 'x'.repeat(16_000) } }
    expect((await post(app, organizer.authorization, large)).statusCode).toBe(201)
    const answer = await post(app, organizer.authorization, { ...shortEvent(), description: 'x'.repeat(1_100_000) })
    expectError(answer, 413, 'BODY_TOO_LARGE')
  })
})
