/*
 * What the pages weigh and how fast they are: bytes, requests, first paint on a slow processor, and a map of 20,000
 * seats that is zoomed and moved without a slow frame.
 *
 *   node bench/pages.ts          all of it
 *   node bench/pages.ts map      the map alone
 */
import type { CDPSession, Page } from 'playwright-core'
import { type Frames, measureMap } from './support/measure-map.ts'
import { openPageStage, type PageStage } from './support/page-stage.ts'
import { printTable } from './support/page-table.ts'

const SLOWER = 4
const DEMO = 'de300000-5ea7-4000-8000-000000000001'

const stage = await openPageStage()
try {
  if (process.argv[2] !== 'map') await weighPages(stage)
  await showFrames(await measureMap(stage))
} finally {
  await stage.close()
}

async function weighPages(at: PageStage): Promise<void> {
  const rows: string[][] = []
  const visits = [
    ['list of events', '/'],
    ['event', `/events/${DEMO}`],
    ['waiting page', `/events/${DEMO}/wait`],
    ['sign in', '/sign-in'],
  ] as const
  for (const [name, path] of visits) rows.push([name, ...(await weigh(at, path))])
  printTable(['page', 'requests', 'HTML KB', 'all KB', `first paint ms (processor ${SLOWER}× slower)`], rows)
}

/** Everything that the page itself loads, as it goes over the wire; its later calls of the API are not the page. */
async function weigh(at: PageStage, path: string): Promise<string[]> {
  const page = await (await at.browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const received = await receivedBy(session)
  await page.goto(`${at.url}${path}`, { waitUntil: 'load' })
  const paint = await firstPaint(page)
  await page.context().close()
  const own = [...received.values()].filter(({ url }) => !url.includes('/api/') && !url.startsWith('data:'))
  const html = own.filter(({ url }) => url.endsWith(path))
  const sum = (list: typeof own) => list.reduce((bytes, one) => bytes + one.bytes, 0)
  return [String(own.length), (sum(html) / 1024).toFixed(1), (sum(own) / 1024).toFixed(1), paint.toFixed(0)]
}

async function receivedBy(session: CDPSession): Promise<Map<string, { url: string; bytes: number }>> {
  const received = new Map<string, { url: string; bytes: number }>()
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    received.set(requestId, { url: request.url, bytes: 0 }),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = received.get(requestId)
    if (one !== undefined) one.bytes = encodedDataLength
  })
  return received
}

async function firstPaint(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const known = performance.getEntriesByName('first-contentful-paint')[0]
        if (known !== undefined) return resolve(known.startTime)
        new PerformanceObserver((list) => {
          const [entry] = list.getEntriesByName('first-contentful-paint')
          if (entry !== undefined) resolve(entry.startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
  )
}

function showFrames({ seats, loadMs, frames, script }: Frames): void {
  const sorted = frames.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)
  const slow = frames.filter((ms) => ms > 50).length
  printTable(
    ['seats', 'shown after ms', 'frames', 'p50 ms', 'p95 ms', 'p99 ms', 'longest ms', 'over 50 ms', 'drawing p99 ms'],
    [
      [
        String(seats),
        loadMs.toFixed(0),
        String(frames.length),
        at(0.5),
        at(0.95),
        at(0.99),
        at(1),
        String(slow),
        script.toFixed(1),
      ],
    ],
  )
}
