import { createHash } from 'node:crypto'
import { readRoomStats } from '@seatwise/ledger'
import { waitUntil } from '@seatwise/testbench'
import { beforeAll, describe, expect, it } from 'vitest'
import { registerWithRole } from '../support/accounts.ts'
import { expectError } from '../support/kernel.ts'
import { forEachMode, openRoomServer, type RoomBench } from '../support/room.ts'

const FAST = { burst: 5, ratePerMinute: 60_000 }

forEachMode('operating a room', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })

  const now = async (room: string): Promise<Record<string, unknown>> =>
    (await bench.call('GET', `${room}/queue/now`)).json()
  const statusOf = async (room: string, ticket: string): Promise<string> => (await bench.status(room, ticket)).status
  const roomId = async (room: string): Promise<string> =>
    (await bench.call('GET', room)).json<{ roomId: string }>().roomId
  const logOf = (id: string) =>
    bench.server.ledger.db
      .selectFrom('room_log')
      .select(['kind', 'operation', 'body'])
      .where('room_id', '=', id)
      .orderBy('seq')
      .execute()

  describe('changes', () => {
    it('[R22] pausing and resuming take effect at once, and the log says who did it', async () => {
      const room = await bench.sale({ ...FAST, capacity: 3 })
      const first = await bench.join(room)
      await waitUntil('the first is let in', async () => (await statusOf(room, first.ticketToken)) === 'admitted')
      const answer = await bench.operate(room, { paused: true, message: 'Back in\n5 minutes' })
      expect(answer.json()).toMatchObject({ paused: true, message: 'Back in\n5 minutes', capacity: 3 })
      const second = await bench.join(room)
      await waitUntil('the public document shows it', async () => {
        const document = await now(room)
        return document.phase === 'paused' && document.message === 'Back in\n5 minutes'
      })
      expect(await statusOf(room, second.ticketToken)).toBe('waiting')
      await bench.operate(room, { paused: false, message: null })
      await waitUntil('the second is let in', async () => (await statusOf(room, second.ticketToken)) === 'admitted')
      const id = await roomId(room)
      const changes = await waitUntil('the ledger has both changes', async () => {
        const rows = (await logOf(id)).filter(({ kind }) => kind === 'changed')
        return rows.length === 2 ? rows : null
      })
      expect(changes.map(({ body }) => body.by)).toEqual([bench.organizer.id, bench.organizer.id])
    })

    it('[R22] a visitor who joins right after a pause is told of it, and of its end', async () => {
      const room = await bench.sale({ ...FAST, capacity: 1 })
      expect(await bench.join(room)).toMatchObject({ phase: 'open', eta: { p50: expect.any(Number) } })
      await bench.operate(room, { paused: true })
      const late = await bench.join(room)
      expect(late).toMatchObject({ phase: 'paused', eta: { p50: null, p90: null, reason: 'paused' } })
      await bench.operate(room, { paused: false })
      expect(await bench.status(room, late.ticketToken)).toMatchObject({ phase: 'open', eta: { reason: null } })
    })

    it('[R22] a setting that servers apply is in force on this server with the answer, and on others once they read the log', async () => {
      const { ledger, secrets } = bench.server
      // The embedded ledger has one server.
      const other = ledger.kind === 'pglite' ? bench.server : await openRoomServer(ledger, { secrets })
      const room = await bench.sale({ paused: true, guests: true })
      const join = { method: 'POST', url: `${room}/queue/join`, payload: {} } as const
      for (const { app } of [bench.server, other]) expect((await app.inject(join)).statusCode).toBe(200)
      // Neither server gets other requests meanwhile: joins alone must not keep old settings in force.
      await bench.operate(room, { guests: false })
      expectError(await bench.server.app.inject(join), 401, 'UNAUTHORIZED')
      await waitUntil('the other server knows', async () => (await other.app.inject(join)).statusCode === 401)
      if (other !== bench.server) await other.close()
    })

    it('[R22] capacity and rate change at the next admission, and are in the ledger first', async () => {
      const room = await bench.sale({ ...FAST, capacity: 1 })
      const [one, two, three] = [await bench.join(room), await bench.join(room), await bench.join(room)]
      await waitUntil('one is in', async () => (await statusOf(room, one.ticketToken)) === 'admitted')
      expect(await statusOf(room, two.ticketToken)).toBe('waiting')
      await bench.operate(room, { capacity: 2 })
      await waitUntil('two are in', async () => (await statusOf(room, two.ticketToken)) === 'admitted')
      expect(await statusOf(room, three.ticketToken)).toBe('waiting')
      const row = await bench.server.ledger.db
        .selectFrom('rooms')
        .select('settings')
        .where('id', '=', await roomId(room))
        .executeTakeFirstOrThrow()
      expect(row.settings).toMatchObject({ capacity: 2, ratePerMinute: 60_000 })
    })

    it('[R22] absurd settings are refused with what is wrong, and nothing changes', async () => {
      const room = await bench.sale({ ...FAST, paused: true })
      const before = await now(room)
      for (const [change, field] of [
        [{ capacity: 0 }, 'capacity'],
        [{ capacity: -5 }, 'capacity'],
        [{ capacity: 1.5 }, 'capacity'],
        [{ capacity: 1e12 }, 'capacity'],
        [{ capacity: '10' }, 'capacity'],
        [{ ratePerMinute: -1 }, 'ratePerMinute'],
        [{ ratePerMinute: 1_000_001 }, 'ratePerMinute'],
        [{ burst: 0 }, 'burst'],
        [{ sessionSeconds: 0 }, 'sessionSeconds'],
        [{ claimSeconds: -1 }, 'claimSeconds'],
        [{ heartbeatTimeoutSeconds: 0 }, 'heartbeatTimeoutSeconds'],
        [{ maxWaiting: 1e9 }, 'maxWaiting'],
        [{ priorityMode: 'bribe' }, 'priorityMode'],
        [{ paused: 'yes' }, 'paused'],
        [{ message: 'x'.repeat(501) }, 'message'],
        [{ message: 'a\0b' }, 'message'],
        [{ capacity: 5, unknown: 1 }, 'unknown'],
      ] as const) {
        const refused = expectError(await bench.operate(room, change), 400, 'BAD_REQUEST')
        expect(refused.message).toContain(field)
      }
      expectError(await bench.operate(room, {}), 400, 'BAD_REQUEST')
      expect(await now(room)).toMatchObject({ seq: before.seq, capacity: before.capacity })
    })

    it('[J65] the log has the price list before the first ticket, and prices only fall while a visitor waits or is inside', async () => {
      const seatTypes = [{ name: 'Hall', price: 1_000, currency: 'EUR', totalQuantity: 50, reservedSeating: false }]
      const room = await bench.sale({ ...FAST, paused: true }, { totalSeats: undefined, seatTypes })
      const event = async () =>
        (await bench.call('GET', room)).json<{ roomId: string; seatTypes: { id: string; price: number }[] }>()
      const { roomId: id, seatTypes: types } = await event()
      const patch = (body: object) => bench.call('PATCH', room, { as: bench.organizer.authorization, body })
      const priced = (price: number) => ({ seatTypes: [{ id: types[0]?.id, price }] })
      const told = async () => {
        const page = await bench.call('GET', `${room}/queue/audit?limit=1000`)
        const texts = page
          .json<{ items: { canonical: string }[] }>()
          .items.map(({ canonical }) => JSON.parse(canonical))
        return texts.filter(({ kind }) => kind !== 'changed')
      }
      expect((await patch(priced(1_200))).statusCode, 'a rise before the first visitor').toBe(200)
      const ada = await bench.join(room)
      for (const rise of [priced(1_300), { taxRate: 7 }, { fees: [{ name: 'Booking', perTicket: 50 }] }]) {
        const refused = await patch(rise)
        expectError(refused, 409, 'PRICES_LOCKED')
        expect(refused.json<{ rises: string[] }>().rises).toHaveLength(1)
      }
      expect((await event()).seatTypes[0]?.price).toBe(1_200)
      const more = {
        seatTypes: [
          ...priced(1_100).seatTypes,
          { name: 'Box', price: 9_000, totalQuantity: 5, reservedSeating: false },
        ],
      }
      expect((await patch(more)).statusCode, 'lower, and a new seat type').toBe(200)
      const lists = await waitUntil('the ledger has all of it', async () => {
        const all = (await told()).filter(({ kind }) => kind === 'joined' || kind === 'prices')
        return all.length === 4 ? all : null
      })
      expect(lists.map(({ kind }) => kind)).toEqual(['prices', 'prices', 'joined', 'prices'])
      const listed = lists.filter(({ kind }) => kind === 'prices')
      for (const { hash: said, list } of listed) expect(createHash('sha256').update(list).digest('hex')).toBe(said)
      const pricesOf = (list: string) => JSON.parse(list).seatTypes.map(({ price }: { price: number }) => price)
      expect(listed.map(({ list }) => pricesOf(list))).toEqual([[1_000], [1_200], [1_100, 9_000]])
      await bench.call('DELETE', `${room}/queue`, { ticket: ada.ticketToken })
      expect((await patch(priced(1_500))).statusCode, 'after the last visitor left').toBe(200)
      expect(id).not.toBe('')
    })

    it.each([true, false])(
      '[J65] [J65 control] a rise races with the first visitors, and never comes after one of them (guarded: %s)',
      async (onlyWhileEmpty) => {
        const outcomes = await Promise.all(
          Array.from({ length: 12 }, async (_, round) => {
            const sale = await bench.sale({ ...FAST, paused: true })
            const room = await bench.server.services.rooms.ofEvent(sale.split('/').at(-1) ?? '')
            const joins = Array.from({ length: 4 }, () => bench.join(sale))
            if (round % 2 === 0) await joins[0]
            const hashed = { kind: 'prices', hash: 'ab'.repeat(32), list: '{}' } as const
            const isSaid = await room.announce(hashed, 'operator', { onlyWhileEmpty })
            await Promise.all(joins)
            const rows = await waitUntil('the ledger has all of it', async () => {
              const all = (await logOf(room.id)).filter(({ kind }) => kind === 'joined' || kind === 'prices')
              return all.length === (isSaid ? 6 : 5) ? all : null
            })
            const isBefore =
              rows.findLastIndex(({ kind }) => kind === 'prices') < rows.findIndex(({ kind }) => kind === 'joined')
            return { isSaid, isBefore }
          }),
        )
        expect(outcomes.every(({ isSaid, isBefore }) => !isSaid || isBefore)).toBe(onlyWhileEmpty)
      },
    )

    it('[R22] terminating ends a ticket, on the floor too, and the log says who did it', async () => {
      const room = await bench.sale({ ...FAST, capacity: 1 })
      const first = await bench.join(room)
      const second = await bench.join(room)
      await waitUntil('the first is let in', async () => (await statusOf(room, first.ticketToken)) === 'admitted')
      const terminate = (ticketId: string) =>
        bench.call('POST', `${room}/queue/terminate`, { as: bench.organizer.authorization, body: { ticketId } })
      const ended = { status: 'expired', reason: 'terminated' }
      expect((await terminate(first.ticketId)).json()).toMatchObject({ ticketId: first.ticketId, ...ended })
      expect((await terminate(first.ticketId)).json()).toMatchObject(ended)
      expect(await bench.status(room, first.ticketToken)).toMatchObject(ended)
      await waitUntil('the slot is free', async () => (await statusOf(room, second.ticketToken)) === 'admitted')
      expectError(await terminate('tkt_00000000zz'), 404, 'NOT_FOUND')
      expectError(await terminate(`${first.ticketId.slice(0, 12)}zzzz`), 404, 'NOT_FOUND')
      const id = await roomId(room)
      const entry = await waitUntil('the ledger has it', async () =>
        (await logOf(id)).find(({ kind, body }) => kind === 'expired' && body.reason === 'terminated'),
      )
      expect(entry.operation).toContain(bench.organizer.id)
    })

    it('[R22] an edited sale window and seat plan reach the line', async () => {
      const later = { salesStartAt: new Date(Date.now() + 60_000), salesEndAt: new Date(Date.now() + 120_000) }
      const room = await bench.sale({ ...FAST, capacity: 50 }, { ...later, totalSeats: 2 })
      const as = bench.buyer()
      const tryToJoin = () => bench.call('POST', `${room}/queue/join`, { as, body: {} })
      expectError(await tryToJoin(), 400, 'SALES_NOT_STARTED')
      expect(await now(room)).toMatchObject({ phase: 'before', remainingSeats: 2 })
      const edit = (body: object) => bench.call('PATCH', room, { as: bench.organizer.authorization, body })
      expect((await edit({ salesStartAt: new Date(Date.now() - 1_000), totalSeats: 7 })).statusCode).toBe(200)
      expect((await tryToJoin()).statusCode).toBe(200)
      await waitUntil('the public document shows it', async () => {
        const document = await now(room)
        return document.phase === 'open' && document.remainingSeats === 7
      })
      expect((await edit({ salesEndAt: new Date(Date.now() + 300) })).statusCode).toBe(200)
      const late = await waitUntil('the sale is over', async () => {
        const answer = await bench.call('POST', `${room}/queue/join`, { as: bench.buyer(), body: {} })
        return answer.statusCode === 400 ? answer : null
      })
      expectError(late, 400, 'SALES_ENDED')
    })
  })

  describe('who may', () => {
    it('[R23] another organiser, staff, buyers and strangers do not operate a room; admins do', async () => {
      const { app, ledger } = bench.server
      const room = await bench.sale({ ...FAST, paused: true })
      const { ticketId, ticketToken } = await bench.join(room)
      const other = await registerWithRole(app, ledger, 'organizer')
      const staff = await bench.member('box_office')
      const acts = [
        ['PATCH', '/room', { capacity: 5 }],
        ['POST', '/queue/terminate', { ticketId }],
        ['POST', '/priority-codes', { class: 1, expiresAt: new Date(Date.now() + 60_000) }],
      ] as const
      for (const [method, path, body] of acts) {
        for (const as of [other.authorization, staff.authorization, bench.buyer()]) {
          expectError(await bench.call(method, `${room}${path}`, { as, body }), 403, 'FORBIDDEN')
        }
        expectError(await bench.call(method, `${room}${path}`, { body, ticket: ticketToken }), 401, 'UNAUTHORIZED')
      }
      expect((await bench.operate(room, { capacity: 5 }, bench.admin.authorization)).statusCode).toBe(200)
      const stats = (as: string) => bench.call('GET', `${room}/queue/stats`, { as })
      expect((await stats(staff.authorization)).statusCode).toBe(200)
      expectError(await stats(other.authorization), 403, 'FORBIDDEN')
      expectError(await stats(bench.buyer()), 403, 'FORBIDDEN')
      expect(await statusOf(room, ticketToken)).toBe('waiting')
    })

    it('[R25] statistics count every ticket once, and follow from the log', async () => {
      const room = await bench.sale({ ...FAST, capacity: 2 })
      const tickets = []
      for (let count = 0; count < 5; count++) tickets.push(await bench.join(room))
      const [first, second, , , last] = tickets
      for (const ticket of [first, second]) {
        await waitUntil('let in', async () => (await statusOf(room, ticket?.ticketToken ?? '')) === 'admitted')
      }
      await bench.call('POST', `${room}/queue/claim`, { ticket: first?.ticketToken ?? '' })
      await bench.call('POST', `${room}/queue/complete`, { ticket: first?.ticketToken ?? '' })
      await bench.call('DELETE', `${room}/queue`, { ticket: last?.ticketToken ?? '' })
      const wanted = { waiting: 1, admitted: 2, active: 0, completed: 1, expired: 1, expiredBy: { cancelled: 1 } }
      const stats = await waitUntil('the statistics have followed', async () => {
        const told = (await bench.call('GET', `${room}/queue/stats`, { as: bench.organizer.authorization })).json<
          Record<string, unknown>
        >()
        return told.completed === 1 && told.expired === 1 && told.admitted === 2 && told.waiting === 1 ? told : null
      })
      expect(stats).toMatchObject({ ...wanted, avgWaitMs: expect.any(Number), avgServiceMs: expect.any(Number) })
      // A server that was just started knows what the ledger knows.
      const restarted = await readRoomStats(bench.server.ledger.db, await roomId(room))
      expect(restarted).toMatchObject({ completed: 1, avgServiceMs: expect.any(Number) })
      expect(stats).toMatchObject({ admissionsPerSecond: expect.any(Number), lastAdmissionAt: expect.any(String) })
    })
  })

  describe('the audit', () => {
    it('[R16] is complete, page by page, and a reader can check its chain', async () => {
      const room = await bench.sale({ ...FAST, paused: true })
      for (let count = 0; count < 5; count++) await bench.join(room)
      await bench.operate(room, { capacity: 7, message: 'hello' })
      type Item = { index: number; seq: number; kind: string; hash: string; canonical: string }
      type Page = { items: Item[]; nextAfter: string | null }
      const read = async (query: string) => (await bench.call('GET', `${room}/queue/audit${query}`)).json<Page>()
      const all = await waitUntil('the ledger has followed', async () => {
        const page = await read('')
        return page.items.length >= 8 ? page : null
      })
      expect(all.items.map(({ kind }) => kind)).toEqual(['opened', 'prices', ...Array(5).fill('joined'), 'changed'])
      expect(all.items.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      expect(all.items.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
      const paged: Page['items'] = []
      for (let after: string | null = '0-0'; after !== null; ) {
        const page: Page = await read(`?limit=2&after=${after}`)
        paged.push(...page.items)
        after = page.nextAfter
      }
      expect(paged).toEqual(all.items)
      for (const beginning of ['?after=', '?after=0']) expect((await read(beginning)).items).toEqual(all.items)
      expect((await read('?after=5')).items.map(({ seq }) => seq)).toEqual([6, 7, 8])
      expect((await bench.call('GET', `${room}/queue/audit?after=1-`)).statusCode).toBe(400)
      let chain = ''
      for (const { hash, canonical } of all.items) {
        chain = createHash('sha256').update(chain).update(canonical).digest('hex')
        expect(hash).toBe(chain)
      }
    })
  })
})
