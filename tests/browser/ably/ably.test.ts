import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AblyStandIn, type House, type HouseSale, openBrowser, openHouse, waitUntil } from '@seatwise/testbench'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

const BUILD = join(import.meta.dirname, '../../../packages/web/src/build/build-pages.ts')

let ably: AblyStandIn
let house: House
let browser: Browser
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [BUILD])
  ably = await AblyStandIn.start()
  ;[house, browser] = await Promise.all([openHouse(ably.env), openBrowser()])
}, 120_000)
afterEach(async () => void (await Promise.all(browser.contexts().map((context) => context.close()))))
afterAll(async () => {
  await browser.close()
  await house.close()
  await ably.stop()
})

interface Visit {
  readonly page: Page
  /** Everything that the page asked for, sockets too. */
  readonly asked: string[]
  readonly complaints: string[]
}

async function open(path: string, url = house.url): Promise<Visit> {
  const context = await browser.newContext({ baseURL: url, locale: 'en' })
  context.setDefaultTimeout(40_000)
  const page = await context.newPage()
  const visit: Visit = { page, asked: [], complaints: [] }
  page.on('pageerror', (error) => visit.complaints.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && visit.complaints.push(message.text()))
  page.on('request', (request) => visit.asked.push(request.url()))
  page.on('websocket', (socket) => visit.asked.push(socket.url()))
  await page.goto(path)
  return visit
}

const listeners = ({ eventId }: HouseSale) => ably.realtime.attached(`event:${eventId}:public`)
const polls = ({ asked }: Visit) => asked.filter((url) => url.endsWith('/queue/status')).length

it('[U33] the waiting page listens through Ably: it shows what is said and calls the visitor, up to the seats', async () => {
  const sale = await house.openSale({ capacity: 1, claimSeconds: 600, paused: true })
  const visit = await open(`/events/${sale.eventId}/wait`)
  const { page, asked, complaints } = visit
  await waitUntil('it listens', () => listeners(sale) === 1)
  const before = polls(visit)
  await sale.change({ message: 'Doors are open' })
  await page.getByText('Doors are open').waitFor()
  await sale.change({ paused: false })
  await page
    .getByRole('button', { name: /go in|enter|choose/i })
    .first()
    .click()
  await page.waitForURL(/\/seats$/)
  await waitUntil('the seat map listens', () => listeners(sale) === 1 && polls(visit) > before)
  const origins = new Set(asked.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).host))
  expect([...origins].sort()).toEqual([new URL(house.url).host, new URL(ably.url).host].sort())
  expect(asked.filter((url) => url.includes('/assets/through-ably')).length).toBeGreaterThan(0)
  expect(asked.filter((url) => /^ws:/.test(url)).every((url) => url.startsWith(ably.url.replace('http', 'ws')))).toBe(
    true,
  )
  expect(complaints).toEqual([])
}, 120_000)

it('[K26][K27] in a browser, a broken connection resumes and an expired token is replaced', async () => {
  const sale = await house.openSale({ paused: true })
  const { page, asked, complaints } = await open(`/events/${sale.eventId}/wait`)
  const tokens = () => asked.filter((url) => url.endsWith('/queue/realtime-token')).length
  await waitUntil('it listens', () => listeners(sale) === 1)
  const { resumes } = ably.realtime
  ably.realtime.drop()
  await waitUntil('both channels resume', () => ably.realtime.resumes === resumes + 2)
  ably.realtime.expire()
  await waitUntil('it has another token and listens', () => tokens() === 2 && ably.realtime.resumes === resumes + 4)
  await sale.change({ message: 'Still with us' })
  await page.getByText('Still with us').waitFor()
  expect(complaints).toEqual([])
}, 120_000)

it('[U33] while Ably is away the waiting page goes on by polling', async () => {
  ably.isDown = true
  const sale = await house.openSale({ capacity: 1, claimSeconds: 600, heartbeatTimeoutSeconds: 6, paused: true })
  const { page } = await open(`/events/${sale.eventId}/wait`)
  await waitUntil('it tried', () => ably.asked.includes('socket'))
  await sale.change({ paused: false })
  await page
    .getByRole('button', { name: /go in|enter|choose/i })
    .first()
    .waitFor()
  ably.isDown = false
}, 120_000)

it('[U34] pages that listen may connect to Ably and to this site, all others to this site alone', async () => {
  const sale = await house.openSale({ paused: true })
  const policyOf = async (path: string) => {
    const answer = await fetch(house.url + path, { headers: { connection: 'close' } })
    return String(answer.headers.get('content-security-policy'))
  }
  const socket = ably.url.replace('http', 'ws')
  expect(await policyOf(`/events/${sale.eventId}/wait`)).toContain(`; connect-src 'self' ${ably.url} ${socket}`)
  expect(await policyOf('/')).not.toContain('connect-src')
})

it('[U33 control] without Ably the waiting page loads nothing of it, names no host of it, and listens to the server', async () => {
  const plain = await openHouse()
  try {
    const sale = await plain.openSale({ paused: true })
    const { page, asked, complaints } = await open(`/events/${sale.eventId}/wait`, plain.url)
    await waitUntil('it listens', () => asked.includes(`${plain.url.replace('http', 'ws')}/realtime`))
    expect(asked.filter((url) => /ably/.test(url))).toEqual([])
    expect(await page.content()).not.toMatch(/ably/i)
    expect(complaints).toEqual([])
    await page.close()
  } finally {
    await plain.close()
  }
}, 120_000)
