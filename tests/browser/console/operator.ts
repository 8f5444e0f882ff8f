import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  ADMIN,
  openBrowser,
  openWholeBrowser,
  removeFolder,
  type Server,
  startServer,
  temporaryFolder,
} from '@seatwise/testbench'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

/** Any text that a user types is shown and never run. */
export const HOSTILE = '<img src=x onerror="window.broken=1"> & "quotes"'
export const PASSWORD = 'nine green bottles'

export interface Person {
  readonly id: string
  readonly email: string
  readonly token: string
}

const withCamera = (film: string): string[] => [
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-video-capture=${film}`,
]

/** Another site, whose scripts may read what is public here. */
class OtherSite {
  page = ''
  readonly #server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(this.page)
  })

  async open(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** A server, a browser, and short words for what tests of the console do with them. */
class ConsoleBench {
  readonly server: Server
  readonly browser: Browser
  readonly admin: string
  readonly site: OtherSite
  /** What ends with the test that opened it. */
  readonly #closers: (() => Promise<void>)[] = []
  readonly #contexts: BrowserContext[] = []
  /** What browsers complained about: a script that failed, or something the policy of the page forbids. */
  readonly complaints: string[] = []

  static async open(): Promise<ConsoleBench> {
    const site = await new OtherSite().open()
    const [server, browser] = await Promise.all([
      startServer({ mode: 'embedded', lasts: true, env: { SEATWISE_READING_ORIGINS: site.url } }),
      openBrowser(),
    ])
    return new ConsoleBench({ server, browser, admin: await server.adminToken(), site })
  }

  constructor({ server, browser, admin, site }: Pick<ConsoleBench, 'server' | 'browser' | 'admin' | 'site'>) {
    this.server = server
    this.browser = browser
    this.admin = admin
    this.site = site
  }

  async close(): Promise<void> {
    await this.closePages()
    await this.browser.close()
    this.site.close()
    await this.server.discard()
  }

  async closePages(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close()
    for (const close of this.#closers.splice(0)) await close()
  }

  async newPage(options: BrowserContextOptions = {}, browser = this.browser): Promise<Page> {
    const context = await browser.newContext({ baseURL: this.server.url, locale: 'en-GB', ...options })
    this.#contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(40_000)
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('console', (message) => {
      // Answers that refuse, and a network that is cut, are part of tests; the browser reports each of them.
      const isMeant = /status of 4\d\d|ERR_INTERNET_DISCONNECTED/.test(message.text())
      if (message.type() === 'error' && !isMeant) this.complaints.push(message.text())
    })
    return page
  }

  /** An operator who signed in before. */
  async known({ token }: Person, options?: BrowserContextOptions): Promise<Page> {
    const page = await this.newPage(options)
    await page.context().addCookies([{ name: 'seatwise-session', value: token, url: this.server.url }])
    return page
  }

  /** The first operator, who signed in before, at a page of the console. */
  async at(path: string, options?: BrowserContextOptions, browser?: Browser): Promise<Page> {
    const page = await this.newPage(options, browser)
    await page.context().addCookies([{ name: 'seatwise-session', value: this.admin, url: this.server.url }])
    await page.goto(path)
    return page
  }

  /** The same operator, with a camera that sees a film. */
  async seeing(film: Buffer, path: string): Promise<Page> {
    const folder = await temporaryFolder()
    this.#closers.push(() => removeFolder(folder))
    const camera = join(folder, 'camera.y4m')
    await writeFile(camera, film)
    const browser = await openWholeBrowser(withCamera(camera))
    this.#closers.push(() => browser.close())
    return await this.at(path, { permissions: ['camera'] }, browser)
  }

  /** An operator who signs in by the form and is sent on to a page. */
  async signIn(path: string, who: { email: string; password: string } = ADMIN): Promise<Page> {
    const page = await this.newPage()
    await page.goto(path)
    await page.fill('input[name=email]', who.email)
    await page.fill('input[name=password]', who.password)
    await page.click('form[action="/sign-in"] button')
    await page.waitForURL((url) => url.pathname === path.split('#')[0])
    return page
  }

  async call<Answer>(
    method: string,
    path: string,
    options: { token?: string; body?: object; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const { token, body, headers } = options
    const answer = await fetch(this.server.url + path, {
      method,
      headers: {
        connection: 'close',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status} ${text}`)
    return (text === '' ? null : JSON.parse(text)) as Answer
  }

  async register(name: string, role: 'buyer' | 'staff' | 'organizer' = 'buyer'): Promise<Person> {
    const email = `${crypto.randomUUID()}@example.com`
    type Session = { user: { id: string }; accessToken: string }
    const body = { email, password: PASSWORD, name }
    const { user, accessToken } = await this.call<Session>('POST', '/api/auth/register', { body })
    if (role !== 'buyer') await this.call('PATCH', `/api/users/${user.id}`, { token: this.admin, body: { role } })
    return { id: user.id, email, token: accessToken }
  }

  /** A sale that runs; its id. */
  async openSale(room: object = {}, event: object = {}): Promise<string> {
    const body = {
      ...{ name: 'Aurora Live', totalSeats: 50 },
      salesStartAt: new Date(Date.now() - 60_000).toISOString(),
      salesEndAt: new Date(Date.now() + 3_600_000).toISOString(),
      ...event,
      room: { guests: true, guestsPerAddress: 1_000, ...room },
    }
    return (await this.call<{ id: string }>('POST', '/api/events', { token: this.admin, body })).id
  }

  /** A visitor who waits in the line of an event. */
  async join(eventId: string, name = 'Guest'): Promise<{ ticketId: string; ticketToken: string; accessToken: string }> {
    return await this.call('POST', `/api/events/${eventId}/queue/join`, { body: { name } })
  }

  /** Reserves one seat of the only category for a new account. */
  async reserve(eventId: string, name: string): Promise<{ id: string; person: Person }> {
    const person = await this.register(name)
    const { token } = person
    const path = `/api/events/${eventId}`
    type Standing = { ticketToken: string; activeToken?: string }
    const { ticketToken } = await this.call<Standing>('POST', `${path}/queue/join`, { token, body: {} })
    const status = () =>
      this.call<Standing>('GET', `${path}/queue/status`, { headers: { 'seatwise-ticket': ticketToken } })
    let pass = (await status()).activeToken
    while (pass === undefined) pass = (await status()).activeToken
    const { seatTypes } = await this.call<{ seatTypes: { id: string }[] }>('GET', path)
    const key = { 'idempotency-key': crypto.randomUUID() }
    const wish = {
      token,
      headers: { ...key, 'seatwise-pass': pass },
      body: { seatTypeId: seatTypes[0]?.id, quantity: 1 },
    }
    const { id } = await this.call<{ id: string }>('POST', `${path}/reservations`, wish)
    return { id, person }
  }

  /** Buys one seat of the only category, and returns the e-ticket. */
  async buy(eventId: string, name: string): Promise<{ id: string; code: string; person: Person }> {
    const { id: reservationId, person } = await this.reserve(eventId, name)
    const paid = await this.call<{ etickets: { id: string; code: string }[] }>('POST', '/api/purchases', {
      token: person.token,
      body: { reservationId, paymentMethod: 'sandbox_ok' },
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    const [eticket] = paid.etickets
    if (eticket === undefined) throw new Error('There is no e-ticket')
    return { ...eticket, person }
  }
}

/** One for all cases of the test file that imports this: starting it takes longer than most of them. */
export let bench: ConsoleBench
beforeAll(async () => {
  bench = await ConsoleBench.open()
})
afterEach(async () => {
  await bench.closePages()
  expect(bench.complaints.splice(0)).toEqual([])
})
afterAll(async () => await bench?.close())
