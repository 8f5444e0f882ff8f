import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isOwnMethod, openWorld, victimsUrl, type World } from './security-world.ts'

interface Operation {
  readonly requestBody?: { readonly content: Record<string, unknown> }
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
}

let world: World
/** Every route that takes JSON, as the router has it. */
let routes: { method: string; url: string }[]
let operations: [string, Operation][]
beforeAll(async () => {
  world = await openWorld()
  const { paths } = (await world.bench.server.app.inject('/openapi.json')).json<{
    paths: Record<string, Record<string, Operation>>
  }>()
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
  routes = operations
    .filter(([, { requestBody }]) => requestBody?.content['application/json'] !== undefined)
    .map(([route]) => {
      const [method = '', path = ''] = route.split(' ')
      return { method, url: path.replace(/\{(\w+)\}/g, ':$1') }
    })
  expect(routes.length).toBeGreaterThan(20)
})
afterAll(() => world.close())

/** Sends as an admin, who may call every route, so that only the body can be the reason for a refusal. */
async function send({ method, url }: { method: string; url: string }, payload: string, contentType: string | null) {
  return await world.bench.server.app.inject({
    method: method as 'POST',
    url: victimsUrl(world, url),
    headers: {
      authorization: world.admin.authorization,
      'seatwise-ticket': world.alice.ticket,
      'idempotency-key': 'hostile',
      ...(contentType === null ? {} : { 'content-type': contentType }),
    },
    payload,
  })
}

async function takers(payload: string, contentType: string | null, wanted: readonly number[]): Promise<string[]> {
  const taken = []
  for (const route of routes) {
    const { statusCode } = await send(route, payload, contentType)
    if (!wanted.includes(statusCode)) taken.push(`${route.method} ${route.url}: ${statusCode}`)
  }
  return taken
}

describe('bodies', () => {
  it('[X6] [ASVS-15.3.3] [ASVS-2.2.1] a field that is not part of a body is refused on every route', async () => {
    for (const field of ['id', 'userRole', 'isAdmin', 'organizerId', 'status', 'price_override']) {
      // The rest of the body may be missing too; whichever is said first, it is refused as a whole.
      expect(await takers(JSON.stringify({ [field]: 'admin' }), 'application/json', [400])).toEqual([])
    }
  })

  it.each([
    null,
    'text/plain',
    'text/plain;application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/json, text/plain',
    'application/vnd.api+json',
  ])('[X6] [ASVS-3.5.2] content type %s is refused on every route', async (contentType) => {
    expect(await takers('{"name":"x"}', contentType, [400, 415])).toEqual([])
  })

  it.each([
    '{"__proto__":{"role":"admin"}}',
    '{"constructor":{"prototype":{"role":"admin"}}}',
    '{"name":{"__proto__":{"role":"admin"}}}',
    `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
    `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    '[]',
    '"text"',
    'null',
    '{"name":"x"',
    '',
  ])('[X7] [ASVS-15.3.6] [ASVS-15.3.5] %.40s changes no object and is refused', async (payload) => {
    expect(await takers(payload, 'application/json', [400])).toEqual([])
    expect(({} as { role?: string }).role).toBeUndefined()
  })
})

it('[X8] [ASVS-4.1.4] methods that a path does not have are refused', async () => {
  const taken = []
  // The plugin that shows the documentation takes `/docs` and `/docs/` for the same.
  const urls = new Set(world.rules.map((rule) => rule.url).filter((url) => !url.startsWith('/docs')))
  for (const url of urls) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const) {
      if (isRouted(method, url)) continue
      const headers = { authorization: world.admin.authorization }
      const answer = await world.bench.server.app.inject({
        method: method as 'GET',
        url: victimsUrl(world, url),
        headers,
      })
      if (![404, 405].includes(answer.statusCode)) taken.push(`${method} ${url}: ${answer.statusCode}`)
    }
  }
  expect(taken).toEqual([])
})

/** Some route has the method for such a path: `/api/events/search` is also `/api/events/:id`. */
function isRouted(method: string, url: string): boolean {
  return world.rules.some((rule) => {
    const pattern = rule.url.replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')
    return rule.method === method && new RegExp(`^${pattern}$`).test(url)
  })
}

