import { brotliDecompressSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { type EventFacts, GUESTS, stage } from './stage.ts'

let event: EventFacts
beforeAll(async () => {
  event = await stage.event({ name: 'Weights', totalSeats: 9, room: { ...GUESTS, paused: true } })
})

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${stage.url}${path}`, { redirect: 'manual', ...init, headers: { connection: 'close', ...init.headers } })

it('[W9] the waiting page has at most 30 KB in all, compressed, and what it loads is kept for good', async () => {
  const page = await stage.visitor()
  const measured: Promise<[string, number]>[] = []
  page.on('requestfinished', (request) => {
    const path = new URL(request.url()).pathname
    if (!path.startsWith('/assets/') && !path.endsWith('/wait')) return
    measured.push(request.sizes().then(({ responseBodySize }) => [path, responseBodySize]))
  })
  await page.goto(`/events/${event.id}/wait`, { waitUntil: 'networkidle' })
  const shell = await Promise.all(measured)
  expect(shell.length).toBeGreaterThan(2)
  expect(shell.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(30 * 1024)
  for (const [path] of shell.filter(([name]) => name.startsWith('/assets/'))) {
    const answer = await ask(path)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  }
}, 60_000)

it('[W9] an asset is the same in every encoding, and a missing one is 404', async () => {
  const source = await (await ask('/sign-in')).text()
  const path = /href="(\/assets\/site-[^"]+)"/.exec(source)?.[1] ?? ''
  const plain = await (await ask(path, { headers: { 'accept-encoding': 'identity' } })).text()
  const raw = await stageRaw(path, 'br')
  expect(brotliDecompressSync(raw).toString()).toBe(plain)
  expect((await ask('/assets/../package.json')).status).toBe(404)
  expect((await ask('/assets/%2e%2e%2fpackage.json')).status).toBe(404)
})

/** `fetch` decompresses by itself; this looks at what was sent. */
async function stageRaw(path: string, encoding: string): Promise<Buffer> {
  const { request } = await import('node:http')
  return await new Promise((resolve, reject) => {
    const sent = request(
      `${stage.url}${path}`,
      { headers: { 'accept-encoding': encoding }, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => resolve(Buffer.concat(chunks)))
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

it('[W10] pages carry no inline script, allow only this site’s, and send requests to no other site', async () => {
  for (const path of [
    '/',
    `/events/${event.id}`,
    `/events/${event.id}/wait`,
    '/sign-in',
    `/events/${event.id}/handover`,
    '/nothing',
  ]) {
    const answer = await ask(path, { headers: { accept: 'text/html' } })
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy, path).toContain("script-src 'self';")
    expect(policy, path).not.toContain('unsafe')
    const { source, preview } = withoutPreview(await answer.text())
    for (const [address] of preview.matchAll(/https?:\/\/[^"]*/g)) expect(address).toMatch(OWN_OR_SCHEMA)
    expect(source.match(/<script(?! type="(application\/json|module)")/g), path).toBeNull()
    expect(source.match(/<script type="module"(?! src="\/assets\/)/g), path).toBeNull()
    expect(source, path).not.toMatch(/\son\w+="|(?<!data-)style="|https?:\/\/(?!www\.w3\.org)/)
  }
})

/** What other sites and searches read of a page, apart: the browser loads nothing of it. */
function withoutPreview(text: string): { source: string; preview: string } {
  const parts =
    /<meta (?:name="description"|property="og:|name="twitter:)[^>]*>|<link rel="canonical"[^>]*>|<script type="application\/ld\+json"[^>]*>[^<]*<\/script>/g
  return { source: text.replaceAll(parts, ''), preview: (text.match(parts) ?? []).join('') }
}
const OWN_OR_SCHEMA = /^http:\/\/(?:localhost|127\.0\.0\.1):\d+\/|^https:\/\/schema\.org(?:\/|$)/

it('[W11] a session cookie reads unless another site asks, and writes only from our own pages', async () => {
  const account = { email: 'cookie@example.com', password: 'nine green bottles', name: 'Ada' }
  const { accessToken } = await stage.call('POST', '/api/auth/register', account, null)
  const cookie = `seatwise-session=${accessToken}`
  const own = { cookie, origin: stage.url, 'sec-fetch-site': 'same-origin' }
  const change = (headers: Record<string, string>) =>
    ask('/api/auth/me', {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"name":"B"}',
    })
  expect((await ask('/api/auth/me', { headers: { cookie } })).status).toBe(200)
  expect((await ask('/api/auth/me', { headers: { cookie, 'sec-fetch-site': 'cross-site' } })).status).toBe(401)
  expect((await change(own)).status).toBe(200)
  for (const foreign of [
    { cookie },
    { cookie, origin: 'https://evil.example' },
    { cookie, 'sec-fetch-site': 'cross-site' },
    { cookie, 'sec-fetch-site': 'same-site', origin: stage.url },
    { cookie, origin: 'null', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  ]) {
    expect((await change(foreign)).status, JSON.stringify(foreign)).toBe(401)
  }
  expect((await ask('/api/auth/me', { headers: { cookie: 'seatwise-session=forged' } })).status).toBe(401)
  const form = { method: 'POST', headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' }, body: '' }
  expect((await ask(`/events/${event.id}/wait/join`, form)).status).toBe(403)
  const stale = await ask(`/events/${event.id}`, { headers: { cookie: 'seatwise-session=stale' } })
  expect(stale.status).toBe(200)
})

/** What a browser says of a page that is opened. Node's own `fetch` does not let a caller say so. */
async function openPage(more: Record<string, string>): Promise<{ cookie: string | undefined; text: string }> {
  const opened = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const { request } = stage.contextOf(await stage.visitor())
  const answer = await request.get(`/events/${event.id}/wait`, { headers: { ...opened, ...more } })
  return { cookie: answer.headers()['set-cookie'], text: await answer.text() }
}

it('[W15] a prefetch does not join', async () => {
  const curious = await openPage({ 'sec-purpose': 'prefetch;prerender' })
  expect(curious.cookie).toBeUndefined()
  expect(curious.text).toContain('Join the line')
})

it('[W15 control] the same without a prefetch joins', async () => {
  expect((await openPage({})).cookie).toContain('seatwise-tickets=')
})

it('[W26] the calendar file comes as one', async () => {
  const answer = await ask(`/events/${event.id}/calendar.ics`)
  expect(answer.headers.get('content-type')).toContain('text/calendar')
  expect(await answer.text()).toContain('BEGIN:VEVENT')
})
