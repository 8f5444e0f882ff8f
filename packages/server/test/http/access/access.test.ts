import { randomBytes } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'
import { forEachLedger } from '@seatwise/testbench'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { type Access, type Actor, ROLES } from '../../../src/http/access/access.ts'
import { actorOf } from '../../../src/http/access/actor.ts'
import type { Callers } from '../../../src/http/access/callers.ts'
import { enforceAccess } from '../../../src/http/access/enforce-access.ts'
import { limitRates } from '../../../src/http/access/limit-rates.ts'
import { answerError } from '../../../src/http/errors.ts'
import type { App } from '../../../src/http/http-server.ts'
import { createAccessTokens } from '../../../src/identity/sessions/access-token.ts'
import { ConnectionLimits } from '../../../src/push/connection-limits.ts'
import {
  openTestApp,
  registerVisitor,
  registerWithRole,
  type TestServices,
  type Visitor,
} from '../../support/accounts.ts'
import '../../../src/http/shedding.ts'

const tokens = createAccessTokens([randomBytes(32)], Date.now)
const bearer = (actor: Actor) => `Bearer ${tokens.issue(actor).accessToken}`

const trusting: Callers = {
  tokens,
  actors: { find: async (actor) => actor },
  ended: { has: () => false, recent: async () => {} },
  teams: { of: () => new Map(), findKey: async () => null, refresh: async () => {} },
  subjects: { find: async () => null },
  sessionOf: () => null,
  ask: (read) => read(),
  judgeHolder: () => new SeatwiseError('BAD_TICKET'),
  isFresh: async () => true,
  strong: { isAsked: () => false, has: async () => true },
}

/** A server with nothing but the guard, where each caller has the role in their token. */
function openGuarded(pluginRoutes?: Record<string, Access>): FastifyInstance {
  const app = Fastify()
  app.setErrorHandler(answerError)
  enforceAccess(app, trusting, pluginRoutes)
  return app
}

