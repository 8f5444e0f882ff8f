import type { Ledger } from '@seatwise/ledger'
import { firingAlerts, openScratchLedger, type Scrape, waitUntil } from '@seatwise/testbench'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/http/http-server.ts'
import { compileSerializer } from '../../src/http/serialization.ts'
import { compileValidator } from '../../src/http/validation.ts'
import { buildApp } from '../../src/main/app.ts'
import { openTestServices, type TestServices } from '../support/accounts.ts'
import { expectError } from '../support/kernel.ts'
import { query } from '../support/payment-time.ts'

describe('seeing into the server', () => {
  let ledger: Ledger
  let app: App

  beforeAll(async () => {
    ledger = await openScratchLedger()
  })
  afterEach(() => app.close())
  afterAll(() => ledger.close())

  async function open(env: Record<string, string> = {}, replaced: Partial<TestServices> = {}): Promise<App> {
    app = await buildApp({ ...(await openTestServices(ledger, { env })), ...replaced })
    return app
  }

  it('[O30] it is live and ready', async () => {
    await open()
    expect((await app.inject('/health/live')).json()).toEqual({ status: 'ok' })
    expect((await app.inject('/health/ready')).json()).toEqual({ status: 'ok' })
  })

  it('[O30] a missing dependency is reported by its name only', async () => {
    const gone = () => Promise.reject(new Error('connect ECONNREFUSED 10.1.2.3:6379'))
    const calls = { send: gone, sendBlocking: gone, ping: gone, proveWritable: gone, close: async () => {} }
    await open({}, { redis: { kind: 'single', ...calls }, ledger: { ...ledger, ping: () => gone() } })
    const answer = await app.inject('/health/ready')
    expect(expectError(answer, 503, 'UNAVAILABLE').missing).toEqual(['ledger', 'redis'])
    expect(answer.body).not.toContain('10.1.2.3')
    expect((await app.inject('/health/live')).statusCode).toBe(200)
  })

  it('[Y132] the public page says what works and since when, also while a store is away, and asks it once', async () => {
    const asked = { count: 0, works: true }
    const ping = async () => {
      asked.count += 1
      if (!asked.works) throw new Error('connect ECONNREFUSED 10.1.2.3:5432')
    }
    const clock = { nowMs: Date.parse('2026-11-19T08:00:00Z') }
    await open({}, { ledger: { ...ledger, ping }, now: () => clock.nowMs })
    const read = async (language: string) =>
      (await app.inject({ url: '/status', headers: { 'accept-language': language, accept: 'text/html' } })).body
    expect(await read('en')).toMatch(
      /Everything works[\s\S]*Seats, reservations and payments[\s\S]*Works · .*since 2026-11-19 08:00:00 UTC/,
    )
    await Promise.all(Array.from({ length: 50 }, () => read('en')))
    expect(asked.count).toBe(1)

    asked.works = false
    clock.nowMs += 60_000
    const broken = await read('en')
    expect(broken).toMatch(
      /does not work at the moment[\s\S]*Works · [\s\S]*Does not answer · .*since 2026-11-19 08:01:00 UTC/,
    )
    expect(broken).toContain('What you have paid for is safe.')
    expect(broken).not.toContain('10.1.2.3')
    expect(await read('ko')).toContain('응답 없음')
    expect(await read('vi')).toContain('Không trả lời')

    clock.nowMs += 60_000
    expect(await read('en')).toContain('since 2026-11-19 08:01:00 UTC')
    asked.works = true
    clock.nowMs += 60_000
    expect(await read('en')).toMatch(/Everything works[\s\S]*since 2026-11-19 08:03:00 UTC/)
  })

  it('[Y133] an event loop that stalls fires SeatwiseEventLoopSlow', async () => {
    await open()
    const scrapes: Scrape[] = []
    for (const atSeconds of [0, 60, 120, 180]) {
      for (let turn = 0; turn < 3; turn += 1) {
        const begun = performance.now()
        while (performance.now() - begun < 400);
        await new Promise((resolve) => setImmediate(resolve))
      }
      scrapes.push({ atSeconds, text: (await app.inject('/metrics')).body })
    }
    expect(firingAlerts(scrapes)).toEqual(['SeatwiseEventLoopSlow'])
    expect(firingAlerts(scrapes.slice(0, 2))).toEqual([])
  })

  const scrapeOf = async (atSeconds: number): Promise<Scrape> => ({
    atSeconds,
    text: (await app.inject('/metrics')).body,
  })

  it('[Y133] a server that does not answer fires SeatwiseDown', async () => {
    await open()
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const scrape = async (atSeconds: number): Promise<Scrape> => {
      const headers = { connection: 'close' }
      const text = await fetch(`${address}/metrics`, { headers }).then(
        (answer) => answer.text(),
        () => null,
      )
      return { atSeconds, text }
    }
    const scrapes = [await scrape(0), await scrape(30)]
    await app.close()
    for (const atSeconds of [60, 90]) scrapes.push(await scrape(atSeconds))
    expect(firingAlerts(scrapes)).toEqual([])
    scrapes.push(await scrape(120))
    expect(firingAlerts(scrapes)).toEqual(['SeatwiseDown'])
  })

  it('[Y133] a ledger that is away for two minutes fires SeatwiseErrors', async () => {
    const gone = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
    await open({}, { ledger: { ...ledger, ping: gone } })
    const scrapes: Scrape[] = []
    for (const atSeconds of [0, 60, 120, 180]) {
      for (let count = 0; count < 10; count += 1) await app.inject('/health/live')
      expect((await app.inject('/health/ready')).statusCode).toBe(503)
      scrapes.push(await scrapeOf(atSeconds))
    }
    expect(firingAlerts(scrapes.slice(0, 3))).toEqual([])
    expect(firingAlerts(scrapes)).toEqual(['SeatwiseErrors'])
  })

  it('[Y133] statements that wait for connections fire SeatwiseLedgerBusy', async () => {
    await open()
    const [held, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // A migration, say, that others wait for with all connections that there are.
    const locking = ledger.db.transaction().execute(async (transaction) => {
      await query(transaction, 'lock table events')
      locked.resolve()
      await held.promise
    })
    await locked.promise
    const reads = Array.from({ length: 40 }, () => query(ledger.db, 'select from events'))
    const scrapes = [await scrapeOf(0), await scrapeOf(60)]
    held.resolve()
    await Promise.all([locking, ...reads])
    expect(firingAlerts(scrapes.slice(0, 1))).toEqual([])
    expect(firingAlerts(scrapes)).toEqual(['SeatwiseLedgerBusy'])
    expect(firingAlerts([await scrapeOf(0), await scrapeOf(60)])).toEqual([])
  })

  it('[O43] a server that was asked to stop is not ready', async () => {
    await open({}, { lifecycle: { stopping: true, answering: true } })
    expect(expectError(await app.inject('/health/ready'), 503, 'UNAVAILABLE').missing).toEqual(['stopping'])
  })

  it('[O31] requests are measured by route template, and nothing a client sends becomes a label', async () => {
    await open()
    const planted = 'planted-by-a-client'
    await app.inject(`/${planted}?${planted}`)
    await app.inject({ method: 'PURGE', url: `/health/live`, headers: { [planted]: planted } })
    await app.inject(`/%zz${planted}`)
    const answer = await app.inject('/metrics')
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(answer.body).not.toContain(planted)
    expect(answer.body).not.toContain('PURGE')
    expect(answer.body).toMatch(/request_duration_seconds_count\{method="any",route="unknown",status="4xx"\} 2/)
    expect(answer.body).toMatch(/^nodejs_eventloop_lag_seconds /m)
    expect(answer.body).toMatch(/^seatwise_http_requests_in_flight 1$/m)
    expect(answer.body).toMatch(/^seatwise_ledger_connections\{state="waiting"\} 0$/m)
  })

  it('[O14] every route’s schema compiles, though that happens at the first request', async () => {
    await open()
    let compiled = 0
    for (const { method, url, schema } of app.accessRules) {
      for (const httpPart of ['body', 'querystring', 'params', 'headers'] as const) {
        const said = schema[httpPart]
        if (said === undefined) continue
        const validate = compileValidator({ schema: said as object, method, url, httpPart })
        expect(() => validate({}), `${httpPart} of ${method} ${url}`).not.toThrow()
        compiled += 1
      }
    }
    expect(compiled).toBeGreaterThan(100)
  })

  it('[O14] every answer’s schema compiles, though that happens at the first answer', async () => {
    await open()
    let compiled = 0
    for (const { method, url, schema } of app.accessRules) {
      for (const [status, answer] of Object.entries((schema.response ?? {}) as Record<string, object>)) {
        const write = compileSerializer({ schema: answer, method, url, httpStatus: status })
        // Most refuse to write an object without their fields, but none for a schema that does not compile.
        expect(
          reasonOf(() => write({})),
          `${status} of ${method} ${url}`,
        ).toMatch(/^$|required|does not match/)
        compiled += 1
      }
    }
    expect(compiled).toBeGreaterThan(100)
  })

  it('[O32] the description has every route, who may call it, and the form of errors', async () => {
    await open()
    const { paths, components } = (await app.inject('/openapi.json')).json()
    for (const path of ['/health/live', '/health/ready', '/metrics', '/openapi.json', '/api/auth/register']) {
      expect.soft(Object.keys(paths)).toContain(path)
    }
    expect(Object.keys(components.securitySchemes)).toEqual(['accessToken', 'apiKey', 'ticketToken', 'pass'])
    expect(paths['/api/auth/me'].get.security).toEqual([{ accessToken: [] }])
    expect(paths['/api/auth/login'].post.security).toBeUndefined()
    for (const operations of Object.values<Record<string, { responses: Record<string, unknown> }>>(paths)) {
      for (const { responses } of Object.values(operations)) {
        expect.soft(JSON.stringify(responses.default)).toContain('#/components/schemas/Error')
      }
    }
    expect(components.schemas.Error.required).toContain('code')
  })

  it('[O32] /docs shows it without inline script, under a policy that forbids it', async () => {
    await open()
    const page = await app.inject('/docs')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-security-policy']).toContain("script-src 'self';")
    const scripts = [...page.body.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
    expect(scripts.length).toBeGreaterThan(0)
    for (const [, attributes, content] of scripts) {
      expect(content?.trim()).toBe('')
      const source = /src="([^"]+)"/.exec(attributes ?? '')?.[1] ?? ''
      expect((await app.inject(source)).statusCode).toBe(200)
    }
  })

  it('[O34] every answer has an id of its own, and none taken from the client', async () => {
    await open({ SEATWISE_TRUST_PROXY: '10.0.0.0/8, ::1' })
    const ask = async (remoteAddress: string, id: string) =>
      (await app.inject({ url: '/health/live', remoteAddress, headers: { 'x-request-id': id } })).headers[
        'x-request-id'
      ]
    expect(await ask('192.0.2.1', 'planted')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await ask('10.20.30.40', 'from-our-proxy')).toBe('from-our-proxy')
    expect(await ask('::ffff:10.20.30.40', 'from-our-proxy')).toBe('from-our-proxy')
    expect(await ask('::1', 'from-our-proxy')).toBe('from-our-proxy')
    expect(await ask('10.20.30.40', 'with spaces {} "quotes"')).toMatch(/^[0-9a-f-]{36}$/)
    expect((await app.inject('/nothing')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('[O22] while the event loop lags, requests are refused, and health and metrics are not', async () => {
    await open()
    expect((await app.inject('/openapi.json')).statusCode).toBe(200)
    const refused = await waitUntil('a request is refused', async () => {
      blockEventLoop(1_200)
      await new Promise((resolve) => setImmediate(resolve))
      const answer = await app.inject('/openapi.json')
      return answer.statusCode === 503 ? answer : null
    })
    expectError(refused, 503, 'OVERLOADED')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    for (const url of ['/health/live', '/health/ready', '/metrics']) {
      expect((await app.inject(url)).statusCode).toBe(200)
    }
    await waitUntil('it has recovered', async () => (await app.inject('/openapi.json')).statusCode === 200)
  })

  it('[O22] a lag while only health is asked, as at the start, refuses no later request', async () => {
    await open()
    let blocked = 0
    // As often as it takes above, on a route that is never refused.
    await waitUntil('it has lagged for long', async () => {
      blockEventLoop(700)
      await new Promise((resolve) => setImmediate(resolve))
      expect((await app.inject('/health/live')).statusCode).toBe(200)
      blocked += 1
      return blocked === 6
    })
    expect((await app.inject('/openapi.json')).statusCode).toBe(200)
  })
})

function blockEventLoop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function reasonOf(work: () => unknown): string {
  try {
    work()
    return ''
  } catch (error) {
    return String(error)
  }
}
