import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGuard, forExpress, type GuardOptions } from '@seatwise/guard'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/http/http-server.ts'
import { openTestApp, registerWithRole, type TestServices, type Visitor } from '../support/accounts.ts'
import type { Answer } from '../support/events.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
const SECRET = Buffer.from('what signs the sessions of a checked site').toString('base64')

let app: App
let services: TestServices
let owner: Visitor
let here: string
let roomId: string
let site: Server
let target: string
let answer: RequestListener

beforeAll(async () => {
  const ledger = await openScratchLedger()
  // Guards reach the room over a socket.
  const env = { SEATWISE_RATE_LIMITS: 'off', SEATWISE_PRIVATE_WEBHOOKS: 'on' }
  ;({ app, services } = await openTestApp(ledger, { env, nowMs: Date.now() }))
  here = await app.listen({ port: 0, host: '127.0.0.1' })
  owner = await registerWithRole(app, ledger, 'organizer')
  site = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1')
  await once(site, 'listening')
  target = `http://127.0.0.1:${(site.address() as AddressInfo).port}/drop`
  roomId = (await call('POST', '/api/rooms', { name: 'Drop', target })).json<{ id: string }>().id
})
afterAll(async () => {
  site.close()
  site.closeAllConnections()
  await app.close()
  await services.rooms.close()
  await services.ledger.close()
})
afterEach(() => {
  services.clock.nowMs = Date.now()
})

const headers = () => ({ authorization: owner.authorization, host: new URL(here).host })
const call = (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object): Promise<Answer> =>
  app.inject({ method, url, headers: headers(), ...(payload && { payload }) })
const check = async () => (await call('POST', `/api/rooms/${roomId}/guard/check`)).json()
const send = (path: string, fields: Record<string, string> = {}): Promise<Answer> =>
  app.inject({
    method: 'POST',
    url: path,
    headers: { ...headers(), ...FORM },
    payload: new URLSearchParams(fields).toString(),
  })

/** A site with a guard; `page` is the site's own answer. */
function guarded(
  options: Partial<GuardOptions> = {},
  page: RequestListener = (_request, response) => response.end('in'),
) {
  const origin = new URL(target).origin
  const common = {
    roomUrl: here,
    room: roomId,
    site: origin,
    failOpen: false,
    secret: SECRET,
    onProblem: () => undefined,
  }
  const middleware = forExpress(createGuard({ ...common, ...options }))
  answer = (request, response) => middleware(request, response, () => page(request, response))
}

it('[W190] a guard that works is told from the site’s own answer', async () => {
  guarded()
  expect(await check()).toEqual({ result: 'works', status: 200 })
  guarded({}, (_request, response) => response.writeHead(500).end())
  expect(await check()).toEqual({ result: 'works', status: 500 })
})

it('[W190] every way in which a guard does not work has a name of its own', async () => {
  answer = (_request, response) => response.end('open to all')
  expect(await check()).toEqual({ result: 'open', status: 200 })
  guarded({ ignore: ['/drop'] })
  expect(await check()).toEqual({ result: 'open', status: 200 })
  const other = '0198f2a1-1111-7222-8333-444455556666'
  guarded({ room: other })
  expect(await check()).toEqual({ result: 'other_room', detail: other })
  guarded({ roomUrl: 'https://queue.example.com', apiUrl: here })
  expect(await check()).toEqual({ result: 'other_server', detail: 'https://queue.example.com' })
  answer = (_request, response) => response.writeHead(301, { location: 'https://www.shop.example/' }).end()
  expect(await check()).toEqual({ result: 'redirects', detail: 'https://www.shop.example/' })
  guarded({ apiUrl: 'http://127.0.0.1:9' })
  expect(await check()).toEqual({ result: 'room_unreachable' })
  answer = (_request, response) => response.writeHead(500).end()
  expect(await check()).toEqual({ result: 'site_error', status: 500 })

  guarded()
  const whole = answer
  answer = (request, response) =>
    request.url?.startsWith('/.seatwise/') ? response.writeHead(404).end() : whole(request, response)
  expect(await check()).toEqual({ result: 'no_entrance', status: 404 })
  guarded({ now: () => Date.now() + 600_000 })
  expect(await check()).toEqual({ result: 'pass_refused' })
  guarded()
  const entrance = answer
  guarded({ secret: Buffer.from('another process has another secret here').toString('base64') })
  const others = answer
  answer = (request, response) => (request.url === '/drop' ? others : entrance)(request, response)
  expect(await check()).toEqual({ result: 'session_lost' })
})

