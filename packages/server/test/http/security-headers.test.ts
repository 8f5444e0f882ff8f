import type { Ledger } from '@seatwise/ledger'
import { openScratchLedger } from '@seatwise/testbench'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/http/http-server.ts'
import { buildApp } from '../../src/main/app.ts'
import { openTestServices } from '../support/accounts.ts'

const EVERYWHERE = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' }
const FOR_DOCUMENTS = {
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': expect.stringContaining('geolocation=()'),
  'referrer-policy': expect.any(String),
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
}
const HTML = { accept: 'text/html' }

describe('security headers', () => {
  let ledger: Ledger
  let app: App

  beforeAll(async () => {
    ledger = await openScratchLedger()
  })
  afterEach(() => app.close())
  afterAll(() => ledger.close())

  async function open(env: Record<string, string> = {}): Promise<void> {
    app = await buildApp(await openTestServices(ledger, { env }))
  }

  it('[O23] JSON answers have the headers that matter for data, errors too, and none that only documents need', async () => {
    await open()
    for (const url of ['/health/live', '/api/events', '/api/nothing', '/nothing', '/%zz']) {
      const { headers } = await app.inject(url)
      expect.soft(headers, url).toMatchObject(EVERYWHERE)
      expect.soft(headers, url).toMatchObject({
        'content-type': expect.stringMatching(/^application\/json/),
        'content-security-policy': "frame-ancestors 'none'",
        'x-request-id': expect.any(String),
      })
      const unneeded = Object.keys(FOR_DOCUMENTS).filter((name) => Object.hasOwn(headers, name))
      expect.soft(unneeded, url).toEqual([])
      expect.soft(headers['strict-transport-security'], url).toBeUndefined()
      expect.soft(headers['x-powered-by'], url).toBeUndefined()
    }
  })

  it('[O23] pages, pages of errors and everything else that is not JSON have the headers for documents besides', async () => {
    await open()
    for (const url of ['/', '/sign-in', '/nothing', '/docs', '/metrics']) {
      const { headers } = await app.inject({ url, headers: HTML })
      expect.soft(headers['content-type'], url).not.toMatch(/json/)
      expect.soft(headers, url).toMatchObject({ ...EVERYWHERE, ...FOR_DOCUMENTS })
      expect.soft(headers['content-security-policy'], url).toMatch(/^default-src '(none|self)'.*frame-ancestors 'none'/)
    }
  })

  it('[O23] where the public address is https, browsers are told to stay with it', async () => {
    await open({ SEATWISE_PUBLIC_URL: 'https://tickets.example.com' })
    for (const headers of [{}, HTML]) {
      const answer = await app.inject({ url: '/sign-in', headers })
      expect(answer.headers['strict-transport-security']).toMatch(/^max-age=\d{7,}/)
    }
    expect((await app.inject('/health/live')).headers['strict-transport-security']).toMatch(/^max-age=\d{7,}/)
  })
})
