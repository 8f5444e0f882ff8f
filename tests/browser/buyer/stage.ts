import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openBrowser, type Server, startServer } from '@seatwise/testbench'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'

const BUILD = join(import.meta.dirname, '../../../packages/web/src/build/build-pages.ts')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface EventFacts {
  readonly id: string
  readonly roomId: string
  readonly seatTypes: readonly { readonly id: string }[]
}

/** A server, a browser, and an operator. */
export interface Stage {
  readonly server: Server
  readonly url: string
  /** Calls the API as the first operator, or as nobody with `token` null. */
  call(method: string, path: string, body?: object, token?: string | null): Promise<Record<string, unknown>>
  event(facts: object): Promise<EventFacts>
  /** Somebody with a device of their own. */
  visitor(options?: BrowserContextOptions): Promise<Page>
  contextOf(page: Page): BrowserContext
  close(): Promise<void>
}

/** One for all cases of the test file that imports this: starting it takes longer than most of them. */
export let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, 120_000)
afterAll(() => stage?.close())

async function openStage(): Promise<Stage> {
  await promisify(execFile)(process.execPath, [BUILD])
  const [server, browser] = await Promise.all([startServer({ mode: 'embedded' }), openBrowser()])
  const token = await server.adminToken()
  const call: Stage['call'] = (method, path, body, as = token) => callApi(server.url, method, path, body, as)
  return {
    server,
    url: server.url,
    call,
    event: async (facts) => (await call('POST', '/api/events', { ...OPEN, ...facts })) as unknown as EventFacts,
    visitor: (options) => openVisitor(browser, server.url, options),
    contextOf: (page) => page.context(),
    async close() {
      await browser.close()
      await server.discard()
    },
  }
}

const OPEN = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
/** Many visitors come from this machine. */
export const GUESTS = { guests: true, guestsPerAddress: 1_000 }

async function callApi(url: string, method: string, path: string, body: object | undefined, token: string | null) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      connection: 'close',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>
}

async function openVisitor(browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL, locale: 'en', ...options })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  // A script that fails is a failure, also where the page goes on.
  page.on('pageerror', (error) => {
    throw error
  })
  return page
}

/** axe looks at the page as it is now, in light and in dark. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(endTransitions)
    expect(await violationsOf(page), `${name}, ${colorScheme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
}

/** A colour on its way to another is neither. Runs in the page. */
async function endTransitions(): Promise<void> {
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition)
  await Promise.allSettled(transitions.map(({ finished }) => finished))
}

async function violationsOf(page: Page): Promise<string[]> {
  // Not as a script of the page, which its policy would refuse; once for each document, for it is large.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
  }
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`.slice(0, 400)),
  )
}
