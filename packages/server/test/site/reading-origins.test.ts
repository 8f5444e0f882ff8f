import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BadConfiguration, readConfig } from '../../src/config/config.ts'
import type { App } from '../../src/http/http-server.ts'
import { API_GROUPS } from '../../src/http/openapi/docs-page.ts'
import { openTestApp, registerVisitor, type TestServices } from '../support/accounts.ts'
import { buy } from '../support/news.ts'

const LISTED = 'https://www.example.com'

describe('other sites', () => {
  let ledger: Ledger
  let app: App
  let services: TestServices

  beforeAll(async () => {
    ledger = await openScratchLedger()
    const env = { SEATWISE_READING_ORIGINS: `${LISTED}, http://localhost:8080` }
    ;({ app, services } = await openTestApp(ledger, { env, nowMs: Date.now() }))
  })
  afterAll(async () => {
    await app.close()
    await services.rooms.close()
    await ledger.close()
  })

  it('[W314] scripts of listed sites read what is public, without cookies, and nothing else', async () => {
    const { eventId } = await buy(ledger)
    const allowed = async (url: string, origin: string, method: 'GET' | 'POST' = 'GET') => {
      const { headers } = await app.inject({ method, url, headers: { origin } })
      expect(headers['access-control-allow-credentials']).toBeUndefined()
      return headers['access-control-allow-origin']
    }
    const event = `/api/events/${eventId}`
    for (const url of ['/api/events', event, `${event}/seats`, `${event}/queue/now`]) {
      expect({ url, allowed: await allowed(url, LISTED) }).toEqual({ url, allowed: LISTED })
      expect(await allowed(url, 'https://www.example.com.evil.example')).toBeUndefined()
      const { headers } = await app.inject({ url })
      expect({ url, vary: headers.vary }).toEqual({ url, vary: expect.stringMatching(/\borigin\b/) })
    }
    const { authorization } = await registerVisitor(app)
    for (const url of ['/api/auth/me', '/api/reservations']) {
      const { headers } = await app.inject({ url, headers: { origin: LISTED, authorization } })
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
    expect(await allowed(`${event}/queue/join`, LISTED, 'POST')).toBeUndefined()
    expect(await allowed('/', LISTED)).toBeUndefined()
  })

  it('[W314] what is no origin stops the start', () => {
    const read = (origins: string) => () => readConfig({ SEATWISE_READING_ORIGINS: origins })
    for (const origins of [
      '*',
      'example.com',
      'https://example.com/',
      'https://example.com/shop',
      'ftp://example.com',
    ]) {
      expect(read(origins)).toThrow(BadConfiguration)
    }
    expect(read('https://example.com,http://localhost:8080')().readingOrigins).toHaveLength(2)
  })

  it('[W313] the groups of the API stand in the order in which people need them, each with a sentence', async () => {
    const { tags, paths } = (await app.inject('/openapi.json')).json<{
      tags: { name: string; description: string }[]
      paths: Record<string, Record<string, { tags?: string[] }>>
    }>()
    expect(tags).toEqual(API_GROUPS)
    const used = new Set(Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags: of = [] }) => of)))
    expect([...used].sort()).toEqual(API_GROUPS.map(({ name }) => name).sort())
    const page = (await app.inject('/docs')).body
    expect(page).toContain('<title>Seatwise API</title>')
    expect(page).not.toContain('<title>Swagger UI</title>')
  })
})
