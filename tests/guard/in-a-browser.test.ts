import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGuard, forExpress, type Guard } from '@seatwise/guard'
import { expectFields, openBrowser, type Server, shape, startServer, waitUntil } from '@seatwise/testbench'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

let server: Server
let browser: Browser
let site: HttpServer
let guard: Guard
let siteUrl: string
let room: string

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ mode: 'embedded' }), openBrowser()])
  site = createServer((request, response) => {
    forExpress(guard)(request, response, () => {
      response.setHeader('content-type', 'text/html')
      if (request.url === '/thanks') response.setHeader('Seatwise-Complete', '1')
      response.end(`<title>The shop</title><h1>You are in</h1><p>${request.url}</p>`)
    })
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  // Another host than the room's, so that the browser sees two sites.
  siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`
  room = await makeRoom(siteUrl)
  const secret = Buffer.from('what signs the sessions of this shop').toString('base64')
  guard = createGuard({ roomUrl: server.url, room, site: siteUrl, failOpen: false, secret })
})
afterAll(async () => {
  await browser?.close()
  site?.close()
  site?.closeAllConnections()
  await guard?.settled()
  await server?.discard()
})

async function makeRoom(target: string): Promise<string> {
  const answer = await fetch(`${server.url}/api/rooms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Sneaker drop', target, guests: true, guestsPerAddress: 100, ratePerMinute: 60_000 }),
  })
  return expectFields(await answer.json(), { id: shape.text }).id
}

/** Every address that the browser asked for, as servers and histories see it. */
function watch(page: Page): string[] {
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  return urls
}

/** Takes their turn by whatever button the page offers for it, until they are in the shop. */
async function goIn(page: Page): Promise<void> {
  await waitUntil(
    'they are in the shop',
    async () => {
      if (page.url().startsWith(siteUrl)) return true
      const button = page.getByRole('button', { name: /^(go in|continue to the site)$/i })
      if (await button.isVisible()) await button.click({ timeout: 1_000 })
      throw new Error(`They see ${page.url()}: ${await page.innerText('body')}`)
    },
    { timeoutMs: 40_000, everyMs: 100 },
  )
}

it.each([
  ['with scripts', true],
  ['without scripts', false],
])('[G34][G25] a visitor waits and comes in %s; no URL ever carries a permission', async (_how, javaScriptEnabled) => {
  const context = await browser.newContext({ javaScriptEnabled })
  const page = await context.newPage()
  const urls = watch(page)
  await page.goto(`${siteUrl}/drop?size=42`)
  expect(page.url()).toBe(`${server.url}/rooms/${room}/wait?to=%2Fdrop%3Fsize%3D42`)
  await goIn(page)
  await page.getByText('You are in').waitFor()
  expect(page.url()).toBe(`${siteUrl}/drop?size=42`)
  const [cookie] = await context.cookies(siteUrl)
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  const secrets = [cookie?.value ?? '', ...(await context.cookies(server.url)).map(({ value }) => value)]
  expect(secrets.length).toBeGreaterThan(1)
  expect(urls.filter((url) => url.includes('eyJ') || secrets.some((secret) => url.includes(secret)))).toEqual([])

  // Everything else of the site is open to them, too, and after a purchase the slot is free.
  await page.goto(`${siteUrl}/cart`)
  expect(await page.title()).toBe('The shop')
  await page.goto(`${siteUrl}/thanks`)
  expect(await page.title()).toBe('The shop')
  await page.goto(`${siteUrl}/cart`)
  expect(page.url()).toContain(`${server.url}/rooms/${room}/wait`)
  await context.close()
})
