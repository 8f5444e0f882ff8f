import { openBrowser, type Server } from '@seatwise/testbench'
import type { Browser, Page } from 'playwright-core'
import { openSale } from '../box-office/sale.ts'

export interface SolvedOnPhone {
  /** From the answer with the challenge to the join with its proof, in ms, of every visit. */
  readonly asideMs: readonly number[]
  /** The same in the page itself, whose thread Chromium slows down; workers it does not. */
  readonly slowedMs: readonly number[]
  /** Visits in which the page said how far it was. */
  readonly told: number
}

const VISITS = 8
const SLOWER = 4
const JOIN = '**/queue/join'

/** A phone-sized page waits for its place where joining costs the usual proof. */
export async function measurePhone(server: Server): Promise<SolvedOnPhone> {
  const { eventId } = await openSale(server, { challenge: 'always', guestsPerAddress: 0 })
  const browser = await openBrowser()
  try {
    const url = `${server.url}/events/${eventId}/wait`
    const [aside, slowed] = [[], []] as { ms: number; isTold: boolean }[][]
    for (let visit = 0; visit < VISITS; visit += 1) {
      aside?.push(await visitOnce(browser, url, false))
      slowed?.push(await visitOnce(browser, url, true))
    }
    const times = (visits: typeof aside = []): number[] => visits.map(({ ms }) => ms)
    return {
      ...{ asideMs: times(aside), slowedMs: times(slowed) },
      told: [aside, slowed].flat().filter((visit) => visit?.isTold).length,
    }
  } finally {
    await browser.close()
  }
}

async function visitOnce(browser: Browser, url: string, isSlowed: boolean): Promise<{ ms: number; isTold: boolean }> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en' })
  try {
    const page = await context.newPage()
    if (isSlowed) await slowDown(page)
    const joins: number[] = []
    const joined = Promise.withResolvers<void>()
    let askedAt = 0
    page.on('response', (response) => {
      if (response.url().endsWith(JOIN.slice(2)) && response.status() === 403) askedAt = performance.now()
    })
    page.on('request', (request) => {
      if (!request.url().endsWith(JOIN.slice(2))) return
      joins.push(performance.now())
      if (request.postData()?.includes('proof') === true) joined.resolve()
    })
    const told = page.getByText('% calculated').waitFor({ timeout: 10_000 })
    await page.goto(url)
    await joined.promise
    const ms = (joins.at(-1) ?? Number.NaN) - askedAt
    return {
      ms,
      isTold: await told.then(
        () => true,
        () => false,
      ),
    }
  } finally {
    await context.close()
  }
}

/** Without workers the page computes itself, in the thread that is slowed down. */
async function slowDown(page: Page): Promise<void> {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Worker'))
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
}
