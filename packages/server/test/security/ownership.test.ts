import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AccessRule } from '../../src/http/access/enforce-access.ts'
import { Buyer } from '../support/reservation.ts'
import { isOwnMethod, isProtected, openWorld, victimsUrl, type World } from './security-world.ts'

let world: World
let bob: Buyer
beforeAll(async () => {
  world = await openWorld()
  // On the floor of another sale: his credentials are valid, but not for this one.
  bob = await Buyer.admitted(world.bench, await world.bench.sale({ claimSeconds: 0 }))
})
afterAll(() => world.close())

/** A body that the route takes, about the victim's things; null where the route has none. */
function bodies(): Record<string, object | null> {
  const { purchase, eventId, freeSeatId } = world
  const settings = { capacity: 1 }
  const code = { class: 1, count: 1, expiresAt: new Date(Date.now() + 3_600_000) }
  const seats = { seatIds: [freeSeatId] }
  const round = { round: 1, signature: '00'.repeat(48) }
  const brand = { colour: '#000000', logo: null, text: 'Mine now' }
  return {
    'PATCH /api/events/:id': { name: 'Mine now' },
    'PATCH /api/rooms/:id': { name: 'Mine now' },
    'PATCH /api/events/:id/room': settings,
    'PATCH /api/rooms/:id/room': settings,
    'POST /api/events/:id/room/preview': settings,
    'POST /api/rooms/:id/room/preview': settings,
    'POST /api/events/:id/queue/terminate': { ticketId: 'tkt_1234567890' },
    'POST /api/rooms/:id/queue/terminate': { ticketId: 'tkt_1234567890' },
    'POST /api/events/:id/queue/admit': { count: 1 },
    'POST /api/rooms/:id/queue/admit': { count: 1 },
    'POST /api/events/:id/queue/admit/preview': { count: 1 },
    'POST /api/rooms/:id/queue/admit/preview': { count: 1 },
    'POST /api/events/:id/queue/shown': { showMe: false },
    'POST /api/rooms/:id/queue/shown': { showMe: false },
    'POST /api/events/:id/queue/draw/beacon': round,
    'POST /api/rooms/:id/queue/draw/beacon': round,
    'POST /api/events/:id/invitations': { codes: ['AUTUMN-2026'] },
    'POST /api/rooms/:id/invitations': { codes: ['AUTUMN-2026'] },
    'POST /api/events/:id/priority-codes': code,
    'POST /api/events/:id/codes': { code: 'MINE', percent: 100 },
    'POST /api/rooms/:id/priority-codes': code,
    'PUT /api/events/:id/brand': brand,
    'PUT /api/rooms/:id/brand': brand,
    'PUT /api/rooms/:id/connector': { kind: 'known-user-v3', customerId: 'shop', eventId: 'sale' },
    'POST /api/events/:id/reservations': seats,
    'POST /api/events/reserve': { eventId, ...seats },
    'POST /api/events/:id/sales': { ...seats, method: 'cash' },
    'PATCH /api/reservations/:id': { email: 'mallory@example.com' },
    'POST /api/etickets/:id/transfer': { email: 'mallory@example.com' },
    'POST /api/purchases': { reservationId: purchase.reservation.id, paymentMethod: 'sandbox_ok' },
    'POST /api/purchases/:id/resolve': { action: 'ask' },
    'POST /api/purchases/:id/refund': {},
    'POST /api/events/:id/cancel': { message: 'Mine now' },
    'POST /api/events/:id/rehearsals': { verdict: 'passed', report: {} },
    'POST /api/events/:id/mails': { subject: 'Mine now', text: 'Mine now' },
    'POST /api/events/:id/door/scans': {
      door: 'Mine',
      scans: [{ id: randomUUID(), eticketId: purchase.etickets[0]?.id, at: new Date().toISOString() }],
    },
    'POST /api/checkin': null, // Staff of the house check in for every sale.
    'PATCH /api/users/:id': null, // Administrators only, who may do so.
    'PATCH /api/organizations/:id': null, // Likewise.
    'POST /api/auth/confirm': null, // The caller's own session.
    'POST /api/auth/passkeys': null, // The caller's own account.
    'PATCH /api/auth/passkeys/:id': { name: 'Mine now' },
    'POST /api/organizations': null,
    'POST /api/organizations/:id/members': { email: 'mallory@example.com', role: 'owner' },
    'PATCH /api/organizations/:id/members/:userId': { role: 'viewer' },
    'POST /api/organizations/:id/keys': { name: 'Mine now', role: 'manager' },
    'PATCH /api/events/:id/image': { alt: 'Mine now' },
    'PATCH /api/organizations/:id/profile': { about: 'Mine now' },
    'PUT /api/organizations/:id/logo': null, // Only pictures are read at all.
    'PATCH /api/auth/me': null, // The caller's own account.
    'PUT /api/auth/password': null, // Likewise.
    'POST /api/events': null,
    'POST /api/rooms': null,
    'POST /api/webhooks': null,
  }
}

