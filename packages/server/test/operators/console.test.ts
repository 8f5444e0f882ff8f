import { randomUUID } from 'node:crypto'
import { waitUntil } from '@seatwise/testbench'
import { beforeAll, describe, expect, it } from 'vitest'
import { registerWithRole, type Visitor } from '../support/accounts.ts'
import { expectError } from '../support/kernel.ts'
import { Buyer, HOUSE, OPEN_FLOOR } from '../support/reservation.ts'
import { forEachMode, openRoomServer, type RoomBench } from '../support/room.ts'

interface Entry {
  id: number
  kind: string
  actorId: string
  actorName: string
  subject: string | null
  before: Record<string, unknown>
  after: Record<string, unknown>
  undoes: number | null
  undoneBy: number | null
}

forEachMode('what the console is made of', (open) => {
  let bench: RoomBench
  let staff: Visitor
  beforeAll(async () => {
    bench = await open()
    staff = await bench.member('box_office')
  })

  const get = async <Body>(url: string, as = bench.organizer.authorization): Promise<Body> =>
    (await bench.call('GET', url, { as })).json<Body>()
  const post = (url: string, body: object, as = bench.organizer.authorization) => bench.call('POST', url, { as, body })
  const trail = async (sale: string): Promise<Entry[]> => (await get<{ items: Entry[] }>(`${sale}/trail`)).items

  describe('the trail', () => {
    it('[W60] every act is noted with who, what it was before and what it became', async () => {
      const sale = await bench.sale({ ...OPEN_FLOOR, capacity: 50 }, HOUSE)
      await bench.operate(sale, { capacity: 60, paused: true, message: '<b>soon</b>' })
      await bench.operate(sale, { paused: false })
      await bench.call('PATCH', sale, { as: bench.admin.authorization, body: { name: 'Another name' } })
      await post(`${sale}/priority-codes`, { class: 2, count: 3, expiresAt: new Date(Date.now() + 60_000) })
      const { ticketId } = await bench.join(sale)
      await post(`${sale}/queue/terminate`, { ticketId })
      const entries = (await trail(sale)).reverse()
      expect(entries.map(({ kind }) => kind)).toEqual([
        ...['event.created', 'room.changed', 'room.changed', 'event.edited', 'codes.made', 'ticket.terminated'],
      ])
      expect(entries[1]).toMatchObject({
        actorId: bench.organizer.id,
        actorName: 'Ada',
        before: { capacity: 50, paused: false, message: null },
        after: { capacity: 60, paused: true, message: '<b>soon</b>' },
      })
      expect(entries[3]).toMatchObject({ actorId: bench.admin.id, after: { name: 'Another name' } })
      expect(entries[4]?.after).toMatchObject({ class: 2, count: 3 })
      expect(entries[5]?.subject).toBe(ticketId)
    })

    it('[W60] the trail comes in pages, and admins read that of the whole house', async () => {
      const sale = await bench.sale()
      for (const capacity of [1, 2, 3]) await bench.operate(sale, { capacity })
      const first = await get<{ items: Entry[]; nextCursor: string }>(`${sale}/trail?limit=2`)
      const second = await get<{ items: Entry[]; nextCursor: null }>(`${sale}/trail?limit=2&cursor=${first.nextCursor}`)
      expect([...first.items, ...second.items].map(({ after }) => after.capacity)).toEqual([3, 2, 1, undefined])
      expect(second.nextCursor).toBeNull()
      const { id } = await registerWithRole(bench.server.app, bench.server.ledger, 'staff')
      await bench.call('PATCH', `/api/users/${id}`, { as: bench.admin.authorization, body: { role: 'buyer' } })
      const [newest] = (await get<{ items: Entry[] }>('/api/trail?limit=1', bench.admin.authorization)).items
      expect(newest).toMatchObject({
        kind: 'role.changed',
        subject: id,
        before: { role: 'staff' },
        after: { role: 'buyer' },
      })
      expectError(await bench.call('GET', '/api/trail', { as: bench.organizer.authorization }), 403, 'FORBIDDEN')
    })

    it('[W61] a change is undone once, and not after another change', async () => {
      const sale = await bench.sale({ capacity: 10, ratePerMinute: 60 })
      await bench.operate(sale, { capacity: 20, paused: true })
      await bench.operate(sale, { ratePerMinute: 90 })
      const [, paused] = await trail(sale)
      const undo = `${sale}/trail/${paused?.id}/undo`
      expect((await post(undo, {})).json()).toMatchObject({ undone: paused?.id, capacity: 10, paused: false })
      expect((await bench.operate(sale, { burst: 5 })).json()).toMatchObject({
        ...{ capacity: 10, paused: false, ratePerMinute: 90 },
      })
      expectError(await post(undo, {}), 409, 'CANNOT_UNDO')
      const entries = await trail(sale)
      expect(entries[1]).toMatchObject({ undoes: paused?.id, before: { capacity: 20, paused: true } })
      expect(entries[3]?.undoneBy).toBe(entries[1]?.id)
      await bench.operate(sale, { ratePerMinute: 120 })
      const answer = expectError(await post(`${sale}/trail/${entries[2]?.id}/undo`, {}), 409, 'CANNOT_UNDO')
      expect(answer.changed).toEqual(['ratePerMinute'])
      expectError(await post(`${sale}/trail/${entries.at(-1)?.id}/undo`, {}), 409, 'CANNOT_UNDO')
      const other = await bench.sale()
      expectError(await post(`${other}/trail/${paused?.id}/undo`, {}), 404, 'NOT_FOUND')
    })

    it('[W66] tables are safe to open in a spreadsheet', async () => {
      const sale = await bench.sale(OPEN_FLOOR, { name: '=HYPERLINK("x"),"y"' })
      await bench.operate(sale, { message: '=1+1' })
      const answer = await bench.call('GET', `${sale}/trail.csv`, { as: bench.organizer.authorization })
      expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
      const lines = answer.body.split('\r\n')
      expect(lines[0]).toBe('\uFEFFid,at,who,role,what,subject,before,after,undoes')
      expect(lines).toHaveLength(4)
      const buyer = await Buyer.admitted(bench, sale, bench.buyer('=cmd|calc'))
      await buyer.reserved({ seatTypeId: (await typeIds(sale))[0], quantity: 1 })
      const table = await waitUntil('the ledger knows the name', async () => {
        const { body } = await bench.call('GET', `${sale}/reservations.csv`, { as: bench.organizer.authorization })
        return body.includes('cmd') ? body : null
      })
      expect(table).toContain(",'=cmd|calc,1,")
      expect((await bench.call('GET', `${sale}/checkins.csv`, { as: bench.organizer.authorization })).body).toBe(
        '\uFEFF',
      )
    })
  })

  const typeIds = async (sale: string): Promise<string[]> =>
    (await get<{ seatTypes: { id: string }[] }>(sale)).seatTypes.map(({ id }) => id)

  describe('figures', () => {
    it('[W62] a preview says what a change would mean, and changes nothing', async () => {
      const sale = await bench.sale({ capacity: 20, burst: 1, ratePerMinute: 1, claimSeconds: 60 })
      for (let count = 0; count < 13; count++) await bench.join(sale)
      await waitUntil('all wait', async () => (await get<{ waiting: number }>(`${sale}/pulse`)).waiting === 13)
      const preview = (body: object) => post(`${sale}/room/preview`, body).then((answer) => answer.json())
      expect(await preview({ ratePerMinute: 2 })).toMatchObject({
        ...{
          waiting: 13,
          before: { p50: expect.closeTo(750, 3) },
          after: { p50: expect.closeTo(375, 3) },
          limitedBy: 'rate',
        },
      })
      expect(await preview({ paused: true })).toMatchObject({ after: null, limitedBy: 'paused' })
      expect(await get(`${sale}/pulse`)).toMatchObject({ paused: false, settings: { ratePerMinute: 1 }, waiting: 13 })
      expectError(await post(`${sale}/room/preview`, { ratePerMinute: -1 }), 400, 'BAD_REQUEST')
    })

    it('[W63] charts come from the log: another server, and one started later, draw the same', async () => {
      const sale = await bench.sale({ ...OPEN_FLOOR, capacity: 3 }, HOUSE)
      const buyers = await Promise.all(
        ['Ada', 'Bob', 'Cleo'].map((name) => Buyer.admitted(bench, sale, bench.buyer(name))),
      )
      await bench.join(sale)
      await bench.join(sale)
      await buyers[0]?.reserved({ seatTypeId: (await typeIds(sale))[1], quantity: 2 })
      type Drawn = Record<string, number[]>
      const sum = (values: readonly number[] = []) => values.reduce((all, one) => all + one, 0)
      const drawn = await waitUntil('the ledger has followed', async () => {
        const charts = await get<Drawn>(`${sale}/charts`)
        return sum(charts.arrivalsPerSecond) * 2 === 5 && charts.held?.at(-1) === 2 ? charts : null
      })
      expect(sum(drawn.admissionsPerSecond) * 2).toBe(3)
      expect([drawn.waiting?.at(-1), drawn.floor?.at(-1), drawn.sold?.at(-1)]).toEqual([2, 3, 0])
      // Another server on the same ledger; embedded there is only one, so its charts alone are read anew.
      const { ledger, secrets } = bench.server
      const later = await openRoomServer(ledger, { secrets })
      try {
        const headers = { authorization: bench.organizer.authorization }
        const again = (await later.app.inject({ method: 'GET', url: `${sale}/charts`, headers })).json<Drawn>()
        const shared = (charts: Drawn) => drawn.at?.map((_, index) => [charts.waiting?.[index], charts.floor?.[index]])
        if (ledger.kind === 'postgres') expect(shared(again)).toEqual(shared(drawn))
        expect(sum(again.arrivalsPerSecond) * 2).toBe(5)
      } finally {
        await later.close()
      }
      expect((await get<Drawn>(`${sale}/charts?since=${new Date(Date.now() + 60_000).toISOString()}`)).at).toEqual([])
    })

    it('[W64] the head of the line and the floor say who stands where, since when and with what', async () => {
      const sale = await bench.sale({ ...OPEN_FLOOR, capacity: 1 }, HOUSE)
      const buyer = await Buyer.admitted(bench, sale, bench.buyer('<i>Ada</i>'))
      const reservation = await buyer.reserved({ seatTypeId: (await typeIds(sale))[1], quantity: 2 })
      const { ticketId } = await bench.join(sale, bench.buyer('Bob'))
      type Table = { items: Record<string, unknown>[] }
      const floor = await waitUntil('the ledger knows', async () => {
        const { items } = await get<Table>(`${sale}/queue/floor`, staff.authorization)
        return items[0]?.reservation === null || items[0]?.name === null ? null : items
      })
      expect(floor).toMatchObject([
        { name: '<i>Ada</i>', state: 'active', reservedSeats: 2, reservation: { id: reservation.id, amount: 9_000 } },
      ])
      const head = await waitUntil('the ledger knows', async () => {
        const { items } = await get<Table>(`${sale}/queue/front?limit=5`, staff.authorization)
        return items[0]?.name === null ? null : items
      })
      expect(head).toMatchObject([{ ticketId, position: 1, name: 'Bob', class: 0, away: false }])
    })
  })

  describe('before the sale', () => {
    it('[W65] readiness is as good as its worst check, and knows the last rehearsal', async () => {
      const sale = await bench.sale({ capacity: 50, ratePerMinute: 600 })
      type Readiness = { verdict: string; checks: { check: string; verdict: string; problem: string | null }[] }
      const judge = () => get<Readiness>(`${sale}/readiness`, staff.authorization)
      const found = ({ checks }: Readiness, name: string) => checks.find(({ check }) => check === name)
      const first = await judge()
      for (const name of ['ledger', 'line', 'clocks', 'window', 'stock', 'capacity', 'pace']) {
        expect(found(first, name)).toMatchObject({ verdict: 'go', problem: null })
      }
      expect(found(first, 'rehearsal')).toMatchObject({ verdict: 'caution', problem: 'none' })
      expect(found(first, 'payments')).toMatchObject({ verdict: 'caution', problem: 'sandbox' })
      await post(`${sale}/rehearsals`, { verdict: 'failed', report: { visitors: 10, oversold: 1 } })
      const failed = await judge()
      expect([failed.verdict, found(failed, 'rehearsal')?.problem]).toEqual(['no-go', 'failed'])
      await post(`${sale}/rehearsals`, { verdict: 'passed', report: { visitors: 10, sold: 5, oversold: 0 } })
      await bench.operate(sale, { capacity: 500, paused: true })
      const second = await judge()
      expect(found(second, 'rehearsal')).toMatchObject({ verdict: 'go' })
      expect(found(second, 'capacity')?.problem).toBe('above_stock')
      expect(found(second, 'paused')?.problem).toBe('paused')
      expect((await get<{ items: unknown[] }>(`${sale}/rehearsals`)).items).toHaveLength(2)
      expect((await trail(sale)).filter(({ kind }) => kind === 'rehearsal.registered')).toHaveLength(2)
    })
  })

  describe('who may see it', () => {
    it('[W67] members see the sales of their organization, box office reads, buyers nothing', async () => {
      const sale = await bench.sale()
      const other = await registerWithRole(bench.server.app, bench.server.ledger, 'organizer')
      const reads = ['pulse', 'charts', 'trail', 'queue/front', 'queue/floor', 'readiness', 'rehearsals']
      for (const path of reads) {
        expect((await bench.call('GET', `${sale}/${path}`, { as: staff.authorization })).statusCode).toBe(200)
        expectError(await bench.call('GET', `${sale}/${path}`, { as: other.authorization }), 403, 'FORBIDDEN')
        expectError(await bench.call('GET', `${sale}/${path}`, { as: bench.buyer() }), 403, 'FORBIDDEN')
        expectError(await bench.call('GET', `${sale}/${path}`), 401, 'UNAUTHORIZED')
      }
      for (const path of ['room/preview', 'trail/1/undo', 'rehearsals']) {
        expectError(await post(`${sale}/${path}`, {}, staff.authorization), 403, 'FORBIDDEN')
      }
      for (const table of ['reservations.csv', 'etickets.csv', 'checkins.csv', 'trail.csv']) {
        expectError(await bench.call('GET', `${sale}/${table}`, { as: staff.authorization }), 403, 'FORBIDDEN')
        expectError(await bench.call('GET', `${sale}/${table}`, { as: other.authorization }), 403, 'FORBIDDEN')
      }
      type Sales = { items: { id: string; available: number; phase: string | null }[] }
      const ids = async (as: string) => (await get<Sales>('/api/console/sales?limit=100', as)).items.map(({ id }) => id)
      const id = sale.split('/').at(-1)
      expect(await ids(bench.organizer.authorization)).toContain(id)
      expect(await ids(staff.authorization)).toContain(id)
      expect(await ids(other.authorization)).toEqual([])
      expectError(await bench.call('GET', '/api/console/sales', { as: bench.buyer() }), 403, 'FORBIDDEN')
      expectError(
        await bench.call('GET', `/api/events/${randomUUID()}/pulse`, { as: staff.authorization }),
        404,
        'NOT_FOUND',
      )
    })
  })
})