it('[X9] [ASVS-3.4.2] [ASVS-3.4.3] [ASVS-3.4.4] [ASVS-3.4.5] [ASVS-3.4.6] every answer tells browsers what not to do', async () => {
  const origin = 'https://evil.example'
  for (const { method, url } of world.rules.filter((rule) => isOwnMethod(rule) && !rule.url.startsWith('/docs/'))) {
    const answer = await world.bench.server.app.inject({
      method: method as 'GET',
      url: victimsUrl(world, url),
      headers: { origin },
    })
    const { headers } = answer
    const where = `${method} ${url}`
    const policy = String(headers['content-security-policy'])
    expect([where, policy.includes("frame-ancestors 'none'")]).toEqual([where, true])
    expect([where, headers['x-content-type-options']]).toEqual([where, 'nosniff'])
    // Other sites load the script of the button: that is what it is for.
    const isForOthers = url === '/embed.js'
    const readers = isForOthers ? 'cross-origin' : 'same-origin'
    expect([where, headers['cross-origin-resource-policy']]).toEqual([where, readers])
    if (!String(headers['content-type']).startsWith('application/json')) {
      expect([where, policy.includes('default-src '), policy.includes("base-uri 'none'")]).toEqual([where, true, true])
      expect([where, /script-src[^;]*'unsafe-/.test(policy)]).toEqual([where, false])
      expect([where, headers['referrer-policy'] === undefined]).toEqual([where, false])
    }
    expect([where, headers['access-control-allow-origin'], headers['x-powered-by']]).toEqual([
      where,
      isForOthers ? '*' : undefined,
      undefined,
    ])
    if (answer.body !== '')
      expect([where, headers['content-type']]).toEqual([
        where,
        expect.stringMatching(/;\s*charset=utf-8|image\/|javascript|css|font/i),
      ])
  }
})

it.each([
  "' or 1=1 --",
  '%00',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '#{7*7}{{7*7}}',
  'ﷺ'.repeat(50),
  '9'.repeat(300),
  '__proto__',
  '-1',
  'NaN',
])('[X10] [ASVS-16.5.1] [ASVS-2.2.2] the id %.30s gets an error without internals on every route', async (id) => {
  const strange = []
  for (const { method, url } of world.rules.filter((rule) => isOwnMethod(rule) && rule.url.includes('/:'))) {
    const address = url.replace(/:\w+/g, encodeURIComponent(id)).replace(/\*$/, 'x')
    const headers = {
      authorization: world.admin.authorization,
      'seatwise-ticket': world.alice.ticket,
      'idempotency-key': 'x',
    }
    const answer = await world.bench.server.app.inject({ method: method as 'GET', url: address, headers })
    const leaks = /\bat .+\.ts:\d+|node_modules|select .+ from|syntax error|ECONN|<script>alert/i.test(answer.body)
    if (answer.statusCode >= 500 || leaks)
      strange.push(`${method} ${address}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
  }
  expect(strange).toEqual([])
})

it('[X12] [ASVS-14.2.1] no route takes a secret in its address', () => {
  const secretive = operations.flatMap(([route, { parameters = [] }]) =>
    parameters
      .filter(({ in: where, name }) => where !== 'header' && /token|pass|secret|code|key/i.test(name))
      .map(({ name }) => `${route}: ${name}`),
  )
  // An idempotency key is no secret: it opens nothing without the access token of the buyer who chose it. Links in mail have
  // to carry their token; it opens one transfer, entry, offer or invitation. The id of a code is not what buyers type.
  const known = [
    'GET /api/operations/{key}: key',
    'DELETE /api/events/{id}/codes/{codeId}: codeId',
    ...[
      'POST /api/transfers/{token}/accept',
      'POST /api/offers/{token}/accept',
      'POST /api/offers/{token}/decline',
    ].map((route) => `${route}: token`),
    'DELETE /api/organizations/{id}/keys/{keyId}: keyId',
    ...['GET /api/invitations/{token}', 'POST /api/invitations/{token}/accept'].map((route) => `${route}: token`),
    ...['POST /api/returns/{token}/confirm', 'DELETE /api/returns/{token}'].map((route) => `${route}: token`),
  ]
  expect(secretive.filter((found) => !known.includes(found))).toEqual([])
})
