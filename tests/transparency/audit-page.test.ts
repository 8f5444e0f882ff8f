import { openBrowser, removeFolder, type Server, startServer, temporaryFolder, waitUntil } from '@seatwise/testbench'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFindings } from '../browser/axe-findings.ts'

const WINDOW = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
const GOOD = { en: 'The log is sound', ko: '기록에 이상이 없습니다', vi: 'Nhật ký đúng' } as const

describe('the audit page', { timeout: 120_000 }, () => {
  let server: Server
  let folder: string
  let browser: Browser
  let device: BrowserContext
  let event: string
  beforeAll(async () => {
    folder = await temporaryFolder()
    server = await startServer({ mode: 'embedded', dataDir: folder })
    browser = await openBrowser()
    const answer = await fetch(new URL('/api/events', server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Open log', totalSeats: 20, ...WINDOW, room: { ratePerMinute: 1, burst: 1 } }),
    })
    event = ((await answer.json()) as { id: string }).id
    device = await browser.newContext({ locale: 'en' })
    const page = await device.newPage()
    await page.goto(new URL(`/events/${event}/wait`, server.url).href)
    await waitUntil('the joining is in a head', async () => {
      const receipt = await device.request.get(new URL(`/api/events/${event}/queue/receipt`, server.url).href)
      return receipt.status() === 200
    })
    await page.close()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await server?.discard()
    await removeFolder(folder)
  })

  const address = (language: string) => new URL(`/events/${event}/audit?lang=${language}`, server.url).href

  it('[N14] checks the whole log and one’s own joining in the browser, in three languages, without findings of axe', async () => {
    for (const language of ['en', 'ko', 'vi'] as const) {
      const page = await device.newPage()
      await page.goto(address(language))
      expect(await axeFindings(page)).toEqual([])
      await page.click('#audit-start')
      await page.waitForSelector('#audit-result p')
      expect(await page.innerText('#audit-result')).toContain(GOOD[language])
      expect(await page.locator('#audit-result p').count()).toBeGreaterThan(1)
      await page.close()
    }
  })

  it('[N14] says so when the server shows another log than it signed', async () => {
    const page = await device.newPage()
    await page.goto(address('en'))
    await device.route('**/queue/audit?**', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replaceAll('\\"place\\":1', '\\"place\\":2'),
      })
    })
    await page.click('#audit-start')
    await page.waitForSelector('#audit-result p')
    expect(await page.innerText('#audit-result')).toContain('Something is wrong with this log')
    await device.unroute('**/queue/audit?**')
    await page.close()
  })

  it('[N14] explains and links the raw log without scripts', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false, locale: 'en' })
    const page = await plain.newPage()
    await page.goto(address('en'))
    expect(await page.innerText('main')).toContain('Without scripts')
    const href = await page.getAttribute('text=Raw log', 'href')
    expect((await fetch(new URL(href ?? '', server.url))).status).toBe(200)
    await plain.close()
  })
})