it('[W190] a site that does not answer, or is not on the public internet, is unreachable, and says why', async () => {
  const port = (site.address() as AddressInfo).port
  await call('PATCH', `/api/rooms/${roomId}`, { target: 'http://127.0.0.1:9/' })
  expect(await check()).toMatchObject({ result: 'unreachable', detail: expect.stringContaining('ECONNREFUSED') })
  const closed = await openTestApp(services.ledger, { secrets: services.secrets, nowMs: Date.now() })
  await call('PATCH', `/api/rooms/${roomId}`, { target: `http://127.0.0.1:${port}/drop` })
  const url = `/api/rooms/${roomId}/guard/check`
  const refused = await closed.app.inject({ method: 'POST', url, headers: { authorization: owner.authorization } })
  expect(refused.json()).toMatchObject({ result: 'unreachable', detail: expect.stringContaining('public internet') })
  await closed.app.close()
  await closed.services.rooms.close()
})

it('[W190] the pass of a check opens nothing but the guard', async () => {
  let pass = ''
  guarded()
  const whole = answer
  answer = async (request, response) => {
    if (request.method !== 'POST') return whole(request, response)
    pass = new URLSearchParams(Buffer.concat(await request.toArray()).toString()).get('pass') ?? ''
    response.writeHead(403).end()
  }
  await check()
  expect(pass).not.toBe('')
  const queue = `/api/rooms/${roomId}/queue`
  const complete = await app.inject({ method: 'POST', url: `${queue}/complete`, headers: { 'seatwise-pass': pass } })
  expect(complete.statusCode).toBeGreaterThanOrEqual(400)
  const stats = (await call('GET', `${queue}/stats`)).json()
  expect(stats).toMatchObject({ waiting: 0, admitted: 0, active: 0, completed: 0 })
})

it('[W190] the page has id, address and snippets, changes them, checks, and keeps a connector', async () => {
  const page = `/console/rooms/${roomId}/site`
  const shown = (await call('GET', page)).body
  expect(shown).toContain(`${here}/rooms/${roomId}/wait`)
  expect(shown.match(/<details class="snippet"/g)).toHaveLength(5)
  expect(shown).toContain(`site: &#39;${new URL(target).origin}&#39;`)
  guarded()
  expect((await send(`${page}/check`)).body).toContain('It works')
  answer = (_request, response) => response.end('open')
  expect((await send(`${page}/check`)).body).toContain('let us in without a pass')

  expect((await send(page, { name: 'Drop', target: 'ftp://shop.example/' })).statusCode).toBe(422)
  const saved = await send(page, { name: 'Renamed', target })
  expect((await call('GET', String(saved.headers.location))).body).toContain('Renamed')

  const connector = `/console/rooms/${roomId}/connector`
  expect((await send(connector, { customerId: 'a_b', eventId: 'drop', secretKey: '' })).statusCode).toBe(422)
  const made = (await send(connector, { customerId: 'acme', eventId: 'drop', secretKey: '' })).body
  expect(made).toMatch(/readonly value="[0-9a-f]{32,}"/)
  expect((await call('GET', page)).body).not.toMatch(/readonly value=/)
  expect((await call('GET', `/api/rooms/${roomId}/connector`)).json()).toMatchObject({ customerId: 'acme' })
  const gone = await send(`${connector}/delete`)
  expect((await call('GET', String(gone.headers.location))).body).toContain('The connector is gone')
})