it('[X3] every protected route that takes a body is in the list above', async () => {
  const { paths } = (await world.bench.server.app.inject('/openapi.json')).json<OpenApi>()
  const known = bodies()
  const missing = world.rules
    .filter((rule) => isProtected(rule) && isOwnMethod(rule))
    .filter(
      ({ method, url }) => paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.requestBody !== undefined,
    )
    .map(({ method, url }) => `${method} ${url}`)
    .filter((route) => !(route in known))
  expect(missing).toEqual([])
})

it('[X3] [ASVS-8.2.2] [ASVS-8.4.1] no user reaches what belongs to another user', { timeout: 60_000 }, async () => {
  const before = await snapshot()
  const reached = []
  for (const rule of world.rules.filter((each) => isOwnMethod(each) && hasOwner(each))) {
    for (const [who, headers] of attackersOf(rule)) {
      const { method, url } = rule
      const body = bodies()[`${method} ${url}`]
      const answer = await world.bench.server.app.inject({
        method: method as 'GET',
        url: victimsUrl(world, url),
        headers: { ...headers, 'idempotency-key': randomUUID() },
        ...(body === undefined || body === null ? {} : { payload: body }),
      })
      if (![401, 403, 404].includes(answer.statusCode)) reached.push(`${who}: ${method} ${url}: ${answer.statusCode}`)
    }
  }
  expect(reached).toEqual([])
  expect(await snapshot()).toEqual(before)
})

it('[X3 control] the owner reaches it', async () => {
  const { bench, alice, purchase, olivia, sale, operationKey } = world
  for (const path of [
    `/api/reservations/${purchase.reservation.id}`,
    `/api/purchases/${purchase.id}`,
    `/api/etickets/${purchase.etickets[0]?.id}`,
    `/api/operations/${operationKey}`,
  ]) {
    expect([path, (await bench.call('GET', path, { as: alice.authorization })).statusCode]).toEqual([path, 200])
  }
  expect((await bench.operate(sale, { capacity: 9_999 }, olivia.authorization)).statusCode).toBe(200)
})

interface OpenApi {
  readonly paths: Record<string, Record<string, { requestBody?: object }>>
}

/** Routes with a user's id in the path or in the body. Staff of the house look after every sale. */
function hasOwner(rule: AccessRule): boolean {
  const { method, url, access } = rule
  const body = bodies()[`${method} ${url}`]
  if (!isProtected(rule) || body === null || url.startsWith('/api/users/')) return false
  return url.includes('/:') || (body !== undefined && access === 'signed-in')
}

/** Users with a role that the route accepts, and no part in this sale. */
function attackersOf({ access }: AccessRule): [string, Record<string, string>][] {
  const { identity } = world.bench.server.services
  const guest = `Bearer ${identity.tokens.issue({ id: randomUUID(), role: 'guest' }).accessToken}`
  if (access === 'ticket' || access === 'ticket-or-pass') {
    return [
      ['another sale’s visitor', { 'seatwise-ticket': bob.ticket }],
      ['another sale’s pass', { 'seatwise-ticket': bob.ticket, 'seatwise-pass': bob.pass }],
    ]
  }
  if (Array.isArray(access)) return []
  if (typeof access === 'object' && 'act' in access && access.orOwner !== true) {
    return [
      ['organiser', asActor(world.mallory.authorization)],
      ['staff of the house', asActor(world.staff.authorization)],
      ['buyer', asActor(bob.authorization)],
    ]
  }
  const pass = { 'seatwise-pass': bob.pass }
  const stolen = { 'seatwise-pass': world.alice.pass }
  return [
    ['buyer', asActor(bob.authorization)],
    ['buyer with a pass', { ...asActor(bob.authorization), ...pass }],
    ['buyer with her pass', { ...asActor(bob.authorization), ...stolen }],
    ['guest', asActor(guest)],
    ['organiser', asActor(world.mallory.authorization)],
  ]
}

function asActor(authorization: string): Record<string, string> {
  return { authorization }
}

/** Everything that an attack could have changed. */
async function snapshot(): Promise<unknown> {
  const { bench, alice, olivia, purchase, sale, roomId } = world
  const read = async (path: string, as: string) => (await bench.call('GET', path, { as })).json<object>()
  return {
    event: await read(sale, olivia.authorization),
    seats: await read(`${sale}/seats`, olivia.authorization),
    room: await read(`/api/rooms/${roomId}`, olivia.authorization),
    reservation: await read(`/api/reservations/${purchase.reservation.id}`, alice.authorization),
    purchase: await read(`/api/purchases/${purchase.id}`, alice.authorization),
    webhooks: await read('/api/webhooks', olivia.authorization),
  }
}
