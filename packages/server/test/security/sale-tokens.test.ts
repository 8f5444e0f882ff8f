import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AccessRule } from '../../src/http/access/enforce-access.ts'
import { newEmail, PASSWORD } from '../support/accounts.ts'
import { expectError } from '../support/kernel.ts'
import { HOUSE, OPEN_FLOOR } from '../support/reservation.ts'
import type { JoinAnswer } from '../support/room.ts'
import { isOwnMethod, openWorld, victimsUrl, type World } from './security-world.ts'

let world: World
let as = ''
beforeAll(async () => {
  world = await openWorld()
  // Alice hands a place in another sale over: the token must open nothing of hers in the sale where she has everything.
  const elsewhere = await world.bench.sale({ ...OPEN_FLOOR, paused: true }, HOUSE)
  as = `Bearer ${(await handOver(elsewhere, world.alice.authorization)).accessToken}`
})
afterAll(() => world.close())

async function handOver(sale: string, authorization: string): Promise<JoinAnswer> {
  const { bench } = world
  const { ticketToken } = await bench.join(sale, authorization)
  const { code } = (await bench.call('POST', `${sale}/queue/handover`, { ticket: ticketToken })).json<{
    code: string
  }>()
  return (await bench.call('POST', `${sale}/queue/handover/accept`, { body: { code } })).json<JoinAnswer>()
}

it('[A51] a token of one sale is refused on every route, or gets nothing of another sale there', async () => {
  const rules = world.rules.filter((rule) => isOwnMethod(rule) && looksAtTokens(rule))
  expect(rules.length).toBeGreaterThan(60)
  const served = []
  for (const { method, url, sale } of rules) {
    const answer = await world.bench.server.app.inject({
      method: method as 'GET',
      url: victimsUrl(world, url),
      headers: { authorization: as, 'idempotency-key': world.operationKey },
      ...(method === 'GET' ? {} : { payload: bodyFor(method, url) }),
    })
    const isEmptyList = answer.statusCode === 200 && /^\/(api\/)?(reservations|etickets)$/.test(url)
    if (isEmptyList) expect(answer.body, url).not.toContain(world.purchase.reservation.id)
    else if (answer.statusCode !== 403) served.push(`${method} ${url} (${sale}): ${answer.statusCode}`)
  }
  expect(served).toEqual([])
})

/** The routes that serve such tokens: listed here too, so that none is open by accident. */
it('[A51] these routes serve tokens of one sale, and no others', () => {
  const serving = world.rules.filter((rule) => isOwnMethod(rule) && rule.sale !== undefined)
  expect([...new Set(serving.map(({ method, url, sale }) => `${method} ${url} ${sale}`))].sort()).toEqual(
    SERVING.sort(),
  )
})

it('[A51] it is refused in Seatwise-Guest, and no account is made for it', async () => {
  const { bench } = world
  const sale = await bench.sale({ ...OPEN_FLOOR, guestsPerAddress: 1_000 }, HOUSE)
  const guest = await bench.join(sale, '')
  const { code } = (await bench.call('POST', `${sale}/queue/handover`, { ticket: guest.ticketToken })).json<{
    code: string
  }>()
  const moved = (await bench.call('POST', `${sale}/queue/handover/accept`, { body: { code } })).json<JoinAnswer>()
  const body = { email: newEmail(), password: PASSWORD, name: 'Ada' }
  const headers = { 'seatwise-guest': moved.accessToken ?? '' }
  expectError(await bench.call('POST', '/api/auth/register', { headers, body }), 403, 'FORBIDDEN')
  expect((await bench.call('POST', '/api/auth/register', { body })).statusCode).toBe(201)
  const { email, password } = body
  expectError(await bench.call('POST', '/api/auth/login', { headers, body: { email, password } }), 403, 'FORBIDDEN')
})

it('[A50] the token ends with the sessions of its owner', async () => {
  const { bench } = world
  const email = newEmail()
  const body = { email, password: PASSWORD, name: 'Eve' }
  const { accessToken } = (await bench.call('POST', '/api/auth/register', { body })).json<{ accessToken: string }>()
  const sale = await bench.sale({ ...OPEN_FLOOR, paused: true }, HOUSE)
  const second = await handOver(sale, `Bearer ${accessToken}`)
  const look = () => bench.call('GET', '/api/reservations', { as: `Bearer ${second.accessToken}` })
  expect((await look()).statusCode).toBe(200)
  const out = await bench.call('POST', '/api/auth/logout-everywhere', { as: `Bearer ${accessToken}` })
  expect(out.statusCode).toBe(204)
  expectError(await look(), 401, 'UNAUTHORIZED')
})

function looksAtTokens({ access }: AccessRule): boolean {
  return access === 'signed-in' || access === 'public-or-signed-in' || Array.isArray(access)
}

/** Enough to get past the schema where that comes first. */
function bodyFor(method: string, url: string): object {
  if (method === 'PATCH' && url === '/api/reservations/:id') return { email: 'mallory@example.com' }
  if (url === '/api/purchases') return { reservationId: world.purchase.reservation.id, paymentMethod: 'sandbox_ok' }
  if (url === '/api/events/reserve') return { eventId: world.eventId, seatIds: [randomUUID()] }
  return {}
}

const OF_PATH = ['/events/:id/wait', '/rooms/:id/wait']
const WAIT_FORMS = ['appeal', 'claim', 'extend', 'group', 'hand-over', 'invite', 'join', 'leave', 'mail']
const SERVING = [
  'POST /api/events/:id/queue/join path',
  'POST /api/events/:id/codes/check path',
  'POST /events/:id/code path',
  'POST /checkout/:reservationId/code checked',
  'POST /api/rooms/:id/queue/join path',
  'GET /api/events/:id path',
  'GET /api/events/:id/seats path',
  'POST /api/events/:id/reservations path',
  'POST /api/events/reserve checked',
  'GET /api/reservations checked',
  'GET /api/reservations/:id checked',
  'PATCH /api/reservations/:id checked',
  'DELETE /api/reservations/:id checked',
  'POST /api/purchases checked',
  'GET /api/purchases/:id checked',
  'GET /api/purchases/:id/receipts checked',
  'POST /api/purchases/:id/resend checked',
  'GET /api/purchases/:id/receipt.pdf checked',
  'GET /api/purchases/:id/tickets.pdf checked',
  'GET /api/operations/:key checked',
  'GET /api/etickets checked',
  'GET /api/etickets/:id checked',
  'GET /api/etickets/:id/apple.pkpass checked',
  'GET /api/etickets/:id/google checked',
  'GET /events/:id path',
  'GET /events/:id/calendar.ics path',
  'GET /events/:id/seats path',
  'POST /events/:id/seats path',
  'GET /events/:id/handover path',
  'POST /events/:id/handover path',
  'GET /rooms/:id/handover path',
  'POST /rooms/:id/handover path',
  'GET /checkout/:reservationId checked',
  'POST /checkout/:reservationId/pay checked',
  'POST /checkout/:reservationId/stop checked',
  'POST /checkout/:reservationId/give-back checked',
  'GET /reservations checked',
  'GET /etickets/:id checked',
  ...OF_PATH.map((path) => `GET ${path} path`),
  ...OF_PATH.flatMap((path) => WAIT_FORMS.map((form) => `POST ${path}/${form} path`)),
]
