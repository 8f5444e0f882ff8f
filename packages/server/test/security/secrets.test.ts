import { readFile } from 'node:fs/promises'
import { expectFields, shape, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Buyer, HOUSE, OPEN_FLOOR, seatIdsOf, seatsOf } from '../support/reservation.ts'
import type { CallOptions } from '../support/room.ts'
import { openWorld, type World } from './security-world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('[X11] [I24] [ASVS-15.3.1] [ASVS-8.2.3] no answer holds the secret of another user', async () => {
  const { bench, olivia, staff, admin } = world
  const sale = await bench.sale({ ...OPEN_FLOOR, guests: true, presence: true }, HOUSE)
  const seats = await seatIdsOf(bench, sale)
  const secrets = new Map<string, string[]>()
  const told: { who: string; path: string; body: string }[] = []
  const call = async (who: string, method: 'GET' | 'POST', path: string, options: CallOptions = {}) => {
    const answer = await bench.call(method, path, options)
    told.push({ who, path, body: answer.body + JSON.stringify(answer.headers) })
    return answer
  }
  for (const [index, who] of ['alice', 'bob', 'carol'].entries()) {
    const buyer = await Buyer.admitted(bench, sale, bench.buyer(who))
    const as = buyer.authorization
    const withTicket = { as, ticket: buyer.ticket }
    const body = { seatIds: [seats[index] ?? ''] }
    const headers = { 'idempotency-key': `${who}-1` }
    await call(who, 'GET', `${sale}/queue/status`, withTicket)
    await call(who, 'GET', `${sale}/queue/neighbors?around=3`, withTicket)
    const reserved = await call(who, 'POST', `${sale}/reservations`, { as, pass: buyer.pass, body, headers })
    const reservationId = reserved.json<{ id: string }>().id
    const payment = { reservationId, paymentMethod: 'sandbox_ok' }
    const paid = await call(who, 'POST', '/api/purchases', {
      as,
      body: payment,
      headers: { 'idempotency-key': `${who}-2` },
    })
    const { etickets } = paid.json<{ etickets: { id: string; code: string }[] }>()
    await call(who, 'GET', `/api/etickets/${etickets[0]?.id}`, { as })
    await call(who, 'GET', '/api/reservations', { as })
    const waiting = await bench.join(sale, bench.buyer(`${who} again`))
    const handover = await bench.call('POST', `${sale}/queue/handover`, { ticket: waiting.ticketToken })
    const codes = etickets.map(({ code }) => code)
    secrets.set(who, [
      as.slice(7),
      buyer.ticket,
      buyer.pass,
      waiting.ticketToken,
      handover.json<{ code: string }>().code,
      ...codes,
    ])
  }
  const id = sale.split('/').at(-1)
  for (const path of ['', '/seats', '/queue/now', '/queue/audit', '/queue/revoked?since=0'])
    await call('visitor', 'GET', `${sale}${path}`)
  for (const reader of [olivia, staff, admin]) {
    for (const { method, url } of world.rules) {
      if (method !== 'GET' || !url.startsWith('/api/events/:id')) continue
      await call('operators', 'GET', url.replace(':id', id ?? '').replace(/:\w+/g, '1'), { as: reader.authorization })
    }
  }
  for (const [owner, values] of secrets) {
    expect(values.filter((value) => value.length < 8)).toEqual([])
    for (const { who, path, body } of told) {
      if (who === owner) continue
      expect([who, path, values.filter((value) => body.includes(value))]).toEqual([who, path, []])
    }
  }
  // Not vacuous: each was told their own.
  expect(told.some(({ who, body }) => who === 'bob' && body.includes(secrets.get('bob')?.at(-1) ?? '?'))).toBe(true)
})

it('[X13] [ASVS-2.4.1] one visitor who joins ten thousand times has one place', { timeout: 60_000 }, async () => {
  const sale = await world.bench.sale({ capacity: 1, paused: true })
  const as = world.bench.buyer('Mallory')
  const tickets = new Set<string>()
  for (let round = 0; round < 100; round += 1) {
    const joined = await Promise.all(Array.from({ length: 100 }, () => world.bench.join(sale, as)))
    for (const { ticketId } of joined) tickets.add(ticketId)
  }
  expect(tickets.size).toBe(1)
  // The document is at most a second old.
  await waitUntil('the document counts one visitor', async () => {
    const now = await world.bench.call('GET', `${sale}/queue/now`)
    expect(now.json()).toMatchObject({ waiting: 1 })
    return true
  })
})

it('[X13] [ASVS-2.4.1] guests of one address get as many places as the room allows', async () => {
  const sale = await world.bench.sale({ capacity: 1, paused: true, guests: true, guestsPerAddress: 2 })
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => world.bench.call('POST', `${sale}/queue/join`, { body: {} })),
  )
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(2)
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(48)
})

it('[X14] [ASVS-2.3.2] [ASVS-2.3.4] a visitor who reserves and cancels for ever keeps no seat from others', async () => {
  const { bench } = world
  const sale = await bench.sale(OPEN_FLOOR, HOUSE)
  const [seat = ''] = await seatIdsOf(bench, sale)
  const abuser = await Buyer.admitted(bench, sale)
  for (let round = 0; round < 30; round += 1) {
    const { id } = await abuser.reserved({ seatIds: [seat] })
    expect((await abuser.cancel(id)).statusCode).toBe(200)
  }
  const buyer = await Buyer.admitted(bench, sale)
  expect((await buyer.reserve({ seatIds: [seat] })).statusCode).toBe(201)
  const statuses = (await seatsOf(bench, sale)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 'held')).toHaveLength(1)
  expect(statuses.filter((status) => status === 'available')).toHaveLength(24)
})

it('[X15] [ASVS-15.2.4] only listed packages run code at installation, and every one has a checksum', async () => {
  const root = new URL('../../../../', import.meta.url)
  const lock = expectFields(JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8')), {
    packages: shape.mapOf(shape.record),
  })
  const manifest = expectFields(JSON.parse(await readFile(new URL('package.json', root), 'utf8')), {
    allowScripts: shape.mapOf(shape.boolean),
  })
  const installed = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && link !== true,
  )
  const scripted = installed
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.slice(13))
  expect(scripted.filter((name) => manifest.allowScripts[name] !== true && !isForAnotherSystem(name))).toEqual([])
  expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([])
})

/** Only macOS installs it, and npm runs no script that is not allowed. */
function isForAnotherSystem(name: string): boolean {
  return name === 'fsevents'
}
