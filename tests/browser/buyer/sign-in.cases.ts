import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from '@seatwise/testbench'
import { WORDS } from '@seatwise/web'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectLanguage } from './looks.ts'
import { expectAccessible, GUESTS, stage, takenOver } from './stage.ts'

const PASSWORD = 'nine green bottles'
/** Names, addresses and what browsers call themselves. */
const NAMES = 'fan example com chrome linux headlesschrome utc my phone concert'
let fans = 0

/** An address that no account has. */
const newFan = (): string => {
  fans += 1
  return `fan-${fans}@example.com`
}
/** Where browsers make passkeys without https. */
const atLocalhost = () => ({ baseURL: stage.url.replace('127.0.0.1', 'localhost') })

/** The newest mail to an address: the code, and the path of the link. */
async function mailTo(address: string): Promise<{ code: string; path: string; text: string }> {
  return await waitUntil(`a mail to ${address}`, async () => {
    const files = (await readdir(stage.mailbox).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
    for (const file of files.toReversed()) {
      const text = readable(await readFile(join(stage.mailbox, file), 'utf8'))
      const path = /\/sign-in\/link\/[\w-]+/.exec(text)?.[0]
      const code = /: (\d{8})\b/.exec(text)?.[1]
      if (text.includes(`To: ${address}`) && path !== undefined && code !== undefined) return { code, path, text }
    }
    return null
  })
}

/** The parts of a mail as their reader sees them; letters of Korean travel as base64. */
function readable(mail: string): string {
  const decoded = [...mail.matchAll(/base64\n\n([\w+/=\n]+)/g)].map(([, part = '']) => Buffer.from(part, 'base64'))
  return [mail.replaceAll('=\n', ''), ...decoded].join('\n')
}

const submit = (page: Page) => page.locator('main form button.main').click()

/** Gives the page an authenticator of its own that always agrees. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await stage.contextOf(page).newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}

it('[A64] a guest in line signs in by link without script, after a scanner opened it, and keeps the place', async () => {
  const sale = await stage.event({ name: 'Concert', totalSeats: 50, room: { ...GUESTS, paused: true } })
  const fan = newFan()
  const page = await stage.visitor({ javaScriptEnabled: false })
  await page.goto(`/events/${sale.id}/wait`)
  const before = await stage.contextOf(page).cookies()
  await page.goto(`/sign-in?next=/events/${sale.id}/wait`)
  await page.locator('input[name=email]').fill(fan)
  await submit(page)
  await page.waitForURL('**/sign-in/code')
  const { path } = await mailTo(fan)
  // Scanners of mail open links before people do, some with a whole browser.
  for (const purpose of ['', 'prefetch']) await fetch(`${stage.url}${path}`, { headers: { 'sec-purpose': purpose } })
  const scanner = await stage.visitor()
  await scanner.goto(path)
  expect(await scanner.locator('input[name=confirmed]').count()).toBe(1)
  await page.goto(path)
  await submit(page)
  await page.waitForURL((url) => url.pathname.endsWith('/wait'))
  const after = await stage.contextOf(page).cookies()
  const session = (cookies: typeof after) => cookies.find(({ name }) => name.endsWith('seatwise-session'))?.value
  expect(session(after)).not.toBe(session(before))
  // The public document is at most a second old.
  await waitUntil('one visitor waits', async () => {
    const { waiting } = await stage.call('GET', `/api/events/${sale.id}/queue/now`, undefined, null)
    return waiting === 1
  })
  expect(await page.locator('main').innerText()).toContain('1')
})

it('[A68][A69] a passkey is made, signs in without an address and keeps the place in line', async () => {
  const sale = await stage.event({ name: 'Concert', totalSeats: 50, room: { ...GUESTS, paused: true } })
  const fan = newFan()
  await stage.call('POST', '/api/auth/register', { email: fan, password: PASSWORD, name: 'Fan' }, null)
  const page = await stage.visitor(atLocalhost())
  await addAuthenticator(page)
  await page.goto('/sign-in?next=/account')
  await page.locator('input[name=email]').fill(fan)
  await page.locator('input[name=password]').fill(PASSWORD)
  await submit(page)
  await page.locator('form[data-passkey=make] input[name=name]').fill('My phone')
  await expectAccessible(page, 'account')
  await page.locator('form[data-passkey=make] button').click()
  await page.locator('.codes code').first().waitFor()
  expect(await page.locator('.codes code').count()).toBe(10)
  await expectAccessible(page, 'recovery codes')
  const [code = ''] = await page.locator('.codes code').allInnerTexts()
  await page.goto('/account')
  expect(await page.locator('main').innerText()).toContain('My phone')
  await page.locator('form[action="/sign-out"] button').click()
  await page.goto(`/events/${sale.id}/wait`)
  await takenOver(page)
  await page.goto(`/sign-in?next=/events/${sale.id}/wait`)
  await page.locator('form[data-passkey=use] button').click()
  await page.waitForURL((url) => url.pathname.endsWith('/wait'))
  await takenOver(page)
  expect((await stage.call('GET', `/api/events/${sale.id}/queue/now`, undefined, null)).waiting).toBe(1)
  await page.goto('/account')
  expect(await page.locator('main').innerText()).toContain(WORDS.en.account.byPasskey)
  // Confirming with it, too.
  await page.goto('/sign-in/again?next=/account')
  await expectAccessible(page, 'again')
  await page.locator('form[data-passkey=use] button').click()
  await page.waitForURL((url) => url.pathname === '/account')
  const other = await stage.visitor(atLocalhost())
  await other.goto('/sign-in/recovery?next=/account')
  await expectAccessible(other, 'recovery')
  await other.locator('input[name=email]').fill(fan)
  await other.locator('input[name=code]').fill(code)
  await submit(other)
  await other.waitForURL((url) => url.pathname === '/account')
})

it.each(['en', 'ko', 'vi'] as const)(
  '[A64] the pages of signing in speak %s, and axe finds nothing',
  async (language) => {
    const fan = newFan()
    const page = await stage.visitor({ locale: language })
    await page.goto('/sign-in')
    await expectAccessible(page, 'sign-in')
    if (language !== 'en') await expectLanguage(page, language, NAMES)
    await page.locator('input[name=email]').fill(fan)
    await submit(page)
    await page.locator('input[name=code]').waitFor()
    await expectAccessible(page, 'code')
    if (language !== 'en') await expectLanguage(page, language, NAMES)
    const { code, path, text } = await mailTo(fan)
    expect(text).toContain('Content-Type: text/html')
    const other = await stage.visitor({ locale: language })
    await other.goto(path)
    await expectAccessible(other, 'link elsewhere')
    if (language !== 'en') await expectLanguage(other, language, NAMES)
    await page.locator('input[name=code]').fill('00000000')
    await submit(page)
    await page.locator('[role=alert]#problem').waitFor()
    await expectAccessible(page, 'wrong code')
    await page.locator('input[name=code]').fill(code)
    await submit(page)
    await page.goto('/account')
    await expectAccessible(page, 'account')
    if (language !== 'en') await expectLanguage(page, language, NAMES)
    for (const more of ['/sign-in/again', '/sign-in/recovery', '/account/delete']) {
      await page.goto(more)
      await expectAccessible(page, more)
      if (language !== 'en') await expectLanguage(page, language, NAMES)
    }
    await other.goto(path)
    await expectAccessible(other, 'link over')
    if (language !== 'en') await expectLanguage(other, language, NAMES)
  },
)
