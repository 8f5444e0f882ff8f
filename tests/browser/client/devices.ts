import { join } from 'node:path'
import { waitUntil } from '@seatwise/testbench'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { build, type Rolldown } from 'vite'

/** Where the test's own page is: an address of the server itself, so that its cookies count there. */
const PATH = '/seen-by-the-client-test'

/** In the page: what it asks, at the moment it asks. An observer outside the page hears of it later, in any order. */
const COUNTING = `
  const ask = window.fetch
  window.asked = []
  window.unanswered = 0
  window.fetch = (url, ...rest) => {
    asked.push(String(url))
    unanswered++
    return ask(url, ...rest).finally(() => unanswered--)
  }`

/** The client as a page would load it: one module for browsers. */
export async function buildClient(): Promise<string> {
  const built = await build({
    root: join(import.meta.dirname, '../../../packages/client'),
    configFile: false,
    logLevel: 'silent',
    build: { write: false, rolldownOptions: { input: 'src/index.ts', preserveEntrySignatures: 'strict' } },
  })
  const [{ output }] = [built].flat() as [Rolldown.RolldownOutput]
  return output[0].code
}

/** A laptop or a phone: its own cookies and storage. It counts what each of its tabs asks. */
export class Device {
  readonly context: BrowserContext
  readonly requests: { tab: Page; method: string; url: string }[] = []
  readonly #url: string

  private constructor(context: BrowserContext, url: string) {
    this.context = context
    this.#url = url
    context.on('request', (request) => {
      // Requests of workers have no frame; there are none.
      const tab = request.frame().page()
      this.requests.push({ tab, method: request.method(), url: request.url() })
    })
  }

  static async open(browser: Browser, url: string, client: string): Promise<Device> {
    const context = await browser.newContext()
    const page = `<!doctype html><title>wait</title><script>${COUNTING}</script><script type="module">
      import * as seatwise from '${PATH}.js'
      window.seatwise = seatwise
    </script>`
    await context.route(`${url}${PATH}`, (route) => route.fulfill({ contentType: 'text/html', body: page }))
    await context.route(`${url}${PATH}.js`, (route) => route.fulfill({ contentType: 'text/javascript', body: client }))
    return new Device(context, url)
  }

  async openTab(): Promise<Tab> {
    const page = await this.context.newPage()
    const tab = new Tab(page)
    await page.goto(`${this.#url}${PATH}`)
    await tab.loaded()
    return tab
  }

  /** Polls of one tab, or of all. */
  polls(tab?: Tab): number {
    const ofTab = tab === undefined ? this.requests : this.requests.filter((request) => request.tab === tab.page)
    return ofTab.filter(({ url }) => url.endsWith('/queue/status')).length
  }
}

export interface Shown {
  readonly status: string
  readonly ticketId: string
  readonly reach: string
  readonly [field: string]: unknown
}

/** A page that waits in a line. */
export class Tab {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  loaded(): Promise<unknown> {
    return this.page.waitForFunction('window.seatwise !== undefined')
  }

  join(options: object): Promise<Shown> {
    return this.#start(`seatwise.joinLine(${JSON.stringify(options)})`)
  }

  resume(options: object): Promise<Shown> {
    return this.#start(`seatwise.resumePlace(${JSON.stringify(options)})`)
  }

  accept(options: object): Promise<Shown> {
    return this.#start(`seatwise.acceptPlace(${JSON.stringify(options)})`)
  }

  state(): Promise<Shown> {
    return this.page.evaluate('place.state')
  }

  /** What the page has asked since it was loaded. */
  asked(): Promise<string[]> {
    return this.page.evaluate('asked')
  }

  /** Lets time pass where the clock is installed, no faster than what the page asks is answered. */
  async passTime(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed++) {
      await this.page.clock.runFor(1_000)
      await waitUntil('all is answered', () => this.page.evaluate('unanswered === 0'))
    }
  }

  /** Calls a method of the place. */
  call<Result>(call: string): Promise<Result> {
    return this.page.evaluate(`place.${call}`)
  }

  async until(status: string): Promise<Shown> {
    return await waitUntil(`the tab shows ${status}`, async () => {
      const state = await this.state()
      return state.status === status ? state : null
    })
  }

  #start(expression: string): Promise<Shown> {
    return this.page.evaluate(`${expression}.then((place) => {
      window.place = place
      window.seen = []
      place?.on((state) => seen.push(state.status))
      return place && place.state
    })`)
  }
}
