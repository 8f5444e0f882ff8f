import { hash } from 'node:crypto'
import { decodePart, waitUntil } from '@seatwise/testbench'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { issuePriorityCode } from '../../src/rooms/tokens/priority-code.ts'
import { expectError } from '../support/kernel.ts'
import { forEachMode, type JoinAnswer, type RoomBench } from '../support/room.ts'

interface Claim {
  status: string
  activeToken: string
  expiresAt: string
}

/** The bucket of a new room is empty: it fills in a millisecond. */
const FAST = { burst: 5, ratePerMinute: 60_000 }

forEachMode('the floor over HTTP', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })

  const until = (room: string, ticket: string, status: string): Promise<JoinAnswer> =>
    waitUntil(`the ticket is ${status}`, async () => {
      const told = await bench.status(room, ticket)
      return told.status === status ? told : null
    })
  const claim = async (room: string, ticket: string): Promise<Claim> => {
    const answer = await bench.call('POST', `${room}/queue/claim`, { ticket })
    expect(answer.statusCode).toBe(200)
    return answer.json<Claim>()
  }
  const onFloor = async (room: string): Promise<{ ticket: string; id: string; pass: string }> => {
    const { ticketToken: ticket, ticketId: id } = await bench.join(room)
    await until(room, ticket, 'admitted')
    return { ticket, id, pass: (await claim(room, ticket)).activeToken }
  }
  const complete = (room: string, proof: { ticket?: string; pass?: string }) =>
    bench.call('POST', `${room}/queue/complete`, proof)

  describe('passes', () => {
    it('[R7] an admitted visitor claims a pass that any server can verify; the same claim gives the same pass', async () => {
      const room = await bench.sale(FAST)
      const { ticketToken, ticketId } = await bench.join(room)
      expect(await until(room, ticketToken, 'admitted')).toMatchObject({ rank: null, expiresAt: expect.any(String) })
      const first = await claim(room, ticketToken)
      expect(await claim(room, ticketToken)).toEqual(first)
      expect(await until(room, ticketToken, 'active')).toMatchObject({ activeToken: first.activeToken })
      const jwks = (await bench.call('GET', '/.well-known/jwks.json')).json<JSONWebKeySet>()
      const { roomId } = (await bench.call('GET', room)).json<{ roomId: string }>()
      const { payload } = await jwtVerify(first.activeToken, createLocalJWKSet(jwks), { audience: roomId })
      expect(payload.sub).toBe(ticketId)
      expect(payload.exp).toBe(Math.ceil(Date.parse(first.expiresAt) / 1000))
    })

    it('[R7] a visitor gets no pass before their turn', async () => {
      const room = await bench.sale({ ...FAST, paused: true })
      const { ticketToken } = await bench.join(room)
      for (const act of ['claim', 'complete', 'extend']) {
        const refused = await bench.call('POST', `${room}/queue/${act}`, { ticket: ticketToken })
        expectError(refused, 403, 'NOT_ADMITTED')
      }
    })

    it('[R7] a pass finishes its own ticket once, and no other', async () => {
      const room = await bench.sale({ ...FAST, capacity: 1 })
      const elsewhere = await bench.sale(FAST)
      const { pass } = await onFloor(room)
      const next = await bench.join(room)
      for (const bad of [withFence(pass, 1), 'x', next.ticketToken]) {
        expectError(await complete(room, { pass: bad }), 403, 'NOT_ACTIVE')
      }
      expectError(await complete(elsewhere, { pass }), 403, 'NOT_ACTIVE')
      expect((await complete(room, { pass })).json()).toEqual({ status: 'completed' })
      // A lost answer is asked for again; nothing happens twice.
      expect((await complete(room, { pass })).json()).toEqual({ status: 'completed' })
      // The slot is free: the next one is let in without waiting for another visitor's deadline.
      await until(room, next.ticketToken, 'admitted')
    })

    it('[R7] a pass of another room finishes nothing, also when number and fence are the same in both', async () => {
      const [room, elsewhere] = [await bench.sale(FAST), await bench.sale(FAST)]
      const [own, theirs] = [await onFloor(room), await onFloor(elsewhere)]
      const saysOf = ({ pass }: { pass: string }) => {
        const { num, fence } = JSON.parse(Buffer.from(pass.split('.')[1] ?? '', 'base64url').toString())
        return { num, fence }
      }
      expect(saysOf(own)).toEqual(saysOf(theirs))
      expectError(await complete(elsewhere, { pass: own.pass }), 403, 'NOT_ACTIVE')
      expect((await bench.status(elsewhere, theirs.ticket)).status).toBe('active')
    })

    it('[R5][R7] handing over on the floor makes a new pass, and the old one is invalid', async () => {
      const room = await bench.sale(FAST)
      const { ticket, pass, id } = await onFloor(room)
      const { code } = (await bench.call('POST', `${room}/queue/handover`, { ticket })).json<{ code: string }>()
      const accepted = await bench.call('POST', `${room}/queue/handover/accept`, { body: { code } })
      const moved = accepted.json<JoinAnswer & { activeToken: string }>()
      expect(moved).toMatchObject({ ticketId: id, status: 'active' })
      expect(moved.activeToken).not.toBe(pass)
      expectError(await complete(room, { pass }), 403, 'NOT_ACTIVE')
      expectError(await complete(room, { ticket }), 401, 'TICKET_MOVED')
      const revoked = await waitUntil('the old pass is listed as revoked', async () => {
        const { items } = (await bench.call('GET', `${room}/queue/revoked`)).json<{ items: { ticketId: string }[] }>()
        return items.length > 0 ? items : null
      })
      expect(revoked).toMatchObject([{ ticketId: id }])
      expect((await complete(room, { pass: moved.activeToken })).statusCode).toBe(200)
    })

    it('[R7] more time is given once; the same request repeated gets the same answer', async () => {
      const room = await bench.sale({ ...FAST, sessionSeconds: 100 })
      const { ticket, pass } = await onFloor(room)
      const extend = (key: string) =>
        bench.call('POST', `${room}/queue/extend`, { ticket, headers: { 'idempotency-key': key } })
      const before = await bench.status(room, ticket)
      const extended = (await extend('one')).json<Claim>()
      expect(Date.parse(extended.expiresAt) - Date.parse(String(before.expiresAt))).toBe(100_000)
      expect((await extend('one')).json()).toEqual(extended)
      expectError(await extend('two'), 409, 'ALREADY_EXTENDED')
      expect(extended.activeToken).not.toBe(pass)
      expect((await complete(room, { pass: extended.activeToken })).statusCode).toBe(200)
    })

    it('[R2] finishing twice answers the same, also when only the ledger remembers it', async () => {
      const room = await bench.sale(FAST)
      const { ticket } = await onFloor(room)
      const id = (await bench.call('GET', room)).json<{ roomId: string }>().roomId
      expect((await complete(room, { ticket })).json()).toEqual({ status: 'completed' })
      await waitUntil('the ledger has it', () =>
        bench.server.ledger.db
          .selectFrom('queue_entries')
          .select('number')
          .where('room_id', '=', id)
          .where('state', '=', 'completed')
          .executeTakeFirst(),
      )
      expect((await complete(room, { ticket })).json()).toEqual({ status: 'completed' })
      expect((await bench.call('DELETE', `${room}/queue`, { ticket })).statusCode).toBe(204)
      expectError(await bench.call('POST', `${room}/queue/extend`, { ticket }), 403, 'NOT_ADMITTED')
    })

    it('[R26] revoked passes are complete from any seq, page by page', async () => {
      const room = await bench.sale(FAST)
      const first = await onFloor(room)
      const second = await onFloor(room)
      const stays = await onFloor(room)
      await complete(room, { ticket: first.ticket })
      await bench.call('DELETE', `${room}/queue`, { ticket: second.ticket })
      // A visitor who leaves without having been admitted has no pass to lose.
      await bench.operate(room, { paused: true })
      const waiting = await bench.join(room)
      await bench.call('DELETE', `${room}/queue`, { ticket: waiting.ticketToken })
      type Revoked = { items: { ticketId: string; fence: number; until: string }[]; since: string }
      const read = async (since = '0') =>
        (await bench.call('GET', `${room}/queue/revoked?since=${since}`)).json<Revoked>()
      const all = await waitUntil('the ledger has followed', async () => {
        const answer = await read()
        return answer.items.length >= 2 ? answer : null
      })
      const ids = all.items.map(({ ticketId }) => ticketId)
      expect(ids.slice(0, 2)).toEqual([first.id, second.id])
      expect(ids).not.toContain(stays.id)
      expect(all.items.every(({ until }) => Date.parse(until) > Date.now())).toBe(true)
      const later = await read(all.since)
      expect(later.items).toEqual([])
      expect(Number(later.since.split('-')[1])).toBeGreaterThanOrEqual(Number(all.since.split('-')[1]))
      expectError(await bench.call('GET', `${room}/queue/revoked?since=x`), 400, 'BAD_REQUEST')
    })
  })

  describe('priority', () => {
    const makeCodes = (room: string, body: object, as = bench.organizer.authorization) =>
      bench.call('POST', `${room}/priority-codes`, { as, body })
    const soon = () => new Date(Date.now() + 60_000).toISOString()

    it('[R3] a signed code gives its class to one ticket; the body alone gives nothing', async () => {
      const room = await bench.sale({ paused: true })
      for (let count = 0; count < 4; count++) await bench.join(room)
      const made = await makeCodes(room, { class: 3, count: 2, expiresAt: soon() })
      expect(made.statusCode).toBe(201)
      const [code = '', other = ''] = made.json<{ codes: string[] }>().codes
      const buyer = bench.buyer()
      const first = await bench.join(room, buyer, { priorityCode: code })
      expect(first).toMatchObject({ rank: 0, queueLength: 5 })
      expect(await bench.join(room, buyer, { priorityCode: code })).toMatchObject({ ticketId: first.ticketId })
      const joinWith = (body: object) => bench.call('POST', `${room}/queue/join`, { as: bench.buyer(), body })
      expectError(await joinWith({ priorityCode: code }), 409, 'CODE_USED')
      expectError(await joinWith({ class: 3 }), 400, 'BAD_REQUEST')
      expect(await bench.join(room, undefined, { priorityCode: other })).toMatchObject({ rank: 1 })
    })

    it('[J63] [J64] the log lists codes before they are given out, and one that is entered while waiting moves the ticket', async () => {
      const room = await bench.sale({ paused: true })
      const buyer = bench.buyer()
      for (let count = 0; count < 60; count++) await bench.join(room)
      const ada = await bench.join(room, buyer)
      expect(ada).toMatchObject({ rank: 60 })
      const { codes } = (await makeCodes(room, { class: 2, count: 101, expiresAt: soon() })).json<{ codes: string[] }>()
      const { roomId } = (await bench.call('GET', room)).json<{ roomId: string }>()
      const inLedger = await bench.server.ledger.db
        .selectFrom('room_log')
        .select('body')
        .where('room_id', '=', roomId)
        .where('kind', '=', 'codes')
        .orderBy('seq')
        .execute()
      const hashes = codes.map((code) => hash('sha256', code, 'hex'))
      expect(inLedger.map(({ body }) => body)).toMatchObject([
        { class: 2, hashes: hashes.slice(0, 100) },
        { class: 2, hashes: hashes.slice(100) },
      ])
      const [code = ''] = codes
      const again = await bench.join(room, buyer, { priorityCode: code })
      expect(again).toMatchObject({ ticketId: ada.ticketId, rank: 30, queueLength: 61 })
      for (const token of [again.ticketToken, ada.ticketToken])
        expect(await bench.status(room, token)).toMatchObject({ rank: 30, status: 'waiting' })
      const joinWith = (as: string) => bench.call('POST', `${room}/queue/join`, { as, body: { priorityCode: code } })
      expectError(await joinWith(bench.buyer()), 409, 'CODE_USED')
      expect((await joinWith(buyer)).json(), 'repeated').toMatchObject({ rank: 30 })
      const last = await waitUntil('the ledger has all of it', async () => {
        const page = await bench.call('GET', `${room}/queue/audit?limit=1000`)
        const entry = JSON.parse(page.json<{ items: { canonical: string }[] }>().items.at(-1)?.canonical ?? '{}')
        return entry.kind === 'classed' ? entry : null
      })
      expect(last).toMatchObject({
        ...{ kind: 'classed', number: 61, class: 2, code: hashes[0], rank: 30, fromRank: 60 },
      })
    })

    it('[R3] a forged code, an expired one and one of another room are refused, and draw nothing', async () => {
      const room = await bench.sale({ paused: true })
      const elsewhere = await bench.sale({ paused: true })
      const [foreign = ''] = (await makeCodes(elsewhere, { class: 2, expiresAt: soon() })).json<{ codes: string[] }>()
        .codes
      const { roomId } = (await bench.call('GET', room)).json<{ roomId: string }>()
      const { keys } = bench.server.services.identity
      const expired = issuePriorityCode(keys, { room: roomId, class: 2, expiresAt: Date.now() - 1 })
      const as = bench.buyer()
      const { queueLength } = await bench.join(room)
      for (const priorityCode of [expired, foreign, 'x', '', `${foreign.slice(0, -6)}AAAAAA`]) {
        expectError(await bench.call('POST', `${room}/queue/join`, { as, body: { priorityCode } }), 400, 'BAD_CODE')
      }
      expect(await bench.join(room)).toMatchObject({ queueLength: Number(queueLength) + 1 })
    })

    it('[R3][R23] only the organiser makes codes, and none that could never be used', async () => {
      const room = await bench.sale({ paused: true })
      expectError(await makeCodes(room, { class: 1, expiresAt: soon() }, bench.buyer()), 403, 'FORBIDDEN')
      const past = new Date(Date.now() - 1).toISOString()
      for (const body of [
        { class: 0, expiresAt: soon() },
        { class: 4, expiresAt: soon() },
        { class: 1, count: 0, expiresAt: soon() },
        { class: 1, count: 1_001, expiresAt: soon() },
        { class: 1, expiresAt: past },
        { class: 1 },
      ]) {
        expectError(await makeCodes(room, body), 400, 'BAD_REQUEST')
      }
    })
  })
})

/** The pass with another fence written into it. */
function withFence(pass: string, fence: number): string {
  const [header, payload = '', signature] = pass.split('.')
  const claims = decodePart(payload)
  return `${header}.${Buffer.from(JSON.stringify({ ...claims, fence })).toString('base64url')}.${signature}`
}
