import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError } from '../support/kernel.ts'
import { type JsonSchema, type Operation, operationsOf } from '../support/openapi.ts'
import { openWorld, victimsUrl, type World } from './security-world.ts'

let world: World
let operations: Operation[]
beforeAll(async () => {
  world = await openWorld()
  operations = await operationsOf(world.bench.server.app)
  expect(operations.length).toBeGreaterThan(80)
})
afterAll(() => world.close())

/** Sends as an admin, who may call every route, so that only the input can be the reason for a refusal. */
async function send(method: string, url: string, payload?: string, contentType = 'application/json') {
  return await world.bench.server.app.inject({
    method: method as 'POST',
    url,
    headers: {
      authorization: world.admin.authorization,
      'seatwise-ticket': world.alice.ticket,
      'idempotency-key': 'hostile',
      ...(payload === undefined ? {} : { 'content-type': contentType }),
    },
    ...(payload === undefined ? {} : { payload }),
  })
}

/** The addresses of every route with a value in one of its parameters. */
function* addressesWith(value: string, isWanted: (schema: JsonSchema) => boolean): Generator<[Operation, string]> {
  for (const operation of operations) {
    for (const { in: where, name, schema } of operation.parameters) {
      if (where === 'header' || !isWanted(schema)) continue
      if (where === 'query') yield [operation, `${victimsUrl(world, operation.url)}?${name}=${value}`]
      else yield [operation, victimsUrl(world, operation.url.replace(`:${name}`, value))]
    }
  }
}

const isNumber = ({ type, anyOf }: JsonSchema): boolean =>
  [type, anyOf?.[0]?.type].some((found) => found === 'integer' || found === 'number')

describe('numbers', () => {
  it.each([
    'Infinity',
    '-Infinity',
    'NaN',
    '1e309',
    '1e1',
    '0x1',
    '%201',
    '1%20',
    '+1',
    '1.0',
    '01',
    '',
    '%D9%A1',
    '1n',
  ])('[X22] %j is no number on any route', async (text) => {
    const taken = []
    const addresses = [...addressesWith(text, isNumber)]
    expect(addresses.length).toBeGreaterThan(15)
    for (const [{ method }, url] of addresses) {
      const { statusCode } = await send(method, url)
      if (statusCode !== 400 && !(statusCode === 404 && text === '')) taken.push(`${method} ${url}: ${statusCode}`)
    }
    expect(taken).toEqual([])
  })

  it('[X22 control] plain numbers within their bounds are taken', async () => {
    const neighbors = `${world.sale}/queue/neighbors`
    expect((await send('GET', '/api/events?limit=5')).statusCode).toBe(200)
    expect((await send('GET', `${neighbors}?around=50`)).statusCode).not.toBe(400)
    expectError(await send('GET', `${neighbors}?around=51`), 400, 'BAD_REQUEST')
    expect((await send('GET', `${world.sale}/charts?step=60`)).statusCode).toBe(200)
  })
})

describe('texts', () => {
  it.each(['%00', 'a%00b', '%01', '%7F', '%0A', '%ED%A0%80', '%FF', '%C3', '%', '%zz'])(
    '[X23] %s in a parameter is 400 or 404 on every route',
    async (text) => {
      const taken = []
      for (const [{ method }, url] of addressesWith(text, () => true)) {
        const answer = await send(method, url)
        if (![400, 404].includes(answer.statusCode)) taken.push(`${method} ${url}: ${answer.statusCode}`)
        else expectError(answer, answer.statusCode, answer.json<{ code: string }>().code)
      }
      expect(taken).toEqual([])
    },
  )

  it.each([
    '/?q=%00',
    '/%00',
    '/events/%00',
    '/events/%00/wait',
    '/sign-in?next=%00',
    '/?c=%00&e=%00',
    '/etickets/a%00',
  ])('[X23] the page %s is a 4xx, too', async (url) => {
    const { statusCode } = await send('GET', url)
    expect([400, 404]).toContain(statusCode)
  })

  it('[X23] neither NUL nor half a character is taken in any text of a body or a form', async () => {
    for (const text of ['\\u0000', '\\ud800', '\\u0007']) {
      const answer = await send(
        'POST',
        '/api/auth/register',
        `{"email":"a@example.com","password":"p","name":"${text}"}`,
      )
      expect(expectError(answer, 400, 'BAD_REQUEST').field).toBe('body/name')
    }
    const form = await world.bench.server.app.inject({
      method: 'POST',
      url: '/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      payload: 'email=a%00b&password=x',
    })
    expect(form.statusCode).toBe(400)
  })

  it.each([
    '2026-02-30 10:00:00+00',
    '2026-13-01 10:00:00+00',
    '0000-01-01 10:00:00+00',
    '2026-01-01 25:00:00+00',
    '2026-01-01 10:61:00+00',
    '2026-01-01 10:00:00+16',
    '2026-01-01 10:00:00+99',
    '9999-12-31 23:59:59-15:59',
    'infinity',
  ])('[X24] a cursor of %s is 400 wherever there are cursors', async (at) => {
    const id = '00000000-0000-4000-8000-000000000000'
    const cursors = [
      Buffer.from(JSON.stringify([null, at, id])).toString('base64url'),
      Buffer.from(JSON.stringify([5, at, id])).toString('base64url'),
    ]
    const taken = []
    for (const cursor of cursors) {
      for (const [operation, url] of addressesWith(cursor, () => true)) {
        if (!url.includes('?cursor=')) continue
        const { statusCode } = await send(operation.method, url)
        if (statusCode !== 400) taken.push(`${url}: ${statusCode}`)
      }
      expect((await send('GET', `/?cursor=${cursor}`)).statusCode).toBe(400)
    }
    expect(taken).toEqual([])
  })
})

