import { WORDS } from '@seatwise/web'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { axeFindings } from '../axe-findings.ts'
import { bench } from './operator.ts'

let id: string
beforeAll(async () => {
  const rows = [{ label: 'A', seats: 8, blocked: [1], accessible: [2] }]
  const seatTypes = [{ name: 'Stalls', price: 9_000, currency: 'EUR', reservedSeating: true, rows }]
  id = await bench.openSale(
    { capacity: 1, ratePerMinute: 60, burst: 1, claimSeconds: 0 },
    { totalSeats: undefined, seatTypes },
  )
  await bench.buy(id, 'Ada')
  for (const name of ['Bob', 'Cleo', 'Dan']) await bench.join(id, name)
})

const TABS = ['line', 'floor', 'reservations', 'payments', 'codes', 'entry', 'settings', 'ready', 'trail'] as const

/** Waits for what the tab is about, so that it is not judged while it is empty. */
async function openTab(page: Page, tab: (typeof TABS)[number]): Promise<void> {
  await page.click(`#tab-${tab}`)
  const content = { line: 'td', floor: 'td', reservations: 'td', ready: '.verdict', trail: 'td' }[tab as string] ?? '*'
  await page.waitForSelector(`[role=tabpanel] ${content}`, { state: 'attached' })
}

it('[W75] axe finds nothing on any page of the console, light and dark', async () => {
  const page = await bench.at(`/console/events/${id}`)
  const judge = async (state: string, part = 'html'): Promise<void> => {
    expect({ state, found: await axeFindings(page, part) }).toEqual({ state, found: [] })
  }
  await page.waitForSelector('.answer')
  await page.fill('#ratePerMinute', '90')
  await page.waitForSelector('.effect .notice p')
  await judge('with a change that was not applied yet')
  for (const tab of TABS) {
    await openTab(page, tab)
    await judge(tab, '.tabs')
  }
  await openTab(page, 'line')
  await page.click('[role=tabpanel] tbody button')
  await judge('with a question', 'dialog')
  for (const path of ['/console', '/console/new', `/console/events/${id}/edit`, `/console/events/${id}/check-in`]) {
    await page.goto(path)
    if (path.endsWith('check-in')) {
      await page.fill('input[name=code]', 'x')
      await page.keyboard.press('Enter')
      await page.waitForSelector('.scan')
    }
    if (path.endsWith('edit')) await page.click('summary')
    await judge(path)
  }
})

it('[W76] it fits on a telephone, and is operated by keyboard alone', async () => {
  const page = await bench.at(`/console/events/${id}`, { viewport: { width: 360, height: 740 } })
  await page.waitForSelector('.answer')
  for (const path of [
    `/console/events/${id}`,
    '/console',
    `/console/events/${id}/edit`,
    `/console/events/${id}/check-in`,
  ]) {
    await page.goto(path)
    await page.waitForSelector('.answer, table, .plan, input[name=code]')
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter(
          (element) =>
            element.getBoundingClientRect().right > innerWidth && !element.closest('.table-scroll, [role=tablist]'),
        )
        .map((element) => element.outerHTML.slice(0, 100)),
    )
    expect({ path, wide }).toEqual({ path, wide: [] })
  }
  await page.goto(`/console/events/${id}#line`)
  await page.press('#tab-line', 'ArrowRight')
  await page.waitForSelector('#tab-floor[aria-selected=true]')
  await page.keyboard.press('End')
  await page.waitForSelector('[role=tabpanel] >> text=Created the event')
  await page.keyboard.press('ArrowRight')
  await page.waitForSelector('#tab-line[aria-selected=true]')
  await page.waitForSelector('[role=tabpanel] button:has-text("Remove")')
  await page.press('[role=tabpanel] tbody button', 'Enter')
  await page.waitForSelector('dialog[open]')
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog', { state: 'detached' })
})

it('[W77] it speaks three languages, and charts have a text for those who do not see them', async () => {
  const page = await bench.at(`/console/events/${id}`)
  const seen = new Set<string>()
  for (const language of ['en', 'ko', 'vi'] as const) {
    await page.goto(`/console/events/${id}?lang=${language}`)
    await page.waitForSelector('.answer .says')
    expect(await page.getAttribute('html', 'lang')).toBe(language === 'en' ? 'en-GB' : language)
    const labels = await page
      .locator('.answer .label, .controls label, [role=tab], .chart [role=img]')
      .allTextContents()
    for (const label of labels.filter((text) => text !== '')) {
      expect(seen.has(label) ? label : '').toBe('')
      seen.add(label)
    }
    // Its figures come with the first reading of the log.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.chart [role=img]')].every((chart) =>
        /\d/.test(chart.getAttribute('aria-label') ?? ''),
      ),
    )
    // What the doctor finds, too; tests run without limits.
    await openTab(page, 'ready')
    const { parts, says } = WORDS[language].console.doctor
    await page.locator('.checks li', { hasText: parts['rate limits'] }).filter({ hasText: says.limitsOff }).waitFor()
  }
})

it('[W78] a room for another site is made and operated without an event', async () => {
  const page = await bench.at('/console')
  await page.fill('form[action="/console/rooms"] input[name=name]', 'My shop')
  await page.fill('input[name=target]', 'https://shop.example/')
  await page.click('form[action="/console/rooms"] button')
  await page.waitForURL(/\/console\/rooms\/[0-9a-f-]+\/site$/)
  await page.click('main nav a:has-text("My shop")')
  await page.waitForURL(/\/console\/rooms\/[0-9a-f-]+$/)
  await page.waitForSelector('.answer >> text=This room has no seats of its own.')
  await page.fill('#capacity', '7')
  await page.click('button:has-text("Apply")')
  await page.waitForSelector('.notice.good')
  await page.waitForSelector('.answer >> text=of 7 inside')
  expect(await page.locator('#tab-reservations, #tab-ready').count()).toBe(0)
  expect(await axeFindings(page)).toEqual([])
})
