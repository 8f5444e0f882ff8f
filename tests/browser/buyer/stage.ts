import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  expectFields,
  openBrowser,
  parseRecord,
  removeFolder,
  type Server,
  shape,
  startServer,
  temporaryFolder,
} from '@seatwise/testbench'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { axeFindings } from '../axe-findings.ts'

const BUILD = join(import.meta.dirname, '../../../packages/web/src/build/build-pages.ts')

export interface EventFacts {
  readonly id: string
  readonly roomId: string
  readonly seatTypes: readonly { readonly id: string }[]
}

const EVENT_FACTS = {
  ...{ id: shape.text, roomId: shape.text },
  seatTypes: shape.listOf(shape.fields({ id: shape.text })),
}

/** A server, a browser, and an operator. */
export interface Stage {
  readonly server: Server
  readonly url: string
  /** Where the server puts its mail. */
  readonly mailbox: string
  /** Calls the API as the first operator, or without credentials with `token` null. */
  call(method: string, path: string, body?: object, token?: string | null): Promise<Record<string, unknown>>
  event(facts: object): Promise<EventFacts>
  /** A visitor with a device of their own. */
  visitor(options?: BrowserContextOptions): Promise<Page>
  contextOf(page: Page): BrowserContext
  /** Closes all pages: a page that is left open polls and draws on, and slows the tests that follow. */
  closePages(): Promise<void>
  close(): Promise<void>
}

/** One for all cases of the test file that imports this: starting it takes longer than most of them. */
export let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, 120_000)
afterEach(() => stage.closePages())
afterAll(() => stage?.close())

async function openStage(): Promise<Stage> {
  await promisify(execFile)(process.execPath, [BUILD])
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'data')
  const [server, browser] = await Promise.all([startServer({ mode: 'embedded', lasts: true, dataDir }), openBrowser()])
  const token = await server.adminToken()
  const call: Stage['call'] = (method, path, body, as = token) => callApi(server.url, method, path, body, as)
  return {
    server,
    url: server.url,
    mailbox: join(dataDir, 'mailbox'),
    call,
    event: async (facts) => expectFields(await call('POST', '/api/events', { ...OPEN, ...facts }), EVENT_FACTS),
    visitor: (options) => openVisitor(browser, server.url, options),
    contextOf: (page) => page.context(),
    closePages: async () => void (await Promise.all(browser.contexts().map((context) => context.close()))),
    async close() {
      await browser.close()
      await server.discard()
      await removeFolder(folder)
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
  return parseRecord(text)
}

async function openVisitor(browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL, locale: 'en', ...options })
  context.setDefaultTimeout(40_000)
  const page = await context.newPage()
  // A failing script is a failure, also when the page still works.
  page.on('pageerror', (error) => {
    throw error
  })
  return page
}

/** The script of a waiting page has taken over. Before, its buttons are plain forms, which do the same another way. */
export const takenOver = (page: Page) => page.locator('.show-me').waitFor()

/** axe has nothing to say about the page as it is now. Where the frame around it was judged before, a part is enough. */
export async function expectAccessible(page: Page, state: string, part = 'html'): Promise<void> {
  expect({ state, found: await axeFindings(page, part) }).toEqual({ state, found: [] })
}
