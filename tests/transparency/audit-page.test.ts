import { openBrowser, removeFolder, type Server, startServer, temporaryFolder, waitUntil } from '@seatwise/testbench'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFindings } from '../browser/axe-findings.ts'
import { drawnLog, drawSummary } from './drawn-log.ts'
import { answerTo, ForgedLog } from './forged-log.ts'

const isLong = process.env.SEATWISE_LONG === '1'
/** The page checks logs up to this size whole. */
const WHOLE_MAX = 100_000

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

  it('[J5] [N14] from the pre-queue by the draw to a place, which the audit page verifies', async () => {
    const admin = { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' }
    const send = async (method: string, path: string, body: object, headers: object = {}) => {
      const init = {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }
      const answer = await fetch(new URL(path, server.url), init)
      expect(answer.ok, `${method} ${path}`).toBe(true)
      return (await answer.json()) as { id: string }
    }
    const early = { preQueueAt: new Date(Date.now() - 1_000), draw: 'commit', challenge: 'off', guestsPerAddress: 0 }
    const sale = {
      ...{ name: 'Drawn', totalSeats: 20, salesEndAt: WINDOW.salesEndAt },
      ...{
        salesStartAt: new Date(Date.now() + 3_600_000),
        room: { ...early, ratePerMinute: 1, burst: 1, capacity: 1 },
      },
    }
    const { id } = await send('POST', '/api/events', sale, admin)
    const others = 6
    for (let count = 0; count < others; count += 1) await send('POST', `/api/events/${id}/queue/join`, {})
    const visitor = await browser.newContext({ locale: 'en' })
    const page = await visitor.newPage()
    await page.goto(new URL(`/events/${id}/wait`, server.url).href)
    await page.waitForSelector('.wait[data-state="pre"]')
    await send('PATCH', `/api/events/${id}`, { salesStartAt: new Date(Date.now() + 1_000) }, admin)
    const status = async () => {
      const answer = await visitor.request.get(new URL(`/api/events/${id}/queue/status`, server.url).href)
      return (await answer.json()) as { place: number | null; status: string; position: number | null }
    }
    const { place } = await waitUntil('the visitor is told a place', async () => {
      const told = await status()
      return told.place === null ? null : told
    })
    // Who drew the first place is let in; all others see where they stand.
    if (place === 1) await page.waitForSelector('.wait:not([data-state="pre"]):not([data-state="drawing"])')
    else
      await waitUntil('the page shows the place', async () => {
        const shown = await page.locator('.wait .position').allInnerTexts()
        return shown[0] === String((await status()).position) ? true : null
      })
    await waitUntil('the draw is in a head', async () => {
      const [head, log] = await Promise.all(
        ['head', 'audit?limit=1000'].map(async (path) => {
          const answer = await fetch(new URL(`/api/events/${id}/queue/${path}`, server.url))
          return (await answer.json()) as { size: number; items: unknown[] }
        }),
      )
      return head?.size === log?.items.length
    })
    await page.goto(new URL(`/events/${id}/audit?lang=en`, server.url).href)
    await page.click('#audit-start')
    await page.waitForSelector('#audit-result p')
    const said = await page.innerText('#audit-result')
    expect(said).toContain(GOOD.en)
    expect(said).toContain(`You drew place ${place} of ${others + 1}`)
    expect(said).toContain('Your own joining is entry')
    await visitor.close()
  })

  it('[N14] checks a long log whole and shows how far it is, and a longer one by samples', {
    timeout: 180_000,
  }, async () => {
    const answer = await fetch(new URL(`/api/events/${event}`, server.url))
    const shownEvent = (await answer.json()) as { id: string; roomId: string }
    const page = await (await browser.newContext({ locale: 'en' })).newPage()
    await page.goto(address('en'))
    const whole = isLong ? WHOLE_MAX : 10_000
    for (const entries of [whole, WHOLE_MAX + 4]) {
      // Four entries for each joiner, and eight more.
      const joiners = entries / 4 - 2
      const { texts } = drawnLog(shownEvent.roomId, { mode: 'commit', joiners })
      expect(texts).toHaveLength(entries)
      const log = new ForgedLog(texts, shownEvent.roomId)
      const shown = { ...log.shown(), draw: drawSummary(texts) }
      const own = log.receipt(joiners)
      await page.context().route(/\/api\/events\/|jwks\.json/, async (route) => {
        const url = new URL(route.request().url())
        const isReceipt = url.pathname.endsWith('/queue/receipt')
        await route.fulfill({ json: isReceipt ? own : answerTo(shown, shownEvent, url) })
      })
      const told = page.evaluate(() => {
        const progress = document.getElementById('audit-progress')
        const seen: string[] = []
        const watch = () => seen.push(progress?.textContent ?? '')
        if (progress !== null) new MutationObserver(watch).observe(progress, { childList: true })
        return new Promise<string[]>((resolve) => {
          const button = document.getElementById('audit-start')
          if (button === null) throw new Error('There is no button')
          new MutationObserver(() => !button.hasAttribute('disabled') && resolve(seen)).observe(button, {
            attributes: true,
          })
        })
      })
      const startedAt = performance.now()
      await page.click('#audit-start')
      const progress = await told
      console.info(`${entries} entries were checked in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
      const said = await page.innerText('#audit-result')
      const isSampled = entries > WHOLE_MAX
      expect(said).toContain(isSampled ? 'too many for a browser. A sample was checked' : GOOD.en)
      if (!isSampled) expect(said).toContain(`of ${joiners.toLocaleString('en')}`)
      expect(said).toContain('Your own joining is entry')
      expect(new Set(progress).size).toBeGreaterThan(10)
      await page.context().unrouteAll()
      // It remembers the head, and the next log is another one.
      await page.evaluate(() => localStorage.clear())
    }
    await page.context().close()
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