describe('access by default deny', () => {
  it('[A21] a route that does not state who may call it cannot be added', () => {
    const app = openGuarded()
    expect(() => app.get('/open', async () => 'oops')).toThrow('GET /open does not state who may call it')
    expect(() => app.get('/empty', { config: { access: [] } }, async () => 'oops')).toThrow('does not state')
  })

  it('[A21] neither can one that a plugin adds, unless its path is stated', async () => {
    const plugin = async (scope: FastifyInstance) => {
      scope.get('/plugin/page', async () => 'page')
      scope.get('/plugins', async () => 'another path')
    }
    await expect(openGuarded().register(plugin).ready()).rejects.toThrow('/plugin/page')
    await expect(openGuarded({ '/plugin': 'public' }).register(plugin).ready()).rejects.toThrow('/plugins')
  })

  it('[A22] a caller without access is refused before the body is read', async () => {
    const app = openGuarded()
    app.post('/sale', { config: { access: ['organizer'] } }, async () => 'made')
    const broken = {
      method: 'POST',
      url: '/sale',
      headers: { 'content-type': 'application/json' },
      payload: '{broken',
    } as const
    expect((await app.inject(broken)).statusCode).toBe(401)
    const asBuyer = { ...broken.headers, authorization: bearer({ id: 'a', role: 'buyer' }) }
    expect((await app.inject({ ...broken, headers: asBuyer })).statusCode).toBe(403)
    const asOrganizer = { ...broken.headers, authorization: bearer({ id: 'a', role: 'organizer' }) }
    expect((await app.inject({ ...broken, headers: asOrganizer })).statusCode).toBe(400)
  })

  it.each(ROLES)('[A22] %s gets exactly where the role is listed', async (role) => {
    const app = openGuarded()
    for (const listed of ROLES)
      app.get(`/${listed}`, { config: { access: [listed] } }, async (request) => actorOf(request))
    app.get('/signed-in', { config: { access: 'signed-in' } }, async (request) => actorOf(request))
    const headers = { authorization: bearer({ id: 'user-1', role }) }
    for (const listed of ROLES) {
      const answer = await app.inject({ url: `/${listed}`, headers })
      expect(answer.statusCode).toBe(listed === role ? 200 : 403)
    }
    expect((await app.inject({ url: '/signed-in', headers })).json()).toMatchObject({ id: 'user-1', role })
  })

  it.each([
    ['no header', undefined],
    ['nothing in it', ''],
    ['no token', 'Bearer'],
    ['an empty token', 'Bearer '],
    ['another scheme', 'Basic YWRtaW46YWRtaW4='],
    ['no scheme', tokens.issue({ id: 'a', role: 'admin' }).accessToken],
    ['two tokens', `${bearer({ id: 'a', role: 'admin' })} ${tokens.issue({ id: 'a', role: 'admin' }).accessToken}`],
    ['a list', `${bearer({ id: 'a', role: 'admin' })},${bearer({ id: 'b', role: 'admin' })}`],
    [
      'of another user',
      `Bearer ${createAccessTokens([randomBytes(32)], Date.now).issue({ id: 'a', role: 'admin' }).accessToken}`,
    ],
  ])('[A22] 401 for a header with %s', async (_name, authorization) => {
    const app = openGuarded()
    app.get('/admin', { config: { access: ['admin'] } }, async () => 'in')
    const answer = await app.inject({ url: '/admin', headers: authorization === undefined ? {} : { authorization } })
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('[A22] the authentication scheme is case-insensitive', async () => {
    const app = openGuarded()
    app.get('/in', { config: { access: 'signed-in' } }, async () => 'in')
    const authorization = bearer({ id: 'a', role: 'guest' }).replace('Bearer', 'bearer')
    expect((await app.inject({ url: '/in', headers: { authorization } })).statusCode).toBe(200)
  })

  it('[A23] a public route does not look at tokens; an optional one refuses bad ones', async () => {
    const app = openGuarded()
    app.get('/public', { config: { access: 'public' } }, async (request) => ({ actor: request.actor }))
    app.get('/optional', { config: { access: 'public-or-signed-in' } }, async (request) => ({ actor: request.actor }))
    const bad = { headers: { authorization: 'Bearer forged' } }
    const good = { headers: { authorization: bearer({ id: 'a', role: 'buyer' }) } }
    expect((await app.inject({ url: '/public', ...bad })).json()).toEqual({ actor: null })
    expect((await app.inject({ url: '/public', ...good })).json()).toEqual({ actor: null })
    expect((await app.inject({ url: '/optional' })).json()).toEqual({ actor: null })
    expect((await app.inject({ url: '/optional', ...good })).json()).toMatchObject({
      actor: { id: 'a', role: 'buyer' },
    })
    expect((await app.inject({ url: '/optional', ...bad })).statusCode).toBe(401)
  })

  it.each([
    ['near', '127.0.0.1', {}, null, 200],
    ['near, through a proxy', '127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, null, 401],
    ['near, through another proxy', '10.0.0.1', { forwarded: 'for=10.0.0.1' }, null, 401],
    ['far', '198.51.100.7', {}, null, 401],
    ['far, as staff', '198.51.100.7', {}, 'staff', 403],
    ['far, as admin', '198.51.100.7', {}, 'admin', 200],
  ] as const)('[A24] measurements from %s', async (_name, remoteAddress, headers, role, status) => {
    const app = openGuarded()
    app.get('/metrics', { config: { access: 'local-network' } }, async () => 'numbers')
    const proof = role === null ? {} : { authorization: bearer({ id: 'a', role }) }
    const answer = await app.inject({ url: '/metrics', remoteAddress, headers: { ...headers, ...proof } })
    expect(answer.statusCode).toBe(status)
  })
})

describe('limited rates', () => {
  const limit = { name: 'general', perSecond: 2, burst: 3 }

  it('[A25] beyond the burst 429 with Retry-After, also for forged tokens and unknown addresses, for that sender alone', async () => {
    const clock = { nowMs: 0 }
    const app = Fastify()
    app.setErrorHandler(answerError)
    limitRates(app, () => clock.nowMs, { general: limit })
    enforceAccess(app, trusting)
    app.get('/in', { config: { access: 'signed-in' } }, async () => 'in')
    app.get('/health', { config: { access: 'public', essential: true } }, async () => 'well')
    const forged = { url: '/in', headers: { authorization: 'Bearer forged' } }
    const statuses = []
    for (const request of [forged, { url: '/nowhere' }, forged, forged, { url: '/nowhere' }]) {
      statuses.push((await app.inject(request)).statusCode)
    }
    expect(statuses).toEqual([401, 404, 401, 429, 429])
    const refused = await app.inject(forged)
    expect(refused.headers['retry-after']).toBe('1')
    expect(refused.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect((await app.inject({ ...forged, remoteAddress: '198.51.100.7' })).statusCode).toBe(401)
    expect((await app.inject('/health')).statusCode).toBe(200)
    clock.nowMs += 500
    expect((await app.inject(forged)).statusCode).toBe(401)
    expect((await app.inject(forged)).statusCode).toBe(429)
  })
})

describe('limits shared out among workers', () => {
  it('[O64] four workers together allow one address as many requests as one server', async () => {
    const general = { name: 'general', perSecond: 8, burst: 40 }
    const clock = { nowMs: 0 }
    const workers = Array.from({ length: 4 }, () => {
      const app = Fastify()
      app.setErrorHandler(answerError)
      limitRates(app, () => clock.nowMs, { general, workers: 4 })
      return app
    })
    // The kernel spreads connections over the workers.
    const allowed = async () => {
      let count = 0
      for (let index = 0; index < 200; index += 1) {
        const answer = await workers[index % 4]?.inject('/nowhere')
        if (answer?.statusCode === 404) count += 1
      }
      return count
    }
    expect(await allowed()).toBe(40)
    clock.nowMs += 1_000
    expect(await allowed()).toBe(8)
  })

  it('[O64] each takes its share of push connections, and one at least', () => {
    const config = readConfig({
      ...{ DATABASE_URL: 'postgres://u@db/seatwise', REDIS_URL: 'redis://cache' },
      SEATWISE_SECRET: Buffer.alloc(32, 7).toString('base64'),
      ...{ SEATWISE_WORKERS: '4', SEATWISE_SOCKETS_MAX: '100', SEATWISE_SOCKETS_PER_ADDRESS: '8' },
    })
    const limits = new ConnectionLimits(config, 1_000_000)
    expect(limits.max).toBe(25)
    for (const _ of [1, 2]) limits.take('198.51.100.7')
    expect(() => limits.take('198.51.100.7')).toThrow(/too many push connections/)
    expect(new ConnectionLimits({ ...config, socketsPerAddress: 1 }, 1_000_000).take('198.51.100.7')).toBeUndefined()
  })
})

forEachLedger('access to the whole server', (open) => {
  let ledger: Ledger
  let app: App
  let services: TestServices
  beforeAll(async () => {
    ledger = await open()
    ;({ app, services } = await openTestApp(ledger, { env: { SEATWISE_RATE_LIMITS: 'off' } }))
  })
  afterAll(async () => await app.close())

  it('[A21] every route of the router states who may call it', () => {
    const stated = app.accessRules.map(({ method, url }) => `${method} ${url}`)
    const routed = routesOf(app)
    expect(routed.length).toBeGreaterThan(10)
    // Fastify asks once for /docs and /docs/, and its printer leaves out what stands before a star.
    const isStated = (route: string) =>
      stated.includes(route.replace(/(\S)\/$/, '$1')) ||
      (route.endsWith('*') && stated.some((known) => known.endsWith('*') && known.startsWith(route.slice(0, -1))))
    expect(routed.filter((route) => !isStated(route))).toEqual([])
    for (const route of [
      'GET /docs/',
      'HEAD /metrics',
      'GET /openapi.json',
      'HEAD /api/users',
      'POST /api/auth/login',
    ]) {
      expect(routed).toContain(route)
    }
  })

  it('[A22] no route that needs a token is reached without one, with a forged one, or with a role it does not list', async () => {
    const forged = 'Bearer eyJhbGciOiJub25lIn0.eyJyb2xlIjoiYWRtaW4ifQ.'
    const guest = `Bearer ${services.identity.tokens.issue({ id: 'guest', role: 'guest' }).accessToken}`
    const guarded = app.accessRules.filter(({ access }) => access === 'signed-in' || typeof access !== 'string')
    expect(guarded.length).toBeGreaterThan(3)
    for (const { method, url, access } of guarded) {
      const request = { method: method as 'GET', url: url.replace(/:\w+/g, '0198c0de-0000-7000-8000-000000000000') }
      const where = `${method} ${url}`
      // Pages show people the way to signing in.
      const refused = url.startsWith('/api/') ? 401 : 303
      expect([where, (await app.inject(request)).statusCode]).toEqual([where, refused])
      const asForger = await app.inject({ ...request, headers: { authorization: forged } })
      expect([where, asForger.statusCode]).toEqual([where, refused])
      if (typeof access === 'string' || ('act' in access && access.orOwner === true)) continue
      const asGuest = await app.inject({ ...request, headers: { authorization: guest } })
      // There is nothing at these addresses, which a guest may know.
      expect([where, asGuest.statusCode]).toEqual([where, 'act' in access && access.on !== 'some' ? 404 : 403])
    }
  })

  it('[A19] a revoked role is gone at once on the same server, and within 2 seconds on others', async () => {
    const other = await openTestApp(ledger, { secrets: services.secrets, env: { SEATWISE_RATE_LIMITS: 'off' } })
    const [admin, second] = [await registerWithRole(app, ledger, 'admin'), await registerWithRole(app, ledger, 'admin')]
    const list = (where: App) => where.inject({ url: '/api/users', headers: { authorization: second.authorization } })
    expect([(await list(app)).statusCode, (await list(other.app)).statusCode]).toEqual([200, 200])
    const demoted = await app.inject({
      method: 'PATCH',
      url: `/api/users/${second.id}`,
      headers: { authorization: admin.authorization },
      payload: { role: 'buyer' },
    })
    expect(demoted.statusCode).toBe(200)
    expect((await list(app)).statusCode).toBe(401)
    other.services.clock.nowMs += 2_001
    expect((await list(other.app)).statusCode).toBe(401)
    await other.app.close()
  })

  it('[A19] a privileged user is not signed in any more once the account is gone', async () => {
    const staff = await registerWithRole(app, ledger, 'staff')
    await ledger.db.deleteFrom('users').where('id', '=', staff.id).execute()
    const answer = await app.inject({ url: '/api/auth/me', headers: { authorization: staff.authorization } })
    expect(answer.statusCode).toBe(401)
  })

  it('[A20] while the ledger is away buyers are recognised and privileges are answered 503', async () => {
    const buyer = await registerVisitor(app)
    const staff = await registerWithRole(app, ledger, 'staff')
    const list = ({ authorization }: Visitor) => app.inject({ url: '/api/users', headers: { authorization } })
    await ledger.db.schema.alterTable('users').renameTo('users_away').execute()
    const [asBuyer, asStaff] = [await list(buyer), await list(staff)]
    await ledger.db.schema.alterTable('users_away').renameTo('users').execute()
    expect([asBuyer.statusCode, asStaff.statusCode]).toEqual([403, 503])
    expect(asStaff.headers['retry-after']).toBeDefined()
    expect((await list(staff)).statusCode).toBe(403)
  })
})

/** The router's own list, so that nothing that it would serve can be missing from ours. */
function routesOf(app: App): string[] {
  const lines = app.printRoutes({ commonPrefix: false }).split('\n')
  const path: string[] = []
  return lines.flatMap((line) => {
    const match = /^([│ ├└─]*)(\S.*?) \(([A-Z, ]+)\)$/u.exec(line) ?? /^([│ ├└─]*)(\S.*)$/u.exec(line)
    if (match === null) return []
    const [, indent = '', part = '', methods = ''] = match
    path.splice(indent.length / 4 - 1, path.length, part)
    return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${path.join('')}`)
  })
}
