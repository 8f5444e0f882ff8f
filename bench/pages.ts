/*
 * What the pages weigh and how fast they are: bytes, requests, first paint on a slow processor, and a map of 20,000
 * seats that is zoomed and moved without a slow frame.
 *
 *   node bench/pages.ts          all of it
 *   node bench/pages.ts map      the map alone
 *   node bench/pages.ts slow     the seats on slow 3G alone, step by step
 */
import type { CDPSession, Page } from 'playwright-core'
import { type Frames, measureMap } from './support/measure-map.ts'
import { measureSlowSeats, type SlowSeats } from './support/measure-seats.ts'
import { openPageStage, type PageStage } from './support/page-stage.ts'
import { writeSection } from './support/results.ts'
import { atMost, type Row, tableOf } from './support/table.ts'

const SLOWER = 4
const NOTES = `Chromium on a phone-sized screen; first paint on a processor ${SLOWER} times slower. Bodies are what the page loads before anybody does
anything, without its calls of the API; headers come on top, and shrink to almost nothing behind a proxy with HTTP/2.`
const DEMO = 'de300000-5ea7-4000-8000-000000000001'

/** What a page takes over the wire, in KB. */
interface Weight {
  readonly name: string
  readonly requests: number
  readonly html: number
  readonly bodies: number
  readonly all: number
  readonly paintMs: number
}

const lines: string[] = []
const rows: Row[] = []
const only = process.argv[2]
const stage = await openPageStage()
try {
  if (only === undefined) await weighPages(stage)
  if (only !== 'map') showSlowSeats(await measureSlowSeats(stage))
  if (only !== 'slow') showFrames(await measureMap(stage))
} finally {
  await stage.close()
}
const text = [...tableOf(rows), '', ...lines]
console.log(text.join('\n'))
if (only === undefined) writeSection('Pages', [...text, '', NOTES])

async function weighPages(at: PageStage): Promise<void> {
  const visits = [
    ['list of events', '/'],
    ['event', `/events/${DEMO}`],
    ['organization', '/o/the-house'],
    ['waiting page', `/events/${DEMO}/wait`],
    ['sign in', '/sign-in'],
  ] as const
  const weights: Weight[] = []
  for (const [name, path] of visits) weights.push(await weigh(at, name, path))
  weights.push(await weigh(at, 'seats', `/events/${DEMO}/seats`, waitForTurn))
  lines.push(
    ...table(
      ['page', 'requests', 'HTML KB', 'bodies KB', 'with headers KB', 'first paint ms'],
      weights.map(({ name, requests, html, bodies, all, paintMs }) => [
        ...[name, String(requests), html.toFixed(1), bodies.toFixed(1), all.toFixed(1), paintMs.toFixed(0)],
      ]),
    ),
    '',
  )
  const waiting = weights.find(({ name }) => name === 'waiting page')
  if (waiting === undefined) throw new Error('The waiting page was not weighed')
  const heaviest = weights.filter((one) => one !== waiting).toSorted((one, other) => other.bodies - one.bodies)[0]
  if (heaviest === undefined) throw new Error('No other page was weighed')
  const measured = `${waiting.requests} requests`
  rows.push(
    atMost(60, {
      what: `heaviest other page (${heaviest.name}), without pictures, compressed, KB`,
      measured: `${heaviest.requests} requests`,
      figure: heaviest.bodies,
      digits: 1,
    }),
  )
  rows.push(
    atMost(30, {
      what: 'waiting page, everything it loads, compressed, KB',
      measured,
      figure: waiting.bodies,
      digits: 1,
    }),
  )
}

/** Everything that the page itself loads, as it goes over the wire; its later calls of the API are not the page. */
async function weigh(
  at: PageStage,
  name: string,
  path: string,
  before: (page: Page) => Promise<void> = async () => {},
): Promise<Weight> {
  const page = await (await at.browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await before(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const received = await receivedBy(session)
  await page.goto(`${at.url}${path}`, { waitUntil: 'load' })
  const paintMs = await firstPaint(page)
  await page.context().close()
  const isOwn = ({ url }: Received) => !/\/api\/|\/images\//.test(url) && !url.startsWith('data:')
  const own = [...received.values()].filter(isOwn)
  const kilobytes = (list: typeof own, of: 'all' | 'head') => list.reduce((sum, one) => sum + one[of], 0) / 1_024
  const html = own.filter(({ url }) => url.endsWith(path))
  const all = kilobytes(own, 'all')
  const bodies = all - kilobytes(own, 'head')
  return { name, requests: own.length, html: kilobytes(html, 'all') - kilobytes(html, 'head'), bodies, all, paintMs }
}

/** The seats are for visitors inside. */
async function waitForTurn(page: Page): Promise<void> {
  await page.goto(`${stage.url}/events/${DEMO}/wait`)
  await page.getByRole('button', { name: 'Go in' }).click()
  await page.getByRole('application').waitFor()
}

interface Received {
  readonly url: string
  head: number
  all: number
}

async function receivedBy(session: CDPSession): Promise<Map<string, Received>> {
  const received = new Map<string, Received>()
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    received.set(requestId, { url: request.url, head: 0, all: 0 }),
  )
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const one = received.get(requestId)
    if (one !== undefined) one.head = response.encodedDataLength
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = received.get(requestId)
    if (one !== undefined) one.all = encodedDataLength
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

function showSlowSeats({ seats, usableMs, steps }: SlowSeats): void {
  const what = `seats can be chosen on slow 3G, processor 6 times slower, ${seats} seats: ms`
  rows.push(atMost(4_000, { what, measured: `${steps.length} requests`, figure: usableMs, digits: 0 }))
  if (only !== 'slow') return
  const told = steps.map(({ name, from, to, bytes }) => [name, from.toFixed(0), to.toFixed(0), String(bytes)])
  lines.push(...table(['request', 'from ms', 'to ms', 'bytes'], told), '')
}

function showFrames({ seats, loadMs, frames, script }: Frames): void {
  const sorted = frames.toSorted((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  const slow = frames.filter((ms) => ms > 50).length
  lines.push(
    ...table(
      ['seats', 'shown after ms', 'frames', 'p50 ms', 'p95 ms', 'p99 ms', 'longest ms', 'over 50 ms', 'drawing p99 ms'],
      [
        [
          ...[String(seats), loadMs.toFixed(0), String(frames.length)],
          ...[0.5, 0.95, 0.99, 1].map((share) => at(share).toFixed(1)),
          ...[String(slow), script.toFixed(1)],
        ],
      ],
    ),
  )
  const what = `map of ${seats.toLocaleString('en')} seats, zoomed and moved: longest frame in ms`
  rows.push(atMost(50, { what, measured: `${frames.length} frames`, figure: at(1), digits: 1 }))
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...body.map(line)]
}
