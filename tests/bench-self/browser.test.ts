import { openBrowser } from '@seatwise/testbench'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

it('[T22] a test can open a real browser with devices that share nothing and tabs that share storage', async () => {
  const site = 'http://site.test/'
  const contexts = await Promise.all([browser.newContext(), browser.newContext()])
  for (const context of contexts) {
    await context.route(site, (route) => route.fulfill({ contentType: 'text/html', body: '<title>here</title>' }))
  }
  const [first, second] = contexts
  const tabs = await Promise.all([first.newPage(), first.newPage(), second.newPage()])
  for (const tab of tabs) await tab.goto(site)
  await tabs[0].evaluate("localStorage.setItem('seen', 'yes')")
  const seen = await Promise.all(tabs.map((tab) => tab.evaluate("localStorage.getItem('seen')")))
  expect(seen).toEqual(['yes', 'yes', null])
})
