import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openBrowser, removeFolder, type Server, startChild, temporaryFolder } from '@seatwise/testbench'
import { SECRET } from './box-office/sale.ts'
import { startStores } from './stores.ts'
import { atLeast, atMost, type Row, told } from './table.ts'

/** A sale to rehearse, and how long that may take. */
export interface Rehearsal {
  readonly visitors: number
  readonly seats: number
  /** The floor; twice as many may enter each second as leave it, as a rehearsal on its own has it. */
  readonly capacity: number
  readonly secondsMax: number
  /** Each visitor of a rush has a connection; the driver's default otherwise. */
  readonly connections?: number
  /** A spike unless told otherwise. */
  readonly arrivals?: 'spike' | 'ramp' | 'steady'
}

export interface Rehearsed {
  readonly sold: number
  readonly oversold: number
  readonly violations: number
  readonly isComplete: boolean
  readonly tookMs: number
  readonly joins: { readonly p99: number | null; readonly peakPerSecond: number }
  readonly rush: {
    readonly atOnce: { readonly p99: number | null }
    readonly askedAgainShare: number
    readonly inLineMaxMs: number | null
  }
  readonly eta: {
    readonly medianError: number | null
    readonly judged: number
    readonly knownShare: number | null
    readonly withinP90: number | null
    readonly plainErrors: { readonly service: number | null; readonly throughput: number | null }
  }
  readonly memory: { readonly serverBytesMax: number | null; readonly driverBytesMax: number | null }
  /** What a browser complained about when it opened the report. */
  readonly pageErrors: readonly string[]
}

const SEED = 7
const COMMAND = join(import.meta.dirname, '../../packages/cli/bin/seatwise.mjs')

/** On a server of the rehearsal's own, with everything in one process. */
export async function rehearseEmbedded(rehearsal: Rehearsal): Promise<Rehearsed> {
  const { seats, capacity } = rehearsal
  const sale = ['--seats', seats, '--capacity', capacity, '--rate', ratePerMinute(rehearsal)].map(String)
  return await rehearse(rehearsal, sale, {})
}

/** On a server with Redis and a durable PostgreSQL. */
export async function rehearseDistributed(rehearsal: Rehearsal): Promise<Rehearsed> {
  await using stack = new AsyncDisposableStack()
  const stores = await startStores(stack)
  const server = await stores.startServer()
  const settings = { DATABASE_URL: stores.postgres.url, REDIS_URL: stores.redis.url }
  const secret = { SEATWISE_SECRET: SECRET.toString('base64') }
  const sale = ['--url', server.url, '--event', await openSale(server, rehearsal)]
  return await rehearse(rehearsal, sale, { ...settings, ...secret })
}

/** How many of the answers must have an estimate, how far off it may be, and how many must wait no longer than P90. */
export const KNOWN_MIN = 0.95
export const errorMax = ({ visitors }: Pick<Rehearsal, 'visitors'>): number => (visitors > 10_000 ? 0.2 : 0.15)
export const WITHIN_P90 = { min: 0.8, max: 0.97 } as const

/** What was asked of it, and what it did. */
export function rowsOf(where: string, { seats, visitors }: Rehearsal, rehearsed: Rehearsed): Row[] {
  const { sold, oversold, violations, joins, rush, eta, pageErrors } = rehearsed
  return [
    atLeast(seats, { what: `${where}: seats sold, none of them twice`, figure: oversold === 0 ? sold : 0, digits: 0 }),
    atMost(0, { what: `${where}: times that an invariant was broken`, figure: violations, digits: 0 }),
    atMost(0, { what: `${where}: errors when Chromium opens the report`, figure: pageErrors.length, digits: 0 }),
    atMost(2_000, {
      what: `${where}: from arriving to being in line, of those accepted at once, p99 in ms`,
      measured: `at most ${joins.peakPerSecond.toLocaleString('en')} joins/s`,
      figure: rush.atOnce.p99 ?? Number.NaN,
      digits: 0,
    }),
    atMost(0.2, { what: `${where}: visitors asked to come again`, figure: rush.askedAgainShare }),
    atMost(20, {
      what: `${where}: the last visitor is in line after, s`,
      figure: (rush.inLineMaxMs ?? Number.NaN) / 1_000,
      digits: 1,
    }),
    atMost(errorMax({ visitors }), {
      what: `${where}: error of estimates, median`,
      measured: `${eta.judged.toLocaleString('en')} estimates`,
      figure: eta.medianError ?? Number.NaN,
    }),
    atLeast(KNOWN_MIN, {
      what: `${where}: answers with an estimate, of those to people who were let in later`,
      figure: eta.knownShare ?? Number.NaN,
    }),
    told({ what: `${where}: waited no longer than the P90 they were told`, figure: eta.withinP90 ?? Number.NaN }),
  ]
}

async function rehearse(
  { visitors, secondsMax, connections, arrivals = 'spike' }: Rehearsal,
  sale: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Rehearsed> {
  const folder = await temporaryFolder()
  try {
    const crowd = ['--visitors', visitors, '--seed', SEED, '--arrivals', arrivals]
    const common = [...crowd, '--timeout', secondsMax, '--report', folder].map(String)
    if (connections !== undefined) common.push('--connections', String(connections))
    const child = await startChild('rehearsal', process.execPath, [COMMAND, 'rehearse', ...common, ...sale], { env })
    const { code } = await child.exited
    if (code === null || code > 1) throw new Error(`The rehearsal broke off; it printed:\n${child.output()}`)
    console.log(child.output().split('\n').slice(-30).join('\n'))
    // The command wrote it, and its fields are documented.
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Omit<Rehearsed, 'pageErrors'>
    return { ...report, pageErrors: await errorsOf(join(folder, 'report.html')) }
  } finally {
    await removeFolder(folder)
  }
}

async function errorsOf(file: string): Promise<string[]> {
  const browser = await openBrowser()
  try {
    const errors: string[] = []
    const page = await browser.newPage()
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text())
    })
    await page.goto(pathToFileURL(file).href, { waitUntil: 'load' })
    if ((await page.locator('svg').count()) === 0) errors.push('The report shows no chart')
    for (const error of errors) console.log(`Chromium, of the report: ${error}`)
    return errors
  } finally {
    await browser.close()
  }
}

/** The same sale as the rehearsal opens for itself. */
async function openSale(server: Server, rehearsal: Rehearsal): Promise<string> {
  const { capacity, seats, visitors } = rehearsal
  const answer = await fetch(`${server.url}/api/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Opening night',
      totalSeats: seats,
      salesStartAt: '2020-01-01T00:00:00Z',
      salesEndAt: '2100-01-01T00:00:00Z',
      room: {
        ...{ capacity, ratePerMinute: ratePerMinute(rehearsal), burst: capacity / 4, maxWaiting: visitors * 2 },
        ...{ claimSeconds: 15, sessionSeconds: 60, reservationSeconds: 30 },
        ...{ heartbeatTimeoutSeconds: 60, graceSeconds: 30 },
      },
    }),
  })
  const { id } = (await answer.json()) as { id?: string }
  if (id === undefined) throw new Error(`No event was made: ${answer.status}`)
  return id
}

const ratePerMinute = ({ capacity }: Rehearsal): number => capacity * 30
