import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Ledger, openLedger } from '@seatwise/ledger'
import { ADMIN, OpenidProvider, openBrowser, postgresDatabase, type Server, startServer } from '@seatwise/testbench'
import { WORDS } from '@seatwise/web'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeFindings } from '../axe-findings.ts'

const BUILD = join(import.meta.dirname, '../../../packages/web/src/build/build-pages.ts')
const words = WORDS.en.account

let server: Server
let provider: OpenidProvider
let browser: Browser
let ledger: Ledger
let site: string
let eventId: string
const undo: (() => Promise<unknown>)[] = []

// A house that asks its managers and admins for more than a password, and has a provider of its own.
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [BUILD])
  const database = await postgresDatabase('migrated')
  undo.push(() => database.drop())
  provider = await OpenidProvider.start()
  undo.unshift(() => provider.stop())
  ;[server, browser] = await Promise.all([
    startServer({ mode: 'distributed', databaseUrl: database.url, lasts: true, env: provider.env }),
    openBrowser(),
  ])
  undo.unshift(
    () => browser.close(),
    () => server.discard(),
  )
  site = `http://localhost:${server.port}`
  await provider.allow(`${site}/sign-in/openid/callback`)
  const event = {
    name: 'Concert',
    totalSeats: 5,
    salesStartAt: '2026-01-01T00:00:00Z',
    salesEndAt: '2099-01-01T00:00:00Z',
  }
  const headers = { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' }
  const made = await fetch(`${server.url}/api/events`, { method: 'POST', headers, body: JSON.stringify(event) })
  eventId = ((await made.json()) as { id: string }).id
  await server.restart({
    ...{ SEATWISE_PUBLIC_URL: site, SEATWISE_STRONG_SIGN_IN: 'required' },
    SEATWISE_OPENID_ROLES: 'leads=manager',
  })
  ledger = await openLedger({ kind: 'postgres', url: database.url, poolMax: 1 })
  undo.unshift(() => ledger.close())
}, 120_000)
afterAll(async () => {
  for (const step of undo) await step()
})

async function newPage(javaScriptEnabled = true): Promise<Page> {
  const context = await browser.newContext({ baseURL: site, locale: 'en', javaScriptEnabled })
  context.setDefaultTimeout(40_000)
  const page = await context.newPage()
  page.on('pageerror', (error) => {
    throw error
  })
  return page
}

/** Gives the page an authenticator of its own that always agrees. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}

async function signInAsAdmin(page: Page): Promise<void> {
  await page.locator('input[name=email]').fill(ADMIN.email)
  await page.locator('input[name=password]').fill(ADMIN.password)
  await page.locator('main form button.main').click()
}

/** Lets 20 minutes pass for all sessions. */
async function ageSessions(): Promise<void> {
  const earlier = new Date(Date.now() - 20 * 60_000)
  await ledger.db.updateTable('sessions').set({ begun_at: earlier, confirmed_at: earlier }).execute()
}

const at = (path: string) => (url: URL) => url.pathname + url.hash === path
const expectAccessible = async (page: Page): Promise<void> => expect(await axeFindings(page)).toEqual([])

it.each([true, false])(
  '[A120][A122][A124] a manager signs in by the provider and works in the console, with script: %s',
  async (hasScript) => {
    const name = `manager-${hasScript}`
    provider.know(name, { email: `${name}@house.example`, groups: ['leads'] })
    const page = await newPage(hasScript)
    await page.goto(`/console/events/${eventId}`)
    await page.waitForURL((url) => url.pathname === '/sign-in')
    if (hasScript) await expectAccessible(page)
    await page.getByRole('link', { name: WORDS.en.signIn.providerUse }).click()
    await page.locator('input[name=name]').fill(name)
    await page.getByRole('button').click()
    await page.waitForURL(at(`/console/events/${eventId}`))
    expect(await page.locator('main').innerText()).toContain('Concert')
    await page.goto('/account')
    expect(await page.locator('main').innerText()).toContain(words.byOpenid)
    await page.context().close()
  },
)

it('[A115][A117][A119] an admin makes a passkey, is asked for it at the next sign-in, and for a fresh one before what does harm', async () => {
  const page = await newPage()
  await addAuthenticator(page)
  const path = `/console/events/${eventId}`
  await page.goto(`/sign-in?next=${path}`)
  await signInAsAdmin(page)
  await page.waitForURL((url) => url.pathname === '/sign-in/strong')
  await expectAccessible(page)
  await page.locator('form[data-passkey=make] input[name=name]').fill('My laptop')
  await page.locator('form[data-passkey=make] button').click()
  await page.locator('.codes code').first().waitFor()
  await page.getByRole('link', { name: words.codesDone }).click()
  await page.waitForURL(at(path))

  await page.goto('/account')
  await page.locator('form[action="/sign-out"] button').click()
  await page.goto(`/sign-in?next=${path}`)
  await signInAsAdmin(page)
  await page.waitForURL((url) => url.pathname === '/sign-in/strong')
  await expectAccessible(page)
  expect(await page.locator('form[data-passkey=make]').count()).toBe(0)
  await page.locator('form[data-passkey=use] button').click()
  await page.waitForURL(at(path))

  // A table to download: asked first, then it comes, and there is a way back.
  await ageSessions()
  // From elsewhere, so that the page loads with the tab in its address.
  await page.goto('/account')
  await page.goto(`${path}#trail`)
  await page.getByRole('link', { name: WORDS.en.console.trail.export }).click()
  await page.waitForURL((url) => url.pathname === '/sign-in/again')
  const downloading = page.waitForEvent('download')
  await page.locator('form[data-passkey=use] button').click()
  const file = await (await downloading).path()
  expect(await readFile(file, 'utf8')).toContain('event.created')
  expect(await page.locator('h1').innerText()).toBe(words.downloadTitle)
  await page.getByRole('link', { name: words.downloadBack }).click()
  await page.waitForURL(at(path))

  // A script: asked, and back at the same tab, where the act is repeated.
  await ageSessions()
  await page.goto('/account')
  await page.goto(`${path}#settings`)
  const cancel = async (): Promise<void> => {
    await page.locator('textarea[name=cancelMessage]').fill('The hall is flooded.')
    await page.getByRole('button', { name: WORDS.en.console.cancelling.cancel }).click()
    await page.getByRole('button', { name: WORDS.en.console.cancelling.yes }).click()
  }
  await cancel()
  await page.waitForURL((url) => url.pathname === '/sign-in/again')
  await page.locator('form[data-passkey=use] button').click()
  await page.waitForURL(at(`${path}#settings`))
  await cancel()
  await page.getByText(WORDS.en.console.cancelling.cancelled).waitFor()
  await page.context().close()
})
