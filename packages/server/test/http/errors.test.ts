import { SeatwiseError } from '@seatwise/domain'
import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { pino } from 'pino'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/http/http-server.ts'
import { expectError, openKernel } from '../support/kernel.ts'

const Body = Type.Object(
  {
    count: Type.Integer({ minimum: 0 }),
    email: Type.Optional(Type.String({ format: 'email' })),
    at: Type.Optional(Type.String({ format: 'date-time' })),
    kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    extra: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
)

function probe(app: App): void {
  const config = { access: 'public' } as const
  app.post('/probe', { config, schema: { body: Body } }, async (request) => request.body)
  const schema = {
    params: Type.Object({ id: Type.Integer() }),
    querystring: Type.Object({
      deep: Type.Optional(Type.Boolean()),
      limit: Type.Optional(Type.Integer({ maximum: 100 })),
    }),
  }
  app.get('/probe/:id', { config, schema }, async (request) => ({ ...request.params, ...request.query }))
  app.get('/bug', { config }, async () => {
    throw new Error('the secret insides', { cause: new Error('and what caused it') })
  })
  app.get('/busy', { config }, async () => {
    throw new SeatwiseError('UNAVAILABLE', { retryAfterSeconds: 6.2 })
  })
  app.get('/too-many', { config }, async () => {
    throw new SeatwiseError('TOO_MANY_REQUESTS')
  })
  app.get('/left', { config }, async () => {
    throw new SeatwiseError('SALE_CONFLICT', { details: { available: 2, statusCode: 200, code: 'FORGED' } })
  })
}

describe('errors', () => {
  const logged: string[] = []
  let ledger: Ledger
  let app: App

  beforeAll(async () => {
    ledger = await openScratchLedger()
    const log = pino({ level: 'info' }, { write: (line: string) => logged.push(line) })
    app = await openKernel(ledger, { routes: probe, services: { log } })
  })
  afterAll(async () => {
    await app.close()
    await ledger.close()
  })

  const post = (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    app.inject({ method: 'POST', url: '/probe', headers, payload: body })

  it('[O10] an unknown address is 404, without its query', async () => {
    const answer = await app.inject('/nothing/here?token=abc')
    expect(expectError(answer, 404, 'NOT_FOUND').path).toBe('/nothing/here')
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('[O10] a known address with another method is 405 and says which it takes', async () => {
    const answer = await app.inject({ method: 'DELETE', url: '/probe/7' })
    expectError(answer, 405, 'METHOD_NOT_ALLOWED')
    expect(answer.headers.allow).toBe('GET, HEAD')
    expectError(await app.inject({ method: 'DELETE', url: '/probe/7/8' }), 404, 'NOT_FOUND')
  })

  it.each(['/%zz', '/probe/%ff%fe', `/probe/${'9'.repeat(500)}`])('[O10] the address %s is 4xx', async (url) => {
    const answer = await app.inject(url)
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expectError(answer, answer.statusCode, answer.statusCode === 404 ? 'NOT_FOUND' : 'BAD_REQUEST')
  })

  it.each([' ', '{', '{"count":1', 'count=1', '{"count":01}', "{'count':1}", '\u0000', 'NaN'])(
    '[O10] the body %j is not JSON',
    async (body) => {
      expectError(await post(body), 400, 'MALFORMED_JSON')
    },
  )

  it('[O10] invalid UTF-8 is refused, not repaired', async () => {
    const body = Buffer.concat([Buffer.from('{"count":1,"kind":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}')])
    expectError(await post(body), 400, 'MALFORMED_JSON')
  })

  it.each([
    ['{"count":"1"}', 'body/count must be integer'],
    ['{"count":1.5}', 'body/count must be integer'],
    ['{"count":null}', 'body/count must be integer'],
    ['{"count":-1}', 'body/count must be >= 0'],
    ['{}', "body must have required property 'count'"],
    ['[]', 'body must be object'],
    ['', 'body must be object'],
    ['{"count":1,"extra":{"a\\u0000":1}}', 'body/extra must be well-formed Unicode text without control characters'],
    ['{"count":1,"extra":{"a":"\\ud800"}}', 'body/extra/a must be well-formed Unicode text without control characters'],
    ['{"count":1,"extra":{"a":["\\b"]}}', 'body/extra/a/0 must be well-formed Unicode text without control characters'],
    ['{"count":1,"more":2}', 'body must not have the field "more"'],
    ['{"count":1,"email":"hunter2"}', 'body/email must be a valid email'],
    ['{"count":1,"at":"2026-02-30T00:00:00Z"}', 'body/at must be a valid date-time'],
    ['{"count":1,"kind":"hunter2"}', 'body/kind must be one of a, b'],
  ])('[O11] %s is answered with what was expected where', async (body, message) => {
    const error = expectError(await post(body), 400, 'BAD_REQUEST')
    expect(error.message).toBe(message)
    expect(JSON.stringify(error)).not.toContain('hunter2')
  })

  it('[O12] an internal error reveals no detail to the client, and the log has all of it', async () => {
    const answer = await app.inject('/bug')
    expect(expectError(answer, 500, 'INTERNAL').message).toBe('Something went wrong on our side')
    expect(answer.body).not.toContain('insides')
    const line = logged.find((text) => text.includes('the secret insides')) ?? ''
    expect(line).toContain('and what caused it')
    expect(JSON.parse(line)).toMatchObject({ requestId: answer.headers['x-request-id'] })
  })

  it('[O13] 429 and 503 say when to try again', async () => {
    const busy = await app.inject('/busy')
    expectError(busy, 503, 'UNAVAILABLE')
    expect(busy.headers['retry-after']).toBe('7')
    const tooMany = await app.inject('/too-many')
    expectError(tooMany, 429, 'TOO_MANY_REQUESTS')
    expect(Number(tooMany.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  })

  it('[O10] details add fields and cannot replace those that every error has', async () => {
    const body = expectError(await app.inject('/left'), 409, 'SALE_CONFLICT')
    expect(body.available).toBe(2)
  })

  it('[O14] what is valid arrives as it was sent', async () => {
    const body = { count: 3, email: 'ada@example.com', extra: { x: [1, '2', null] } }
    expect((await post(JSON.stringify(body))).json()).toEqual(body)
  })

  it('[O14] queries and paths become numbers and booleans', async () => {
    expect((await app.inject('/probe/7?deep=true&limit=5')).json()).toEqual({ id: 7, deep: true, limit: 5 })
    expectError(await app.inject('/probe/seven'), 400, 'BAD_REQUEST')
    expectError(await app.inject('/probe/7?limit=500'), 400, 'BAD_REQUEST')
  })

  it.each([
    '{"count":1,"__proto__":{"admin":true}}',
    '{"count":1,"\\u005f_proto__":{"admin":true}}',
    '{"count":1,"extra":{"__proto__":{}}}',
    '{"count":1,"extra":{"constructor":{"prototype":{"admin":true}}}}',
  ])('[O15] the prototype keys of %s are refused', async (body) => {
    expect(expectError(await post(body), 400, 'BAD_REQUEST').message).toContain('not allowed')
    expect(({} as { admin?: true }).admin).toBeUndefined()
  })

  it.each([
    ['text/plain', '{"count":1}'],
    ['application/x-www-form-urlencoded', 'count=1'],
    ['text/plain; application/json', '{"count":1}'],
    ['application/json; charset=utf-16', '{"count":1}'],
    ['application/jsonp', '{"count":1}'],
    ['multipart/form-data; boundary=x', '--x--'],
  ])('[O16] a body sent as %s is 415', async (type, body) => {
    expectError(await post(body, { 'content-type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  it('[O16] a body without a type, or with a content encoding, is 415', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expectError(await post('{"count":1}', headers), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectError(await post('{"count":1}', {}), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  it('[O16] JSON may say that it is UTF-8', async () => {
    expect((await post('{"count":1}', { 'content-type': 'application/json;charset=UTF-8' })).statusCode).toBe(200)
  })
})
