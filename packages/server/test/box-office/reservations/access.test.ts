import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { expectError } from '../../support/kernel.ts'
import { Buyer, forEachMode, HOUSE, OPEN_FLOOR, seatIdsOf, seatsOf, until } from '../../support/reservation.ts'
import type { RoomBench } from '../../support/room.ts'

const MUST_BE_ACTIVE = 'You must be in ACTIVE status to make a reservation'

forEachMode('who may reserve', (open) => {
  let bench: RoomBench
  let sale: string
  let seatIds: string[]

  beforeAll(async () => {
    bench = await open()
    sale = await bench.sale(OPEN_FLOOR, HOUSE)
    seatIds = await seatIdsOf(bench, sale)
  })

  const expectNotActive = (answer: { statusCode: number; body: string }) => {
    expect(expectError(answer, 403, 'NOT_ACTIVE').message).toBe(MUST_BE_ACTIVE)
  }

  it('[P7] without a pass, or with an invalid one: not active', async () => {
    const ada = await Buyer.admitted(bench, sale)
    expectNotActive(await ada.reserve({ seatIds }, randomUUID(), null))
    expectNotActive(await ada.reserve({ seatIds }, randomUUID(), 'nonsense'))
    const [header, payload = '', signature] = ada.pass.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...claims, num: claims.num + 1 })).toString('base64url')
    expectNotActive(await ada.reserve({ seatIds }, randomUUID(), `${header}.${forged}.${signature}`))
  })

  it('[R32] a pass with an altered signature, header or subject reserves nothing and ends no visit', async () => {
    const ada = await Buyer.admitted(bench, sale)
    const [header = '', payload = '', signature = ''] = ada.pass.split('.')
    const rewritten = (part: string, change: object) =>
      Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...change })).toString(
        'base64url',
      )
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    const altered = [
      `${header}.${payload}.${flipped}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature}=`,
      `${rewritten(header, { alg: 'none' })}.${payload}.${signature}`,
      `${header}.${rewritten(payload, { sub: 'tkt_1' })}.${signature}`,
      `${header}.${rewritten(payload, { admin: true })}.${signature}`,
    ]
    for (const pass of altered) {
      expectNotActive(await ada.reserve({ seatIds: seatIds.slice(9, 10) }, randomUUID(), pass))
      expectNotActive(await bench.call('POST', `${sale}/queue/complete`, { pass }))
    }
    const { id } = await ada.reserved({ seatIds: seatIds.slice(9, 10) })
    expect((await ada.cancel(id)).statusCode).toBe(200)
  })

  it('[P7] a waiting visitor is not active', async () => {
    const full = await bench.sale({ ...OPEN_FLOOR, capacity: 1 }, HOUSE)
    const inside = await Buyer.admitted(bench, full)
    const bob = bench.buyer('Bob')
    await bench.join(full, bob)
    const answer = await bench.call('POST', `${full}/reservations`, {
      as: bob,
      pass: inside.pass,
      body: { seatIds: await seatIdsOf(bench, full) },
      headers: { 'idempotency-key': randomUUID() },
    })
    expectNotActive(answer)
  })

  it('[P7] [B4] the pass of another ticket, and of another event: not active', async () => {
    const ada = await Buyer.admitted(bench, sale)
    const bob = await Buyer.admitted(bench, sale)
    expectNotActive(await ada.reserve({ seatIds: seatIds.slice(0, 1) }, randomUUID(), bob.pass))
    const elsewhere = await bench.sale(OPEN_FLOOR, HOUSE)
    const there = await Buyer.admitted(bench, elsewhere, ada.authorization)
    expectNotActive(await ada.reserve({ seatIds: seatIds.slice(0, 1) }, randomUUID(), there.pass))
    expect((await seatsOf(bench, sale)).every(({ status }) => status === 'available')).toBe(true)
  })

  it('[P7] [B4] a pass from before the place moved to another device is refused, the new one counts', async () => {
    const ada = await Buyer.admitted(bench, sale)
    const { code } = (await bench.call('POST', `${sale}/queue/handover`, { ticket: ada.ticket })).json<{
      code: string
    }>()
    const moved = await bench.call('POST', `${sale}/queue/handover/accept`, { body: { code }, as: ada.authorization })
    expect(moved.statusCode).toBe(200)
    expectNotActive(await ada.reserve({ seatIds: seatIds.slice(0, 1) }))
    const { ticketToken } = moved.json<{ ticketToken: string }>()
    const phone = new Buyer(bench, sale, ada.authorization, ticketToken)
    await phone.look()
    const { id } = await phone.reserved({ seatIds: seatIds.slice(0, 1) })
    expect((await phone.cancel(id)).statusCode).toBe(200)
  })

  it('[P7] a visitor who left, was terminated or has no session any more is not active, also for a seat that is taken', async () => {
    const taken = seatIds.slice(5, 6)
    const holder = await Buyer.admitted(bench, sale)
    await holder.reserved({ seatIds: taken })
    const ada = await Buyer.admitted(bench, sale)
    // The server has cached that this visitor is refused.
    expectError(await ada.reserve({ seatIds: taken }), 409, 'SEAT_TAKEN')
    expectError(await ada.reserve({ seatIds: taken }), 409, 'SEAT_TAKEN')
    await bench.call('DELETE', `${sale}/queue`, { ticket: ada.ticket })
    await until(async () => (await ada.reserve({ seatIds: taken })).statusCode === 403)
    expectNotActive(await ada.reserve({ seatIds: taken }))
    const brief = await bench.sale({ ...OPEN_FLOOR, sessionSeconds: 1 }, HOUSE)
    const bob = await Buyer.admitted(bench, brief)
    await until(async () => (await bench.status(brief, bob.ticket)).status === 'expired')
    expectNotActive(await bob.reserve({ seatIds: await seatIdsOf(bench, brief) }))
  })

  it('[B4] without an access token nothing is reserved, whatever else is sent', async () => {
    const ada = await Buyer.admitted(bench, sale)
    const headers = { 'idempotency-key': randomUUID() }
    const answer = await bench.call('POST', `${sale}/reservations`, { pass: ada.pass, headers, body: { seatIds } })
    expectError(answer, 401, 'UNAUTHORIZED')
  })

  it('[B1] another visitor’s reservation can be neither read nor canceled', async () => {
    const ada = await Buyer.admitted(bench, sale)
    const bob = await Buyer.admitted(bench, sale)
    const { id } = await ada.reserved({ seatIds: seatIds.slice(1, 2) })
    expectError(await bob.read(`/api/reservations/${id}`), 403, 'FORBIDDEN')
    expectError(await bob.cancel(id), 403, 'FORBIDDEN')
    expectError(await bob.read(`/api/reservations/${randomUUID()}`), 404, 'NOT_FOUND')
    expectError(await bob.read('/api/reservations/nonsense'), 404, 'NOT_FOUND')
    expect((await bob.read('/api/reservations')).json()).toEqual({ items: [] })
    expect((await ada.read(`/api/reservations/${id}`)).json()).toMatchObject({ status: 'PENDING_PAYMENT' })
  })
})
