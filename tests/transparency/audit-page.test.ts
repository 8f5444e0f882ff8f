import { openBrowser, removeFolder, type Server, startServer, temporaryFolder, waitUntil } from '@seatwise/testbench'
import type { Browser, BrowserContext, Page } from 'playwright-core'
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

  it('[N66] the waiting page keeps the receipt, and catches a server that shows another log, in three languages', async () => {
    const told = { en: 'was changed after the fact', ko: '나중에 변경되었습니다', vi: 'đã bị thay đổi về sau' }
    const waitPage = async (language: keyof typeof told) => {
      const page = await device.newPage()
      await page.clock.install()
      await page.goto(new URL(`/events/${event}/wait?lang=${language}`, server.url).href)
      return page
    }
    const kept = (page: Page) => page.evaluate(() => Object.values(localStorage).join().includes('"receipt"'))
    const honest = await waitPage('en')
    await waitUntil('the receipt is kept', async () => {
      await honest.clock.fastForward(60_000)
      return await kept(honest)
    })
    expect(await honest.locator('[data-log-conflict]').count()).toBe(0)
    await honest.close()
    await device.route('**/queue/now', async (route) => {
      const answer = await route.fetch()
      const now = (await answer.json()) as { head: object }
      await route.fulfill({ response: answer, json: { ...now, head: { ...now.head, root: '0'.repeat(64) } } })
    })
    for (const language of ['en', 'ko', 'vi'] as const) {
      const page = await waitPage(language)
      const notice = page.locator('[data-log-conflict]')
      await waitUntil('the visitor is told', async () => {
        await page.clock.fastForward(60_000)
        return (await notice.count()) > 0
      })
      expect(await notice.innerText()).toContain(told[language])
      expect(await notice.locator('a').getAttribute('href')).toBe(`/events/${event}/audit`)
      if (language === 'en') expect(await axeFindings(page)).toEqual([])
      await page.close()
    }
    await device.unroute('**/queue/now')
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

  const sizes = { width: 320, height: 640 }

  it('[J78] the fairness report is a public page: three languages, small screens, no script, nothing that axe finds', async () => {
    const admin = { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' }
    const send = async (method: string, path: string, body: object, headers: Record<string, string>) => {
      const answer = await fetch(new URL(path, server.url), { method, headers, body: JSON.stringify(body) })
      return { status: answer.status, body: (await answer.json()) as Record<string, string> }
    }
    const sale = { name: 'Fair sale', totalSeats: 20, ...WINDOW, room: { claimSeconds: 0 } }
    const { id, organizationId } = (await send('POST', '/api/events', sale, admin)).body
    const api = `/api/events/${id}`
    const joined = await send('POST', `${api}/queue/join`, {}, { 'content-type': 'application/json' })
    const page = await (await browser.newContext({ locale: 'en', viewport: sizes })).newPage()
    const path = `/events/${id}/fairness`
    const early = await page.goto(new URL(path, server.url).href)
    expect(early?.status()).toBe(403)
    expect(await page.innerText('main')).toContain('published when the sale is over')
    const headers = { 'seatwise-ticket': joined.body.ticketToken ?? '' }
    await fetch(new URL(`${api}/queue`, server.url), { method: 'DELETE', headers })
    const closed = await send('PATCH', api, { salesEndAt: new Date(Date.now() + 2_000).toISOString() }, admin)
    expect(closed).toMatchObject({ status: 200 })
    await waitUntil('the report is final', async () => {
      const answer = await fetch(new URL(`${api}/fairness`, server.url))
      return answer.status === 200 && ((await answer.json()) as { final: boolean }).final
    })
    const said = { en: 'is signed', ko: '서명되었으며', vi: 'đã được ký' }
    for (const [language, text] of Object.entries(said)) {
      for (const shown of [path, `/organizations/${organizationId}/fairness`]) {
        await page.goto(new URL(`${shown}?lang=${language}`, server.url).href)
        expect(await axeFindings(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(sizes.width)
        expect(await page.innerText('main')).toContain(shown === path ? text : 'Fair sale')
      }
    }
    const plain = await (await browser.newContext({ javaScriptEnabled: false, locale: 'en' })).newPage()
    await plain.goto(new URL(path, server.url).href)
    expect(await plain.innerText('main')).toContain('All visitors were let in exactly by place')
    await plain.click('text=Past sales of this organiser')
    await plain.click('text=Fair sale')
    expect(plain.url()).toContain(path)
    await page.context().close()
    await plain.context().close()
  })
})