describe('bodies', () => {
  it('[X25] a field is refused on every route that takes no body, and nothing happens', async () => {
    // Providers' webhooks are read as bytes.
    const isRead = ({ method, url }: Operation) => method === 'GET' || url.endsWith('/webhooks/:provider')
    const bodiless = operations.filter((operation) => operation.body === null && !isRead(operation))
    expect(bodiless.length).toBeGreaterThan(12)
    const taken = []
    for (const { method, url } of bodiless) {
      for (const payload of ['{"seatIds":["a"]}', '{"reason":null}', '[]', '[1]', '"text"', 'null', '0']) {
        const answer = await send(method, victimsUrl(world, url), payload)
        if (answer.statusCode !== 400) taken.push(`${method} ${url} ${payload}: ${answer.statusCode}`)
      }
    }
    expect(taken).toEqual([])
    const purchase = await send('GET', victimsUrl(world, '/api/purchases/:id'))
    expect(purchase.json<{ status?: string }>().status ?? 'PAID').toBe('PAID')
  })

  it('[X25] no body, an empty one and an object without fields are the same', async () => {
    const url = `${world.sale}/queue`
    const answers = [await send('DELETE', url), await send('DELETE', url, ''), await send('DELETE', url, '{}')]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204])
  })

  it('[X25] a body of a GET is refused', async () => {
    expectError(await send('GET', '/api/events', '{"limit":5}'), 400, 'BAD_REQUEST')
  })

  it('[X25] a field that a body does not have is refused on every route that takes one, at every depth', async () => {
    const taken = []
    const takers = operations.filter(({ body }) => body !== null)
    expect(takers.length).toBeGreaterThan(20)
    for (const { method, url, body } of takers) {
      for (const payload of withUnknownFields(body ?? {})) {
        const { statusCode, body: answer } = await send(method, victimsUrl(world, url), JSON.stringify(payload))
        const isNamed = /must not have the field|must match|must be/.test(answer)
        if (statusCode !== 400 || !isNamed)
          taken.push(`${method} ${url} ${JSON.stringify(payload)}: ${statusCode} ${answer}`)
      }
    }
    expect(taken).toEqual([])
  })
})

/** A body that has what is required, and one field too many: at its top, and in each object within it. */
function* withUnknownFields(schema: JsonSchema): Generator<unknown> {
  const valid = sampleOf(schema) as Record<string, unknown>
  yield { ...valid, unknownField: 1 }
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const { items = part } = part
    if (items.additionalProperties !== false) continue
    const inner = { ...(sampleOf(items) as object), unknownField: 1 }
    yield { ...valid, [name]: part.items === undefined ? inner : [inner] }
  }
}

function sampleOf(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0] ?? {})
  switch ([schema.type].flat()[0]) {
    case 'object': {
      const required = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name))
      return Object.fromEntries(required.map(([name, part]) => [name, sampleOf(part)]))
    }
    case 'array':
      return []
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    default:
      return schema.format === 'date-time' ? '2026-01-01T00:00:00Z' : 'text'
  }
}
