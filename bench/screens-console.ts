/*
 * Writes pictures of the operator's pages to docs/screens: light on a desk, dark on a phone.
 *
 *   node bench/screens-console.ts
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ADMIN } from '@seatwise/testbench'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openPageStage } from './support/page-stage.ts'

const FOLDER = join(import.meta.dirname, '../docs/screens')
const DEVICES: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1240, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 390, height: 780 }, colorScheme: 'dark', hasTouch: true },
}
const NAMES = ['Linh', 'Minho', 'Ada', 'Søren', 'Yuna', 'Teo']
const VISITORS = 240

await mkdir(FOLDER, { recursive: true })
const stage = await openPageStage()
try {
  const rows = [...'ABCDEFGH'].map((label, index) => ({
    label,
    seats: 16 + 2 * index,
    accessible: index === 7 ? [1, 2] : [],
  }))
  const { id } = await stage.operate('POST', '/api/events', {
    ...{ name: 'Aurora Live', location: 'Nhà hát Lớn, Hà Nội' },
    salesStartAt: new Date(Date.now() - 60_000).toISOString(),
    salesEndAt: new Date(Date.now() + 7_200_000).toISOString(),
    seatTypes: [{ name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, rows }],
    room: {
      capacity: 40,
      ratePerMinute: 120,
      burst: 5,
      guests: true,
      guestsPerAddress: 10_000,
      sessionSeconds: 20,
      claimSeconds: 20,
    },
  })
  const event = String(id)
  for (let visitor = 0; visitor < VISITORS; visitor++) {
    const name = `${NAMES[visitor % NAMES.length]} ${String.fromCharCode(65 + (visitor % 26))}.`
    await joinAsGuest(event, name)
    if (visitor === 120) await stage.operate('PATCH', `/api/events/${event}/room`, { ratePerMinute: 300 })
    // They come over half a minute, so that the charts have something to show.
    await delay(120)
  }
  for (const [device, options] of Object.entries(DEVICES)) {
    const context = await stage.browser.newContext({
      baseURL: stage.url,
      locale: 'en-GB',
      reducedMotion: 'reduce',
      ...options,
    })
    const page = await context.newPage()
    await signIn(page)
    await lookAround(page, device, event)
    await context.close()
  }
} finally {
  await stage.close()
}

async function joinAsGuest(eventId: string, name: string): Promise<void> {
  const answer = await fetch(`${stage.url}/api/events/${eventId}/queue/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ name }),
  })
  await answer.arrayBuffer()
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/sign-in?next=/console')
  await page.fill('input[name=email]', ADMIN.email)
  await page.fill('input[name=password]', ADMIN.password)
  await page.click('form[action="/sign-in"] button')
  await page.waitForURL('**/console')
}

async function lookAround(page: Page, device: string, event: string): Promise<void> {
  const show = (name: string) => page.screenshot({ path: join(FOLDER, `console-${name}-${device}.png`) })
  await show('list')
  await page.goto(`/console/events/${event}`)
  await page.waitForFunction(() =>
    /\d/.test(document.querySelector('.chart [role=img]')?.getAttribute('aria-label') ?? ''),
  )
  await page.fill('#ratePerMinute', '600')
  await page.waitForSelector('.effect .notice p')
  await show('sale')
  await page.click('#tab-ready')
  await page.waitForSelector('.verdict')
  await page.locator('[role=tablist]').evaluate((tabs) => tabs.scrollIntoView())
  await show('ready')
  await page.goto(`/console/events/${event}/edit`)
  await page.locator('.plan').evaluate((plan) => plan.scrollIntoView({ block: 'center' }))
  await show('plan')
  await page.goto(`/console/events/${event}/check-in`)
  await page.fill('input[name=code]', 'not a ticket')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.scan')
  await show('door')
}
