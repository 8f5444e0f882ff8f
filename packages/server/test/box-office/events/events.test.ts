import { randomUUID } from 'node:crypto'
import { ROOM_DEFAULTS } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../../src/http/http-server.ts'
import {
  openTestApp,
  registerVisitor,
  registerWithRole,
  type TestServices,
  type Visitor,
} from '../../support/accounts.ts'
import { get, patch, post, shortEvent, type WireEvent, type WirePage } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'

forEachLedger('events over HTTP', (open) => {
  let ledger: Ledger
  let app: App
  let services: TestServices
  let organizer: Visitor
  let admin: Visitor
  let buyer: Visitor
  beforeAll(async () => {
    ledger = await open()
    ;({ app, services } = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' } }))
    organizer = await registerWithRole(app, ledger, 'organizer')
    admin = await registerWithRole(app, ledger, 'admin')
    buyer = await registerVisitor(app)
  })
  afterAll(async () => {
    await app.close()
    await services.rooms.close()
  })

  const create = async (more: object = {}): Promise<WireEvent> => {
    const answer = await post(app, organizer.authorization, shortEvent(more))
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json<WireEvent>()
  }

  describe('making', () => {
    it('[E221] an event keeps its shapes, and a type without numbers the area on which visitors stand', async () => {
      const area = [
        [0, 0],
        [10, 0],
        [10, 6.5],
      ]
      const shapes = [
        { kind: 'stage', outline: area },
        { kind: 'other', label: 'Bar', outline: area },
      ]
      const types = [
        { name: 'Standing', totalQuantity: 3, area },
        { name: 'Stalls', rows: [{ label: 'A', seats: 2 }] },
      ]
      const { id, seatTypes } = await create({ totalSeats: undefined, shapes, seatTypes: types })
      const read = async () =>
        (await get(app, `/api/events/${id}`)).json<{ shapes: unknown; seatTypes: { area: unknown }[] }>()
      expect(await read()).toMatchObject({ shapes, seatTypes: [{ area }, { area: null }] })
      const seats = (await get(app, `/api/events/${id}/seats`)).json<{ seatTypes: { area: unknown }[] }>()
      expect(seats.seatTypes.map((type) => type.area)).toEqual([area, null])

      const edit = { shapes: shapes.slice(1), seatTypes: [{ id: seatTypes[0]?.id, area: null }] }
      expect((await patch(app, organizer.authorization, id, edit)).statusCode).toBe(200)
      expect(await read()).toMatchObject({ shapes: shapes.slice(1), seatTypes: [{ area: null }, { area: null }] })
      expect((await patch(app, organizer.authorization, id, { name: 'Other' })).json()).toMatchObject({
        shapes: shapes.slice(1),
      })
      const onRows = await patch(app, organizer.authorization, id, { seatTypes: [{ id: seatTypes[1]?.id, area }] })
      expect(expectError(onRows, 400, 'BAD_REQUEST').message).toContain('seatTypes/0/area')
      expect((await create()).shapes).toEqual([])
    })

    it('[E22] an event has the time zone of its venue, UTC unless it says so; what is no zone is refused', async () => {
      expect(await create()).toMatchObject({ timeZone: 'UTC' })
      const { id } = await create({ timeZone: 'Asia/Ho_Chi_Minh' })
      expect((await get(app, `/api/events/${id}`)).json()).toMatchObject({ timeZone: 'Asia/Ho_Chi_Minh' })
      const moved = await patch(app, organizer.authorization, id, { timeZone: 'Pacific/Auckland' })
      expect(moved.json()).toMatchObject({ timeZone: 'Pacific/Auckland' })
      for (const timeZone of ['', '+07:00', 'Hanoi', 'utc', 7, null, 'x'.repeat(65)]) {
        for (const answer of [
          await post(app, organizer.authorization, shortEvent({ timeZone })),
          await patch(app, organizer.authorization, id, { timeZone }),
        ]) {
          expect(expectError(answer, 400, 'BAD_REQUEST').message).toContain('timeZone')
        }
      }
      const read = await get(app, `/api/events/${id}`, { authorization: organizer.authorization })
      expect(read.json()).toMatchObject({ timeZone: 'Pacific/Auckland' })
    })

    it('[E21] 0, the far ends of the map and a tiny pitch are places like any other, when made and when moved', async () => {
      const rows = [
        { label: 'A', seats: 2, x: 0, y: 0, seatPitch: 0 },
        { label: 'B', seats: 2, x: -100_000, y: 100_000, seatPitch: -100_000 },
        { label: 'C', seats: 2, x: 0, y: -0.5, seatPitch: 1e-300 },
      ]
      const places = async (id: string) => {
        const map = (await get(app, `/api/events/${id}/seats`)).json<{ seats: { x: number; y: number }[] }>()
        return map.seats.map(({ x, y }) => [x, y])
      }
      const numbered = { name: 'Stalls', reservedSeating: true }
      const { id, seatTypes } = await create({ totalSeats: undefined, seatTypes: [{ ...numbered, rows }] })
      const before = [
        [0, 0],
        [0, 0],
        [-100_000, 100_000],
        [-200_000, 100_000],
        [0, -0.5],
        [0, -0.5],
      ]
      expect(await places(id)).toEqual(before)
      const moved = [{ ...rows[1], x: 0, y: 0, seatPitch: 1e-300 }]
      const answer = await patch(app, organizer.authorization, id, {
        seatTypes: [{ id: (seatTypes as { id: string }[])[0]?.id, rows: moved }],
      })
      expect(answer.statusCode, answer.body).toBe(200)
      const later = await get(app, `/api/events/${id}/seats`, { authorization: organizer.authorization })
      expect(later.json<{ seats: { x: number; y: number }[] }>().seats.map(({ x, y }) => [x, y])).toEqual([
        ...before.slice(0, 2),
        ...[
          [0, 0],
          [0, 0],
        ],
        ...before.slice(4),
      ])
    })

    it('[E1] the contract’s example comes back with everything it said and all that was added', async () => {
      const example = {
        name: 'Aurora Live',
        code: 'AURORA',
        description: '…',
        location: 'Hà Nội',
        startsAt: '2099-03-01T19:00:00.000Z',
        endsAt: '2099-03-01T22:00:00.000Z',
        salesStartAt: '2099-01-01T10:00:00.000Z',
        salesEndAt: '2099-02-01T10:00:00.000Z',
        additionalInfo: {},
        seatTypes: [
          { name: 'Standing', price: 4500, currency: 'EUR', totalQuantity: 500, reservedSeating: false },
          {
            name: 'Stalls',
            price: 9000,
            currency: 'EUR',
            reservedSeating: true,
            rows: [
              { label: 'A', seats: 20 },
              { label: 'B', seats: 22, blocked: [1, 22], accessible: [2, 3] },
            ],
          },
        ],
        room: { ...ROOM_DEFAULTS },
      }
      const answer = await post(app, organizer.authorization, example)
      expect(answer.statusCode).toBe(201)
      const event = answer.json<WireEvent>()
      expect(event).toMatchObject({
        ...example,
        id: expect.any(String),
        roomId: expect.any(String),
        totalSeats: 542,
        remainingSeats: 540,
        seatTypes: [
          { ...example.seatTypes[0], id: expect.any(String), remaining: 500 },
          { ...example.seatTypes[1], id: expect.any(String), remaining: 40, totalQuantity: 42 },
        ],
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      })
      expect(answer.headers.location).toBe(`/api/events/${event.id}`)
      expect((await get(app, `/api/events/${event.id}`)).json()).toEqual(event)
    })

    it('[E5] organizers and admins make events, other roles do not', async () => {
      expectError(await app.inject({ method: 'POST', url: '/api/events', payload: shortEvent() }), 401, 'UNAUTHORIZED')
      expectError(await post(app, buyer.authorization, shortEvent()), 403, 'FORBIDDEN')
      expect((await post(app, admin.authorization, shortEvent())).statusCode).toBe(201)
    })

    it('[P1] remainingSeats over HTTP is the number of seats, in the answer, the event and the seat list', async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 300 }), async (totalSeats) => {
          const event = await create({ totalSeats })
          expect(event).toMatchObject({ totalSeats, remainingSeats: totalSeats })
          expect((await get(app, `/api/events/${event.id}`)).json<WireEvent>().remainingSeats).toBe(totalSeats)
          const { seats } = (await get(app, `/api/events/${event.id}/seats`)).json<{ seats: { status: string }[] }>()
          expect(seats.filter(({ status }) => status === 'available')).toHaveLength(totalSeats)
        }),
        { numRuns: 100 },
      )
    })
  })

  describe('editing', () => {
    it('[E5] organizers edit their own events, admins all', async () => {
      const { id } = await create()
      const other = await registerWithRole(app, ledger, 'organizer')
      expectError(await patch(app, other.authorization, id, { name: 'Mine' }), 403, 'FORBIDDEN')
      expectError(await patch(app, buyer.authorization, id, { name: 'Mine' }), 403, 'FORBIDDEN')
      expect((await patch(app, organizer.authorization, id, { name: 'Ours' })).json()).toMatchObject({ name: 'Ours' })
      expect((await patch(app, admin.authorization, id, { name: 'Theirs' })).json()).toMatchObject({ name: 'Theirs' })
      expectError(await patch(app, admin.authorization, randomUUID(), { name: 'x' }), 404, 'NOT_FOUND')
      expectError(await patch(app, admin.authorization, 'x', { name: 'x' }), 404, 'NOT_FOUND')
    })

    it('[E17] what would break a running sale is 409 SALE_CONFLICT and says why', async () => {
      const { id } = await create({ salesStartAt: '2020-01-01T00:00:00Z' })
      const answer = await patch(app, organizer.authorization, id, { salesStartAt: '2098-01-01T00:00:00Z' })
      expect(expectError(answer, 409, 'SALE_CONFLICT').message).toMatch(/sale has begun/)
    })

    it('[E12] room settings are not an edit of the event', async () => {
      const { id } = await create()
      expectError(await patch(app, organizer.authorization, id, { room: { capacity: 2 } }), 400, 'BAD_REQUEST')
      expectError(await patch(app, organizer.authorization, id, {}), 400, 'BAD_REQUEST')
    })
  })

  describe('finding', () => {
    it('[E8] the list goes page by page and ends', async () => {
      const dated = (startsAt: string) => create({ startsAt })
      const later = await dated('2098-02-02T10:00:00Z')
      const made = [await dated('2098-02-01T10:00:00Z'), later, await create()].map(({ id }) => id)
      await create({ startsAt: '2020-01-01T10:00:00Z' })
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null && seen.length < 1_000) {
        const answer = await get(app, `/api/events?limit=2${cursor && `&cursor=${cursor}`}`)
        const page: WirePage = answer.json<WirePage>()
        seen.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor
      }
      // Others of this file have no date, or a later one.
      expect(seen.slice(0, 2)).toEqual(made.slice(0, 2))
      expect(seen.filter((id) => made.includes(id))).toEqual(made)
      expect(new Set(seen).size).toBe(seen.length)
    })

    it.each(['x', 'bnVsbA', 'W10', '%00', Buffer.from('[null,"2026-13-45 00:00:00+00","x"]').toString('base64url')])(
      '[E8] a cursor that we did not write is refused: %s',
      async (cursor) => {
        expectError(await get(app, `/api/events?cursor=${cursor}`), 400, 'BAD_REQUEST')
        expectError(await get(app, `/api/events/search?q=a&cursor=${cursor}`), 400, 'BAD_REQUEST')
      },
    )

    it('[S1] [S7] search answers whole events with a cursor', async () => {
      for (let index = 0; index < 3; index += 1) await create({ name: `Žižkov ${index}`, location: 'Praha' })
      const first = (await get(app, '/api/events/search?q=zizkov&limit=2')).json<WirePage>()
      const second = (await get(app, `/api/events/search?q=zizkov&limit=2&cursor=${first.nextCursor}`)).json<WirePage>()
      expect([...first.items, ...second.items].map(({ name }) => name).toSorted()).toEqual([
        'Žižkov 0',
        'Žižkov 1',
        'Žižkov 2',
      ])
      expect(second.nextCursor).toBeNull()
      expect(first.items[0]).toMatchObject({ remainingSeats: 10, seatTypes: [{ remaining: 10 }] })
    })

    it.each([
      'from=2026-02-30',
      'to=yesterday',
      'limit=0',
      'limit=101',
      'limit=x',
      `q=${'x'.repeat(101)}`,
      'color=red',
    ])('[S9] a search that makes no sense is refused: %s', async (query) => {
      expectError(await get(app, `/api/events/search?${query}`), 400, 'BAD_REQUEST')
    })

    it('[S5] a day as `to` is included whole', async () => {
      await create({ name: 'Solstice', startsAt: '2098-06-21T22:00:00Z' })
      const found = async (query: string): Promise<number> =>
        (await get(app, `/api/events/search?q=solstice&${query}`)).json<WirePage>().items.length
      expect(await found('from=2098-06-21&to=2098-06-21')).toBe(1)
      expect(await found('from=2098-06-22')).toBe(0)
      expect(await found('to=2098-06-20')).toBe(0)
    })
  })

  describe('ids', () => {
    it.each(['1', 'null', '../../etc/passwd', "' or 1=1", '00000000-0000-0000-0000-00000000000g', '%00', '𝟘'])(
      '[E7] what cannot be an id is not found, and the ledger is not asked: %s',
      async (id) => {
        const before = await services.metrics.metrics()
        for (const path of ['', '/seats']) {
          const answer = await get(app, `/api/events/${encodeURIComponent(id)}${path}`)
          expectError(answer, 404, 'NOT_FOUND')
        }
        const loads = (text: string): string[] => text.split('\n').filter((line) => line.includes('cache_loads_total'))
        expect(loads(await services.metrics.metrics())).toEqual(loads(before))
      },
    )

    it('[E7] an unknown id is not found; capitals in an id do not matter', async () => {
      expectError(await get(app, `/api/events/${randomUUID()}`), 404, 'NOT_FOUND')
      expectError(await get(app, `/api/events/${randomUUID()}/seats`), 404, 'NOT_FOUND')
      const { id } = await create()
      expect((await get(app, `/api/events/${id.toUpperCase()}`)).statusCode).toBe(200)
    })
  })
})
