import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../support/events.ts'
import { expectError } from '../../support/kernel.ts'
import { Buyer, forEachMode, HOUSE, OPEN_FLOOR, seatIdsOf, until } from '../../support/reservation.ts'
import type { JoinAnswer, RoomBench } from '../../support/room.ts'

forEachMode('hand-over', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
    bench.server.services.boxOffice.start()
  })

  const giveCode = (room: string, ticket: string) => bench.call('POST', `${room}/queue/handover`, { ticket })
  const codeOf = async (room: string, ticket: string) =>
    (await giveCode(room, ticket)).json<{ code: string; expiresAt: string }>()
  const accept = (room: string, code: string, key = randomUUID()): Promise<Answer> =>
    bench.call('POST', `${room}/queue/handover/accept`, { body: { code }, headers: { 'idempotency-key': key } })
  const accepted = async (room: string, ticket: string): Promise<JoinAnswer> =>
    (await accept(room, (await codeOf(room, ticket)).code)).json<JoinAnswer>()
  const status = (room: string, ticket: string) => bench.call('GET', `${room}/queue/status`, { ticket })
  const bearer = ({ accessToken = '' }: JoinAnswer): string => `Bearer ${accessToken}`

  describe('codes', () => {
    it('[R5] a code has 8 of 32 symbols and may be typed carelessly', async () => {
      const room = await bench.sale({ paused: true })
      const { ticketToken, ticketId } = await bench.join(room)
      const { code, expiresAt } = await codeOf(room, ticketToken)
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
      const life = Date.parse(expiresAt) - Date.now()
      expect(life).toBeGreaterThan(170_000)
      expect(life).toBeLessThan(190_000)
      const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4).replaceAll('0', 'o').replaceAll('1', 'l')} `
      expect((await accept(room, typed)).json()).toMatchObject({ ticketId, status: 'waiting' })
    })

    it('[R5] a code is valid once, also when many devices use it at the same moment', async () => {
      const room = await bench.sale({ paused: true })
      const { code } = await codeOf(room, (await bench.join(room)).ticketToken)
      const answers = await Promise.all(Array.from({ length: 8 }, () => accept(room, code)))
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
    })

    it('[R5] an expired or replaced code, or one of another room, moves nothing', async () => {
      const [room, elsewhere] = [await bench.sale({ paused: true }), await bench.sale({ paused: true })]
      const { ticketToken } = await bench.join(room)
      const first = await codeOf(room, ticketToken)
      const second = await codeOf(room, ticketToken)
      expectError(await accept(room, first.code), 400, 'BAD_CODE')
      expectError(await accept(elsewhere, second.code), 400, 'BAD_CODE')
      await bench.server.ledger.db
        .updateTable('handover_codes')
        .set({ expires_at: new Date(Date.now() - 1) })
        .execute()
      expectError(await accept(room, second.code), 400, 'BAD_CODE')
      expect((await status(room, ticketToken)).statusCode).toBe(200)
    })

    it('[R5] the ledger stores no code that a reader of the ledger could use', async () => {
      const room = await bench.sale({ paused: true })
      const { code } = await codeOf(room, (await bench.join(room)).ticketToken)
      const rows = await bench.server.ledger.db.selectFrom('handover_codes').selectAll().execute()
      expect(rows.length).toBeGreaterThan(0)
      expect(JSON.stringify(rows)).not.toContain(code)
    })

    it('[R35] wrong codes are limited by sender and room, and beyond the limit the right one is refused too', async () => {
      const limited = await open({ env: { SEATWISE_RATE_LIMITS: 'on' } })
      const [room, other] = [await limited.sale({ paused: true }), await limited.sale({ paused: true })]
      const { ticketToken } = await limited.join(room)
      const { code } = (await limited.call('POST', `${room}/queue/handover`, { ticket: ticketToken })).json<{
        code: string
      }>()
      const tryCode = (at: string, text: string) =>
        limited.call('POST', `${at}/queue/handover/accept`, { body: { code: text } })
      for (let guess = 0; guess < 10; guess++) expectError(await tryCode(room, '00000000'), 400, 'BAD_CODE')
      const refused = await tryCode(room, code)
      expectError(refused, 429, 'TOO_MANY_REQUESTS')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expectError(await tryCode(other, '00000000'), 400, 'BAD_CODE')
    })
  })

  describe('two devices', () => {
    const kinds = {
      account: async (sale: string) => {
        const authorization = bench.buyer()
        return { authorization, joined: await bench.join(sale, authorization) }
      },
      guest: async (sale: string) => {
        const joined = await bench.join(sale, '')
        return { authorization: `Bearer ${joined.accessToken}`, joined }
      },
    }

    for (const [kind, join] of Object.entries(kinds)) {
      it(`[R5] [A50] ${kind}: from joining on one device to the e-ticket on the other, at every step of the way`, async () => {
        for (const step of ['waiting', 'admitted', 'active', 'reserved'] as const) {
          const claimSeconds = step === 'admitted' ? 60 : 0
          const room = { ...OPEN_FLOOR, claimSeconds, paused: step === 'waiting', guestsPerAddress: 1_000 }
          const sale = await bench.sale(room, HOUSE)
          const [seatId = ''] = await seatIdsOf(bench, sale)
          const { authorization, joined } = await join(sale)
          const first = new Buyer(bench, sale, authorization, joined.ticketToken)
          if (step === 'active' || step === 'reserved') await first.look()
          if (step === 'admitted') {
            await until(async () => (await bench.status(sale, joined.ticketToken)).status === 'admitted')
          }
          const held = step === 'reserved' ? await first.reserved({ seatIds: [seatId] }) : null

          const moved = await accepted(sale, joined.ticketToken)
          expectError(await status(sale, joined.ticketToken), 401, 'TICKET_MOVED')
          if (first.pass !== '') expectError(await first.reserve({ seatIds: [seatId] }), 403, 'NOT_ACTIVE')
          if (step === 'waiting') await bench.operate(sale, { paused: false })
          if (step === 'admitted') await bench.call('POST', `${sale}/queue/claim`, { ticket: moved.ticketToken })

          const second = new Buyer(bench, sale, bearer(moved), moved.ticketToken)
          await second.look()
          const { id } = held ?? (await second.reserved({ seatIds: [seatId] }))
          expect((await second.read(`/api/reservations/${id}`)).json()).toMatchObject({ status: 'PENDING_PAYMENT' })
          await second.sayEmail(id)
          const paid = await bench.call('POST', '/api/purchases', {
            as: second.authorization,
            headers: { 'idempotency-key': `pay-${id}` },
            body: { reservationId: id, paymentMethod: 'sandbox_ok' },
          })
          expect(paid.statusCode, `${step}: ${paid.body}`).toBe(201)
          const [eticket] = paid.json<{ etickets: { id: string; code: string }[] }>().etickets
          expect((await second.read(`/api/etickets/${eticket?.id}`)).json()).toMatchObject({ status: 'VALID' })
          expect((await second.read('/api/etickets')).json<{ items: unknown[] }>().items).toHaveLength(1)
          expect((await second.read(`/api/operations/pay-${id}`)).json()).toMatchObject({ status: 'done' })
          // It is the same buyer: the first device has them, too.
          expect((await first.read(`/api/etickets/${eticket?.id}`)).statusCode).toBe(200)
        }
      }, 60_000)
    }

    it('[R33] joining with the identity’s own token takes the ticket back, and the other device cannot', async () => {
      const sale = await bench.sale({ paused: true })
      const ada = bench.buyer()
      const first = await bench.join(sale, ada)
      const second = await accepted(sale, first.ticketToken)
      // Joining again there is no other device.
      expect(await bench.join(sale, bearer(second))).toMatchObject({ ticketId: first.ticketId })
      expect((await status(sale, second.ticketToken)).statusCode).toBe(200)
      const back = await bench.join(sale, ada)
      expect(back).toMatchObject({ ticketId: first.ticketId, status: 'waiting' })
      expectError(await status(sale, second.ticketToken), 401, 'TICKET_MOVED')
      const again = await bench.call('POST', `${sale}/queue/join`, { as: bearer(second), body: {} })
      expectError(again, 401, 'UNAUTHORIZED')
      expect((await status(sale, back.ticketToken)).statusCode).toBe(200)
      // Joining once more on the own device changes nothing.
      await bench.join(sale, ada)
      expect((await status(sale, back.ticketToken)).statusCode).toBe(200)
      expect((await accepted(sale, back.ticketToken)).ticketId).toBe(first.ticketId)
    })

    it('[R33] a ticket that the other device draws after the first one ended is its own', async () => {
      const sale = await bench.sale({ paused: true })
      const ada = bench.buyer()
      const second = await accepted(sale, (await bench.join(sale, ada)).ticketToken)
      await bench.call('DELETE', `${sale}/queue`, { ticket: second.ticketToken })
      const anew = await bench.join(sale, bearer(second))
      expect(anew.ticketId).not.toBe(second.ticketId)
      expect(await bench.join(sale, bearer(second))).toMatchObject({ ticketId: anew.ticketId })
      expectError(await giveCode(sale, anew.ticketToken), 403, 'FORBIDDEN')
      // A ticket drawn by the first device does not belong to the other device.
      await bench.call('DELETE', `${sale}/queue`, { ticket: anew.ticketToken })
      const own = await bench.join(sale, ada)
      const joinThere = () => bench.call('POST', `${sale}/queue/join`, { as: bearer(second), body: {} })
      expectError(await joinThere(), 401, 'TICKET_MOVED')
      await bench.call('DELETE', `${sale}/queue`, { ticket: own.ticketToken })
      // Also what the other device drew is taken back.
      const last = await bench.join(sale, bearer(second))
      await bench.join(sale, ada)
      expectError(await status(sale, last.ticketToken), 401, 'TICKET_MOVED')
      expectError(await joinThere(), 401, 'UNAUTHORIZED')
    })

    it('[R34] the second device cannot hand the place on', async () => {
      const sale = await bench.sale({ paused: true })
      const second = await accepted(sale, (await bench.join(sale)).ticketToken)
      expectError(await giveCode(sale, second.ticketToken), 403, 'FORBIDDEN')
    })

    it('[R34] while the ledger does not know the owner yet the code is refused with 503, and given as soon as it does', async () => {
      const sale = await bench.sale({ paused: true })
      const { ticketToken } = await bench.join(sale)
      const entry = await followed(sale)
      await bench.server.ledger.db.deleteFrom('queue_entries').where('room_id', '=', entry.room_id).execute()
      const refused = await giveCode(sale, ticketToken)
      expectError(refused, 503, 'UNAVAILABLE')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      const asked = giveCode(sale, ticketToken)
      await bench.server.ledger.db.insertInto('queue_entries').values(entry).execute()
      expect((await asked).statusCode).toBe(200)
    })

    it('[R34] of a ticket that came back only its holder knows the owner: 401 without the access token', async () => {
      const sale = await bench.sale({ paused: true })
      const ada = bench.buyer()
      const { ticketToken } = await bench.join(sale, ada)
      const entry = await followed(sale)
      // What the ledger keeps of a ticket that its holder brought back.
      await bench.server.ledger.db
        .updateTable('queue_entries')
        .set({ user_id: null, guest_id: null })
        .where('room_id', '=', entry.room_id)
        .execute()
      expectError(await giveCode(sale, ticketToken), 401, 'UNAUTHORIZED')
      const asked = (as: string) => bench.call('POST', `${sale}/queue/handover`, { ticket: ticketToken, as })
      expectError(await asked(bench.buyer()), 401, 'UNAUTHORIZED')
      const { code } = (await asked(ada)).json<{ code: string }>()
      const second = (await accept(sale, code)).json<JoinAnswer>()
      expect((await bench.call('GET', '/api/reservations', { as: bearer(second) })).statusCode).toBe(200)
      expect(await bench.join(sale, bearer(second))).toMatchObject({ ticketId: second.ticketId })
    })

    /** The only ticket of a sale, once the ledger has it. */
    async function followed(sale: string) {
      const { db } = bench.server.ledger
      const room = db.selectFrom('rooms').select('id').where('event_id', '=', sale.replace('/api/events/', ''))
      const entries = () => db.selectFrom('queue_entries').selectAll().where('room_id', '=', room).execute()
      await until(async () => (await entries()).length === 1)
      const [entry] = await entries()
      if (entry === undefined) throw new Error('The ledger lost a ticket')
      return entry
    }

    it('[A50] the token has no role of its owner’s but a buyer’s, and ends with the owner’s sessions', async () => {
      const sale = await bench.sale({ paused: true })
      const { authorization, id } = bench.organizer
      const second = await accepted(sale, (await bench.join(sale, authorization)).ticketToken)
      const as = bearer(second)
      expect(bench.server.services.identity.tokens.verify(second.accessToken ?? '')).toMatchObject({
        id,
        role: 'buyer',
      })
      expect((await bench.call('GET', '/api/reservations', { as })).statusCode).toBe(200)
      expectError(await bench.call('GET', '/api/auth/me', { as }), 403, 'FORBIDDEN')
    })
  })

  it('[R33] a page takes nothing back unasked, and the button on it does', async () => {
    const sale = await bench.sale({ paused: true })
    const page = sale.replace('/api', '')
    const visit = (method: 'GET' | 'POST', path: string, cookie: string, form?: Record<string, string>) =>
      bench.server.app.inject({
        ...{ method, url: `${page}${path}` },
        headers: {
          ...{ cookie, host: 'localhost', origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
          ...{ accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
          ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form && { payload: new URLSearchParams(form).toString() }),
      })
    const cookieOf = (answer: { cookies: { name: string; value: string }[] }, only = /./) =>
      answer.cookies
        .filter(({ name }) => only.test(name))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ')
    const arrived = await visit('GET', '/wait', '')
    const desk = cookieOf(arrived)
    expect(arrived.statusCode, arrived.body.slice(0, 300)).toBe(200)
    const shown = await visit('POST', '/wait/hand-over', desk, {})
    const [, code = ''] = /handover#([0-9A-Z]{8})/.exec(shown.body) ?? []
    expect(shown.body).toContain(`${code.slice(0, 4)}-${code.slice(4)}`)
    expect((await visit('GET', '/handover', '')).body).toContain('name="code"')
    expect((await visit('POST', '/handover', '', { code: '00000000' })).statusCode).toBe(400)
    const taken = await visit('POST', '/handover', '', { code: code.toLowerCase() })
    expect(taken.statusCode, taken.body.slice(0, 300)).toBe(303)
    const phone = cookieOf(taken)
    const stateFor = async (cookie: string) =>
      /data-state="([a-z-]+)"/.exec((await visit('GET', '/wait', cookie)).body)?.[1] ?? 'none'
    expect(await stateFor(phone)).toBe('paused')
    // Without the ticket's cookie only the session identifies the visitor.
    for (const cookie of [desk, cookieOf(arrived, /session/)]) {
      expect(await stateFor(cookie)).toBe('moved')
    }
    expect(await stateFor(phone)).toBe('paused')
    await visit('POST', '/wait/join', desk, {})
    expect(await stateFor(phone)).toBe('moved')
    const pressed = await visit('POST', '/wait/join', phone, {})
    expect([pressed.statusCode, cookieOf(pressed)]).toEqual([303, ''])
    // On the other pages the phone is not signed in.
    expect((await bench.server.app.inject({ url: '/', headers: { cookie: phone } })).statusCode).toBe(200)
  })
})
