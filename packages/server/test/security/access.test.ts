import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Access, ROLES, type TokenRole } from '../../src/http/access/access.ts'
import { isOwnMethod, isProtected, openWorld, victimsUrl, type World } from './security-world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
  await world.bench.server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => world.close())

const asksForToken = (access: Access) => access === 'signed-in' || Array.isArray(access)

describe('[X1] [ASVS-8.2.1] [ASVS-8.3.1] routes by who may call them', () => {
  it('[X1] no caller without the role gets past a protected route', async () => {
    const open = []
    const rules = world.rules.filter((rule) => isProtected(rule) && rule.access !== 'local-network')
    expect(rules.length).toBeGreaterThan(60)
    for (const { method, url } of rules) {
      const answer = await world.bench.server.app.inject({
        method: method as 'GET',
        url: victimsUrl(world, url),
        headers: { 'content-type': 'application/json' },
        // A caller without the role is refused before this is looked at.
        ...(method === 'GET' || method === 'HEAD' ? {} : { payload: '{broken' }),
      })
      if (!isTurnedAway(answer.statusCode, answer.headers.location)) open.push(`${method} ${url}: ${answer.statusCode}`)
    }
    expect(open).toEqual([])
  })

  it.each(ROLES)('[X1] %s gets past no route that does not name the role', async (role) => {
    const headers = { authorization: tokenOf(role) }
    const open = []
    const rules = world.rules.filter((rule) => asksForToken(rule.access) && !allows(rule.access, role))
    for (const { method, url } of rules) {
      const answer = await world.bench.server.app.inject({
        method: method as 'GET',
        url: victimsUrl(world, url),
        headers,
      })
      if (answer.statusCode !== 403) open.push(`${method} ${url}: ${answer.statusCode}`)
    }
    expect(open).toEqual([])
  })

  it('[X1 control] with the right role the same calls are not refused', async () => {
    const headers = { authorization: world.admin.authorization }
    const rules = world.rules.filter((rule) => rule.method === 'GET' && Array.isArray(rule.access))
    for (const { url } of rules) {
      const answer = await world.bench.server.app.inject({ url: victimsUrl(world, url), headers })
      expect([url, [401, 403].includes(answer.statusCode)]).toEqual([url, false])
    }
  })
})

describe('[X2] [ASVS-4.1.3] [ASVS-8.3.1] other ways of writing a request', () => {
  it('[X2] no spelling of a path leads past its guard', { timeout: 60_000 }, async () => {
    const open = []
    for (const { method, url } of world.rules.filter((rule) => isProtected(rule) && isOwnMethod(rule))) {
      if (url === '/metrics') continue // Open to this very machine, which is where the test runs.
      for (const path of spellings(victimsUrl(world, url))) {
        const { status, location } = await send(method, path)
        if (!isTurnedAway(status, location)) open.push(`${method} ${path}: ${status}`)
      }
    }
    expect(open).toEqual([])
  })

  it.each([
    { 'x-original-url': '/health/live' },
    { 'x-rewrite-url': '/health/live' },
    { 'x-http-method-override': 'GET' },
    { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
    { 'x-forwarded-user': 'admin', 'x-user-id': 'admin', 'x-role': 'admin' },
    { cookie: 'role=admin; access_token=admin; seatwise-session=admin' },
    { host: 'localhost' },
  ])('[X2] headers %o do not either', async (headers) => {
    const open = []
    for (const { method, url } of world.rules.filter((rule) => isProtected(rule) && isOwnMethod(rule))) {
      if (url === '/metrics') continue
      const { status, location } = await send(method, victimsUrl(world, url), headers)
      if (!isTurnedAway(status, location)) open.push(`${method} ${url}: ${status}`)
    }
    expect(open).toEqual([])
  })
})

/** Refused, or, on a page, shown the way to signing in. */
function isTurnedAway(status: number, location: string | string[] | undefined): boolean {
  return status >= 400 ? status < 500 : status >= 300 && String(location).startsWith('/sign-in')
}

function allows(access: Access, role: TokenRole): boolean {
  return access === 'signed-in' || (Array.isArray(access) && access.includes(role))
}

function tokenOf(role: TokenRole): string {
  const { tokens } = world.bench.server.services.identity
  switch (role) {
    case 'guest':
    case 'buyer':
      return `Bearer ${tokens.issue({ id: 'b2b2b2b2-0000-4000-8000-000000000001', role }).accessToken}`
    case 'staff':
      return world.staff.authorization
    case 'organizer':
      return world.mallory.authorization
    case 'admin':
      return world.admin.authorization
  }
}

/** Spellings that routers, proxies and caches have been known to read differently. */
function spellings(path: string): string[] {
  const inside = path.slice(1)
  return [
    `//${inside}`,
    `/./${inside}`,
    `/health/../${inside}`,
    `/health/%2e%2e/${inside}`,
    `/health/..%2f${inside}`,
    `/%${inside.charCodeAt(0).toString(16)}${inside.slice(1)}`,
    path.replaceAll('/', '%2f'),
    path.toUpperCase(),
    `${path}/`,
    `${path}//`,
    `${path}/.`,
    `${path}%00`,
    `${path}%20`,
    `${path};x=1`,
    `${path}?access=public`,
    `${path}%3faccess=public`,
    `${path}#/health/live`,
    `${path}/../../health/live`,
    `http://127.0.0.1${path}`,
  ]
}

/** As written: clients that know URLs would tidy the path up. */
function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; location: string | undefined }> {
  const { port } = world.bench.server.app.server.address() as AddressInfo
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; location: string | undefined }>()
  const call = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
    response.resume()
    response.once('end', () => resolve({ status: response.statusCode ?? 0, location: response.headers.location }))
  })
  call.once('error', reject)
  call.end()
  return promise
}
