import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type HeadJson,
  openBrowser,
  removeFolder,
  type Server,
  startServer,
  temporaryFolder,
  verifyLog,
} from '@seatwise/testbench'
import type { Browser, Page } from 'playwright-core'
import { main } from 'seatwise'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type DrawnRun, drawFrauds, honestDraws } from './draw-frauds.ts'
import { answerTo, openForgedServer } from './forged-log.ts'

const WINDOW = { salesStartAt: '2026-01-01T00:00:00Z', salesEndAt: '2099-01-01T00:00:00Z' }
const ALL = { independent: true, verify: true, page: true }
const UNNOTICED = { independent: false, verify: false, page: false }

describe('a draw is checked from outside', { timeout: 180_000 }, () => {
  let folder: string
  let server: Server
  let browser: Browser
  let event: { id: string; roomId: string }
  beforeAll(async () => {
    folder = await temporaryFolder()
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    // It only serves the page: what the page reads is forged.
    server = await startServer({ mode: 'embedded', dataDir: join(folder, 'data') })
    browser = await openBrowser()
    const answer = await fetch(new URL('/api/events', server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Drawn', totalSeats: 50, ...WINDOW }),
    })
    event = (await answer.json()) as typeof event
  }, 120_000)
  afterAll(async () => {
    vi.restoreAllMocks()
    await browser?.close()
    await server?.discard()
    await removeFolder(folder)
  })

  it('[N10] [N15] every honest draw is accepted, and every fraud rejected, by an independent verifier, the command and the page', async () => {
    const forged = await openForgedServer(event)
    const page = await browser.newPage({ locale: 'en' })
    try {
      const wrong: object[] = []
      const expectOf = async (run: DrawnRun, expected: typeof ALL) => {
        const said = await judge(forged, page, run)
        if (JSON.stringify(said) !== JSON.stringify(expected)) wrong.push({ name: run.name, ...said })
      }
      for (const run of honestDraws(event.roomId)) await expectOf(run, ALL)
      const frauds = drawFrauds(event.roomId)
      expect(frauds.length).toBeGreaterThanOrEqual(14)
      for (const run of frauds) await expectOf(run, UNNOTICED)
      expect(wrong).toEqual([])
    } finally {
      await page.close()
      await forged.close()
    }
  })

  /** The verdicts of all who check: true accepts. What throws has not accepted. */
  async function judge(forged: Awaited<ReturnType<typeof openForgedServer>>, page: Page, run: DrawnRun) {
    const { shown, heads = [] } = run
    forged.show(shown)
    const ask = async (path: string) => (await (await fetch(new URL(path, forged.url))).json()) as unknown
    const room = `/api/events/${event.id}`
    const accepts = (judged: Promise<boolean>) => judged.catch(() => false)
    const independent = verifyLog(ask, room, { heads })
    return {
      independent: await accepts(independent.then((problems) => problems.length === 0)),
      verify: await accepts(verify(['--url', forged.url.href, '--event', event.id, '--heads', keep(heads)])),
      page: await accepts(auditIn(page, run)),
    }
  }

  async function verify(args: readonly string[]): Promise<boolean> {
    await main(['verify', ...args])
    const { exitCode } = process
    process.exitCode = undefined
    return exitCode === 0
  }

  let kept = 0
  function keep(heads: readonly HeadJson[]): string {
    kept += 1
    const headFolder = join(folder, `heads-${kept}`)
    mkdirSync(headFolder)
    for (const head of heads) {
      const name = `head-${String(head.size).padStart(16, '0')}-${head.root.slice(0, 16)}.json`
      writeFileSync(join(headFolder, name), JSON.stringify(head))
    }
    return headFolder
  }

  /** The page of the real server; what its worker reads is forged. */
  async function auditIn(page: Page, { shown, heads = [] }: DrawnRun): Promise<boolean> {
    await page.context().route(/\/api\/events\/|jwks\.json/, async (route) => {
      const answer = answerTo(shown, event, new URL(route.request().url()))
      await route.fulfill({ status: answer === null ? 404 : 200, json: answer })
    })
    await page.goto(new URL(`/events/${event.id}/audit?lang=en`, server.url).href)
    await page.evaluate(
      ([key, head]) => (head === null ? localStorage.clear() : localStorage.setItem(key, JSON.stringify(head))),
      [`seatwise-head-${event.roomId}`, heads[0] ?? null] as const,
    )
    await page.click('#audit-start')
    await page.waitForSelector('#audit-result p', { timeout: 20_000 })
    const said = await page.innerText('#audit-result')
    await page.context().unrouteAll()
    expect(said).toMatch(/The log is sound|Something is wrong with this log/)
    return said.includes('The log is sound')
  }
})
