import { randomUUID } from 'node:crypto'
import { type EventBody, parseSaleEvent, ROOM_DEFAULTS } from '@seatwise/domain'
import { type FoundPage, type Ledger, listEvents, type PageMark, readEvent, readSeatMap } from '@seatwise/ledger'
import { forEachLedger, testSeed } from '@seatwise/testbench'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS, makeEvent, seatsIn, takeSeats, type WireSeat } from './events-kit.ts'

forEachLedger('events', (open) => {
  let ledger: Ledger
  beforeAll(async () => {
    ledger = await open()
  })

  const seatMap = async (id: string): Promise<{ version: number; expired: number; seats: WireSeat[] }> => {
    const map = await readSeatMap(ledger.db, id, null)
    if (map === 'unchanged') throw new Error('nothing was known')
    return { ...map, seats: seatsIn(map) }
  }

  describe('creating', () => {
    it('[E1] [E2] gives back every field of the long form', async () => {
      const long: Partial<EventBody> = {
        code: 'AURORA',
        description: 'Two\nlines',
        location: 'Hà Nội',
        startsAt: '2030-05-01T18:00:00.000Z',
        endsAt: '2030-05-01T22:00:00.000Z',
        salesStartAt: '2030-01-01T10:00:00.000Z',
        salesEndAt: '2030-05-01T10:00:00.000Z',
        additionalInfo: { tags: ['a', { deep: null }], n: 1.5 },
        seatTypes: [
          { name: 'Standing', price: 4500, currency: 'EUR', totalQuantity: 5, reservedSeating: false },
          {
            name: 'Stalls',
            price: 9000,
            currency: 'EUR',
            reservedSeating: true,
            rows: [
              { label: 'A', seats: 3, x: 10, y: 20, seatPitch: 2 },
              { label: 'B', seats: 4, blocked: [1, 4], accessible: [2] },
            ],
          },
        ],
        room: { capacity: 7, paused: true },
      }
      const event = await makeEvent(ledger, long)
      expect(JSON.parse(JSON.stringify(event))).toMatchObject({
        ...long,
        seatTypes: [
          { name: 'Standing', totalQuantity: 5, remaining: 5, rows: null },
          { name: 'Stalls', totalQuantity: 7, remaining: 5, rows: long.seatTypes?.[1]?.rows },
        ],
        room: { ...ROOM_DEFAULTS, capacity: 7, paused: true },
        totalSeats: 12,
        remainingSeats: 10,
      })
      expect(await readEvent(ledger.replica, event.id)).toEqual(event)
    })

    it('[E2] the short form makes one free general-admission type', async () => {
      const event = await makeEvent(ledger, { totalSeats: 3 })
      expect(event.seatTypes).toMatchObject([{ name: 'General', price: 0, totalQuantity: 3, reservedSeating: false }])
      expect(event.room).toEqual({ ...ROOM_DEFAULTS, paused: false, message: null })
    })

    it('[E6] 60,000 seats are made by one statement', async () => {
      const rows = Array.from({ length: 300 }, (_, index) => ({ label: `R${index}`, seats: 200 }))
      const event = await makeEvent(ledger, { seatTypes: [{ name: 'Bowl', reservedSeating: true, rows }] })
      expect(event.remainingSeats).toBe(60_000)
      const { seats } = await seatMap(event.id)
      expect(seats).toHaveLength(60_000)
      expect(seats.at(-1)).toMatchObject({ row: 'R299', number: 200, status: 'available' })
    })

    it('[E4] an event has a room of its own, made with it', async () => {
      const event = await makeEvent(ledger)
      const room = await ledger.db.selectFrom('rooms').selectAll().where('event_id', '=', event.id).executeTakeFirst()
      expect(room).toMatchObject({ id: event.roomId, epoch: 0, settings: ROOM_DEFAULTS })
    })

    it('[P1] after creation remainingSeats is the number of seats that are not blocked, however it is read', async () => {
      const row = fc.record({ seats: fc.integer({ min: 1, max: 12 }), mask: fc.nat({ max: 4095 }) })
      const type = fc.oneof(
        fc.record({ quantity: fc.integer({ min: 1, max: 40 }) }),
        fc.record({ rows: fc.array(row, { minLength: 1, maxLength: 4 }) }),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(type, { minLength: 1, maxLength: 4 }), async (types) => {
          let unblocked = 0
          const seatTypes = types.map((drawn, index) => {
            if ('quantity' in drawn) {
              unblocked += drawn.quantity
              return { name: `T${index}`, totalQuantity: drawn.quantity }
            }
            const rows = drawn.rows.map(({ seats, mask }, place) => {
              const numbers = Array.from({ length: seats }, (_, seat) => seat + 1)
              const blocked = numbers.filter((number) => (mask >> (number - 1)) & 1)
              unblocked += seats - blocked.length
              return { label: `R${place}`, seats, blocked }
            })
            return { name: `T${index}`, reservedSeating: true, rows }
          })
          const event = await makeEvent(ledger, { seatTypes })
          expect(event.remainingSeats).toBe(unblocked)
          expect((await readEvent(ledger.db, event.id))?.remainingSeats).toBe(unblocked)
          const { seats } = await seatMap(event.id)
          expect(seats.filter(({ status }) => status === 'available')).toHaveLength(unblocked)
        }),
        { numRuns: 100 },
      )
    })

    it('[P10] a stored event survives JSON there and back', async () => {
      const event = await makeEvent(ledger, { startsAt: '2031-01-01T00:00:00.123Z' })
      expect(parseSaleEvent(JSON.stringify(event))).toEqual(event)
    })
  })

  describe('reading', () => {
    it('[E8] a list goes on where it stopped, without repeating or missing events made meanwhile', async () => {
      const made: string[] = []
      const at = (day: number) => ({ totalSeats: 1, startsAt: new Date(Date.now() + day * HOUR_MS).toISOString() })
      for (let day = 1; day <= 5; day += 1) made.push((await makeEvent(ledger, at(day))).id)
      const first = await listEvents(ledger.db, { limit: 3, after: null })
      await makeEvent(ledger, at(1))
      const second = await listEvents(ledger.db, { limit: 2, after: first.next })
      expect([...first.ids, ...second.ids]).toEqual(made)
    })

    it('[E8] [E23] the list has exactly what is not over, in order of its beginning, whatever the page size', async () => {
      const seed = testSeed()
      const nowMs = Date.now()
      // Minutes from now; never so near that it is over, or no longer to come, by the time the ledger is asked.
      const minute = fc.integer({ min: -3_000, max: 3_000 }).map((value) => (value < 0 ? value - 10 : value + 10))
      const times = fc.record({ starts: fc.option(minute), length: fc.option(fc.nat({ max: 4_000 })), sale: minute })
      const drawn = fc.sample(times, { seed, numRuns: 60 })
      const iso = (minutes: number): string => new Date(nowMs + minutes * 60_000).toISOString()
      const expected: { id: string; listed: [number, number] }[] = []
      for (const { starts, length, sale } of drawn) {
        const ends = starts === null || length === null ? null : starts + length
        const over = ends ?? (starts === null ? sale + 600 : starts + 360)
        if (Math.abs(over) < 5) continue
        const { id } = await makeEvent(ledger, {
          ...{ totalSeats: 1, name: 'Drawn', salesStartAt: iso(sale), salesEndAt: iso(sale + 600) },
          ...{ startsAt: starts === null ? null : iso(starts), endsAt: ends === null ? null : iso(ends) },
        })
        if (over > 0) expected.push({ id, listed: starts === null ? [1, sale] : [0, starts] })
      }
      expected.sort((a, b) => a.listed[0] - b.listed[0] || a.listed[1] - b.listed[1] || (a.id < b.id ? -1 : 1))
      const drawnIds = new Set(
        (await ledger.db.selectFrom('events').select('id').where('name', '=', 'Drawn').execute()).map(({ id }) => id),
      )
      for (const limit of [1, 7, 100]) {
        const seen: string[] = []
        let after: PageMark | null = null
        do {
          const page: FoundPage = await listEvents(ledger.db, { limit, after })
          expect(page.ids.length).toBeLessThanOrEqual(limit)
          seen.push(...page.ids)
          after = page.next
        } while (after !== null && seen.length < 1_000)
        expect(seen.filter((id) => drawnIds.has(id))).toEqual(expected.map(({ id }) => id))
        expect(new Set(seen).size).toBe(seen.length)
      }
    })

    it('[E9] the seat map shows every seat with its place, and nothing for an unknown event', async () => {
      const rows = [{ label: 'A "1"', seats: 2, accessible: [1], blocked: [2], x: 1.5, y: -2, seatPitch: 0.5 }]
      const event = await makeEvent(ledger, {
        seatTypes: [
          { name: 'Stalls', reservedSeating: true, rows },
          { name: 'Standing', totalQuantity: 1 },
        ],
      })
      const { seats } = await seatMap(event.id)
      const id = expect.any(String)
      expect(seats).toEqual([
        {
          id,
          seatTypeId: event.seatTypes[0]?.id,
          row: 'A "1"',
          number: 1,
          status: 'available',
          accessible: true,
          x: 1.5,
          y: -2,
        },
        { id, seatTypeId: event.seatTypes[0]?.id, row: 'A "1"', number: 2, status: 'blocked', x: 2, y: -2 },
        { id, seatTypeId: event.seatTypes[1]?.id, row: null, number: null, status: 'available' },
      ])
      expect((await seatMap(randomUUID())).seats).toEqual([])
    })

    it('[E10] a transaction that changes seats raises the version by one, and nothing else does', async () => {
      const event = await makeEvent(ledger, { totalSeats: 4 })
      const before = await seatMap(event.id)
      expect(await readSeatMap(ledger.db, event.id, before)).toBe('unchanged')
      await takeSeats(
        ledger,
        event,
        before.seats.slice(0, 2).map(({ id }) => id),
        'held',
      )
      const after = await seatMap(event.id)
      expect(after.version).toBe(before.version + 1)
      await ledger.db.updateTable('seats').set({ x: null }).where('event_id', '=', event.id).execute()
      expect((await seatMap(event.id)).version).toBe(after.version)
    })

    it('[E11] an expired hold counts and shows as available', async () => {
      const event = await makeEvent(ledger, { totalSeats: 3 })
      const { seats } = await seatMap(event.id)
      const [one, two] = seats.map(({ id }) => id)
      await takeSeats(ledger, event, [one ?? ''], 'held', new Date(Date.now() - 1000))
      await takeSeats(ledger, event, [two ?? ''], 'held')
      expect((await readEvent(ledger.db, event.id))?.remainingSeats).toBe(2)
      const map = await seatMap(event.id)
      expect(map.seats.map(({ status }) => status)).toEqual(['available', 'held', 'available'])
      expect(map.expired).toBe(1)
    })
  })
})
