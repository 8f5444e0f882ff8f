import { randomUUID } from 'node:crypto'
import { expectFields, shape, waitUntil } from '@seatwise/testbench'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectError } from '../support/kernel.ts'
import { forEachMode, type RoomBench } from '../support/room.ts'

forEachMode('tickets over HTTP', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })

  describe('identity', () => {
    it('[R1] joining again with the same access token is the same ticket', async () => {
      const room = await bench.sale({ capacity: 1, paused: true })
      const buyer = bench.buyer()
      const first = await bench.join(room, buyer)
      await bench.join(room)
      const again = await bench.join(room, buyer)
      expect(again).toMatchObject({ ticketId: first.ticketId, rank: 0, position: 1, queueLength: 2, exact: true })
      expect(first).toMatchObject({ status: 'waiting', name: 'Ada', avatar: null, place: 1 })
    })

    it('[R1] a room that takes no guests refuses to join a visitor without an access token, and a guest', async () => {
      const room = await bench.sale({ guests: false })
      expectError(await bench.call('POST', `${room}/queue/join`, { body: {} }), 401, 'UNAUTHORIZED')
      const guest = bench.server.services.identity.tokens.issue({ id: randomUUID(), role: 'guest' })
      const as = `Bearer ${guest.accessToken}`
      expectError(await bench.call('POST', `${room}/queue/join`, { as, body: {} }), 403, 'GUESTS_NOT_ALLOWED')
      expectError(await bench.call('POST', `${room}/queue/join`, { as: 'Bearer no', body: {} }), 401, 'UNAUTHORIZED')
    })

    it('[R1] a guest gets an access token with the same identity, and guests of one address are limited', async () => {
      const room = await bench.sale({ guests: true, guestsPerAddress: 2, paused: true })
      const first = await bench.join(room, '', { name: 'Guest' })
      expect(first).toMatchObject({ accessToken: expect.any(String), expiresIn: expect.any(Number), name: 'Guest' })
      const again = await bench.join(room, `Bearer ${first.accessToken}`)
      expect(again.ticketId).toBe(first.ticketId)
      expect(again.accessToken).toBeUndefined()
      const second = await bench.join(room, '')
      expect(second.ticketId).not.toBe(first.ticketId)
      expectError(await bench.call('POST', `${room}/queue/join`, { body: {} }), 409, 'TOO_MANY_GUESTS')
      await bench.call('DELETE', `${room}/queue`, { ticket: second.ticketToken })
      expect((await bench.join(room, '')).ticketId).not.toBe(second.ticketId)
    })

    it('[R30] a visitor who was passed over is told so on return, and keeps their place', async () => {
      const room = await bench.sale({ capacity: 1, paused: true, heartbeatTimeoutSeconds: 1 })
      const [silent, present] = [await bench.join(room), await bench.join(room)]
      const joinedAt = Date.now()
      const look = () => bench.status(room, present.ticketToken)
      await waitUntil('one of them was silent for too long', async () => {
        await look()
        return Date.now() - joinedAt > 1_300
      })
      await bench.operate(room, { paused: false })
      await waitUntil('the other goes in', async () => (await look()).status === 'admitted')
      const back = await bench.status(room, silent.ticketToken)
      expect(back).toMatchObject({ status: 'waiting', rank: 0, position: 1, away: true })
      const late = await bench.join(room)
      expect(await bench.status(room, late.ticketToken)).not.toHaveProperty('away')
    })

    it('[R6] address, user agent and metadata are in the ledger and in no answer', async () => {
      const room = await bench.sale({ paused: true })
      const body = { name: 'Grace', metadata: { seatNear: 'stage' }, showMe: false }
      const headers = { 'user-agent': 'a very special browser' }
      const answer = await bench.call('POST', `${room}/queue/join`, { as: bench.buyer(), body, headers })
      const other = await bench.join(room)
      const { db } = bench.server.ledger
      const row = await waitUntil('the ledger has the ticket', () =>
        db.selectFrom('queue_entries').selectAll().where('name', '=', 'Grace').executeTakeFirst(),
      )
      expect(row).toMatchObject({
        address: '127.0.0.1',
        user_agent: 'a very special browser',
        metadata: { seatNear: 'stage' },
      })
      const told = [
        answer,
        await bench.call('GET', `${room}/queue/neighbors?around=3`, { ticket: other.ticketToken }),
        await bench.call('GET', `${room}/queue/now`),
        await bench.call('GET', `${room}/queue/audit`),
        await bench.call('GET', `${room}/queue/stats`, { as: bench.organizer.authorization }),
      ]
      for (const { statusCode, body: text } of told) {
        expect(statusCode).toBe(200)
        expect(text).not.toMatch(/special browser|127\.0\.0\.1|seatNear|identity|profile/)
      }
      for (const { body: text } of told.slice(1)) expect(text).not.toContain('Grace')
    })

    it('[R6] neighbours are shown by name only if they agreed', async () => {
      const room = await bench.sale({ paused: true })
      await bench.join(room, bench.buyer('Shy'))
      const me = await bench.join(room, bench.buyer('Me'))
      await bench.join(room, bench.buyer('Open'), { showMe: true, avatar: 'https://example.com/a.png' })
      const answer = await bench.call('GET', `${room}/queue/neighbors?around=1`, { ticket: me.ticketToken })
      expect(answer.json()).toEqual({
        items: [
          { position: 1, name: null, avatar: null, you: false },
          { position: 2, name: null, avatar: null, you: true },
          { position: 3, name: 'Open', avatar: 'https://example.com/a.png', you: false },
        ],
      })
      expect(
        (await bench.call('GET', `${room}/queue/neighbors?around=51`, { ticket: me.ticketToken })).statusCode,
      ).toBe(400)
    })

    it('[R6] a waiting visitor can set a display name later, and remove it', async () => {
      const room = await bench.sale({ paused: true, guests: true })
      const me = await bench.join(room, bench.buyer('Me'))
      const guest = await bench.join(room, '')
      const show = (ticket: string, body: object) => bench.call('POST', `${room}/queue/shown`, { ticket, body })
      // The ledger copies a ticket a moment later.
      const isKnown = async (ticket: string) => (await show(ticket, { showMe: false })).statusCode === 200
      for (const ticket of [me.ticketToken, guest.ticketToken]) await waitUntil('it is known', () => isKnown(ticket))
      const seen = async () => {
        const answer = await bench.call('GET', `${room}/queue/neighbors?around=1`, { ticket: me.ticketToken })
        const neighbor = shape.fields({ name: shape.nullable(shape.text) })
        return expectFields(answer.json(), { items: shape.listOf(neighbor) }).items.map(({ name }) => name)
      }
      expect((await show(me.ticketToken, { showMe: true })).json()).toEqual({ name: 'Me' })
      expectError(await show(guest.ticketToken, { showMe: true }), 400, 'BAD_REQUEST')
      expectError(await show(guest.ticketToken, { showMe: true, name: 'a\nb' }), 400, 'BAD_REQUEST')
      expect((await show(guest.ticketToken, { showMe: true, name: ' Ida ' })).json()).toEqual({ name: 'Ida' })
      expect(await seen()).toEqual(['Me', 'Ida'])
      expect((await show(me.ticketToken, { showMe: false })).json()).toEqual({ name: null })
      expect(await seen()).toEqual([null, 'Ida'])
    })

    it('[R6] metadata that is too large, or that the ledger cannot store, is refused, and no ticket is drawn', async () => {
      const room = await bench.sale({ paused: true })
      const as = bench.buyer()
      for (const metadata of [{ text: 'x'.repeat(1_100) }, { text: 'a\0b' }, { '\0': 1 }, { text: '\ud800' }]) {
        const answer = await bench.call('POST', `${room}/queue/join`, { as, body: { metadata } })
        expect(expectError(answer, 400, 'BAD_REQUEST').message).toContain('metadata')
      }
      for (const body of [
        { metadata: 'text' },
        { class: 3 },
        { priority: 1 },
        { name: 'a\nb' },
        { avatar: 'http://x' },
      ]) {
        expectError(await bench.call('POST', `${room}/queue/join`, { as, body }), 400, 'BAD_REQUEST')
      }
      expect(await bench.join(room, as, { metadata: { text: 'x'.repeat(900) } })).toMatchObject({ place: 1 })
    })
  })

  describe('ticket tokens', () => {
    it('[R2] a forged ticket is refused with 401, a good one of another room with 403', async () => {
      const room = await bench.sale({ paused: true })
      const elsewhere = await bench.sale({ paused: true })
      const { ticketToken } = await bench.join(room)
      const forged = [
        `${ticketToken.slice(0, -2)}AA`,
        ticketToken.slice(1),
        '',
        'x'.repeat(ticketToken.length),
        `${ticketToken}A`,
        bench.buyer().slice('Bearer '.length),
      ]
      const calls = [
        ['GET', 'status'],
        ['POST', 'claim'],
        ['POST', 'complete'],
        ['POST', 'extend'],
        ['POST', 'handover'],
        ['GET', 'neighbors'],
      ] as const
      for (const [method, act] of calls) {
        for (const ticket of forged) {
          expectError(await bench.call(method, `${room}/queue/${act}`, { ticket }), 401, 'BAD_TICKET')
        }
        expectError(await bench.call(method, `${room}/queue/${act}`), 401, 'BAD_TICKET')
        expectError(
          await bench.call(method, `${elsewhere}/queue/${act}`, { ticket: ticketToken }),
          403,
          'FOREIGN_TICKET',
        )
      }
      expectError(await bench.call('DELETE', `${elsewhere}/queue`, { ticket: ticketToken }), 403, 'FOREIGN_TICKET')
      expectError(await bench.call('DELETE', `${room}/queue`, { ticket: 'no' }), 401, 'BAD_TICKET')
      expect(await bench.status(room, ticketToken)).toMatchObject({ status: 'waiting', rank: 0 })
    })

    it('[R2] an ended ticket gets its end as the answer for as long as the ledger knows it', async () => {
      const room = await bench.sale({ paused: true })
      const { ticketToken } = await bench.join(room)
      expect((await bench.call('DELETE', `${room}/queue`, { ticket: ticketToken })).statusCode).toBe(204)
      expect((await bench.call('DELETE', `${room}/queue`, { ticket: ticketToken })).statusCode).toBe(204)
      const { db } = bench.server.ledger
      const number = 1
      await waitUntil('the ledger has the end', async () => {
        const row = await db
          .selectFrom('queue_entries')
          .selectAll()
          .where('number', '=', number)
          .where('state', '=', 'expired')
          .executeTakeFirst()
        return row !== undefined
      })
      expect(await bench.status(room, ticketToken)).toMatchObject({
        status: 'expired',
        reason: 'cancelled',
        rank: null,
      })
      expectError(await bench.call('POST', `${room}/queue/claim`, { ticket: ticketToken }), 403, 'NOT_ADMITTED')
      expectError(await bench.call('POST', `${room}/queue/handover`, { ticket: ticketToken }), 409, 'TICKET_ENDED')
    })
  })

  describe('hand-over', () => {
    it('[R5] a code moves the place to one device; the old ticket is then refused', async () => {
      const room = await bench.sale({ paused: true })
      await bench.join(room)
      const old = await bench.join(room)
      const handover = await bench.call('POST', `${room}/queue/handover`, { ticket: old.ticketToken })
      const { code, expiresAt } = handover.json<{ code: string; expiresAt: string }>()
      expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(60_000)
      const accept = (key: string, body: object = { code }) =>
        bench.call('POST', `${room}/queue/handover/accept`, { body, headers: { 'idempotency-key': key } })
      const moved = await accept('first')
      expect(moved.json()).toMatchObject({ ticketId: old.ticketId, rank: 1, status: 'waiting' })
      const { ticketToken } = moved.json<{ ticketToken: string }>()
      expect(ticketToken).not.toBe(old.ticketToken)
      // The same device that got no answer asks again; another device comes too late.
      expect((await accept('first')).json()).toMatchObject({ ticketToken, rank: 1 })
      expectError(await accept('second'), 400, 'BAD_CODE')
      expectError(await bench.call('GET', `${room}/queue/status`, { ticket: old.ticketToken }), 401, 'TICKET_MOVED')
      expectError(await bench.call('DELETE', `${room}/queue`, { ticket: old.ticketToken }), 401, 'TICKET_MOVED')
      expectError(await bench.call('POST', `${room}/queue/claim`, { ticket: old.ticketToken }), 401, 'TICKET_MOVED')
      expectError(await bench.call('POST', `${room}/queue/handover`, { ticket: old.ticketToken }), 401, 'TICKET_MOVED')
      expect(await bench.status(room, ticketToken)).toMatchObject({ status: 'waiting', rank: 1 })
      expectError(await accept('third', { code: `${code}x` }), 400, 'BAD_CODE')
      expectError(await accept('third', { code: 'x' }), 400, 'BAD_CODE')
    })
  })
})
