import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { removeFolder, type Server, startServer, temporaryFolder } from '@seatwise/testbench'
import { SECRET } from './support/box-office/sale.ts'
import { type BotBill, countTicketsOfBot, measureBot } from './support/fans/measure-bot.ts'
import { type FansInLine, measureFans } from './support/fans/measure-fans.ts'
import { measurePhone, type SolvedOnPhone } from './support/fans/measure-phone.ts'
import { writeSection } from './support/results.ts'
import { median } from './support/statistics.ts'
import { startStores } from './support/stores.ts'
import { atMost, type Row, tableOf, told } from './support/table.ts'

/*
 * node bench/fans.ts [fans] [phone] [bot]
 *
 * How long it takes until 10,000 fans without an account are in line, how long a phone works for a place, and what 1,000 places
 * cost a script. Without arguments it measures all, about four minutes, and writes the table to RESULTS.md.
 */

const FANS = 10_000
const BOT_JOINS = 1_000
/** Rate limits and `challenge: "auto"` are on, as they are by default; the driver is the proxy that tells addresses. */
const DEFAULTS = {
  SEATWISE_RATE_LIMITS: 'on',
  SEATWISE_TRUST_PROXY: '127.0.0.1',
  SEATWISE_SECRET: SECRET.toString('base64'),
}
const PARTS = { fans: fanRows, phone: phoneRows, bot: botRows } as const
const NOTES = `One server process with the default settings, rate limits and \`challenge: "auto"\` included, and its stores share the cores with
the driver. The fans come at the same moment, each from an address of their own, over 1,000 connections as from a proxy in front. Each opens
the waiting page as a browser does, which joins, and where a proof is asked for joins with one by its script's calls; files that
browsers and proxies keep are not fetched. Their devices compute their proofs, not this machine: the driver is given solved ones. The
script solves its proofs with Node's own SHA-256, in a room without a limit of guests for an address, while visitors of other
addresses come. On the phone a proof is the usual one, of a crowd that is no rush; Chromium slows down the thread of a page, not
its workers, so the slowed page computes without a worker.`

const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name)
const asked = process.argv.slice(2)
const unknown = asked.find((name) => !isPart(name))
if (unknown !== undefined) throw new Error(`There is no part ${unknown}: choose from ${Object.keys(PARTS).join(', ')}`)

const rows: Row[] = []
for (const part of asked.length === 0 ? Object.keys(PARTS) : asked)
  if (isPart(part)) rows.push(...(await PARTS[part]()))
const table = tableOf(rows)
console.log(table.join('\n'))
if (asked.length === 0) writeSection('Fans', [...table, '', NOTES])

async function fanRows(): Promise<Row[]> {
  const embedded = await onEmbedded((server) => measureFans(server, FANS, { server: server.pid, driver: process.pid }))
  await using stack = new AsyncDisposableStack()
  const { postgres, redis, startServer: start } = await startStores(stack)
  const server = await start(DEFAULTS)
  const pids = { server: server.pid, PostgreSQL: postgres.pid, Redis: redis.pid, driver: process.pid }
  return [...rowsOfFans('embedded', embedded), ...rowsOfFans('distributed', await measureFans(server, FANS, pids))]
}

async function phoneRows(): Promise<Row[]> {
  const { asideMs, slowedMs, told: lines }: SolvedOnPhone = await onEmbedded(measurePhone)
  const [longest, usual] = [Math.max(...slowedMs), median(slowedMs)]
  return [
    atMost(2_000, {
      what: 'a phone four times slower solves the usual proof, longest of all visits, ms',
      ...{ measured: `${slowedMs.length} visits, median ${usual.toFixed(0)} ms`, figure: longest, digits: 0 },
    }),
    told({
      what: 'the same at full speed in a worker, longest, ms',
      ...{ measured: `median ${median(asideMs).toFixed(0)} ms`, figure: Math.max(...asideMs), digits: 0 },
    }),
    told({
      what: 'visits in which the page said how far it was',
      ...{ measured: `of ${asideMs.length + slowedMs.length}`, figure: lines, digits: 0 },
    }),
  ]
}

async function botRows(): Promise<Row[]> {
  const [bill, tickets] = await onEmbedded(async (server) => {
    const limited = await countTicketsOfBot(server, BOT_JOINS)
    return [await measureBot(server, BOT_JOINS), limited] as const
  })
  return rowsOfBot(bill, tickets)
}

async function onEmbedded<Result>(measure: (server: Server) => Promise<Result>): Promise<Result> {
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const server = await startServer({ mode: 'embedded', dataDir, env: DEFAULTS })
  try {
    return await measure(server)
  } finally {
    await server.discard()
    await removeFolder(folder)
  }
}

function rowsOfFans(
  where: string,
  { lastMs, medianMs, inLine, proofsShare, askedAgainShare, cores }: FansInLine,
): Row[] {
  const share = (part: number): string => `${(part * 100).toFixed(0)} %`
  const crowd = `${FANS.toLocaleString('en')} signed-out fans`
  return [
    atMost(15, {
      what: `${where}: ${crowd}, the last one is in line after, s`,
      ...{ measured: `half of them after ${(medianMs / 1_000).toFixed(1)} s`, figure: lastMs / 1_000, digits: 1 },
    }),
    told({
      what: `${where}: tickets that the server counts`,
      measured: `${share(proofsShare)} joined with a proof, ${share(askedAgainShare)} were asked to come again; ${cores}`,
      ...{ figure: inLine, digits: 0 },
    }),
  ]
}

function rowsOfBot(bill: BotBill, limited: number): Row[] {
  const { seconds, tickets, tookMs, hashesPerSecond, usualSeconds, visitors, proofsMax, visitorSeconds } = bill
  const joins = BOT_JOINS.toLocaleString('en')
  const rate = `${(hashesPerSecond / 1e6).toFixed(1)} million hashes a second`
  return [
    told({
      what: `a script that joins ${joins} times from one address: processor seconds for its proofs`,
      ...{ measured: `${tickets} tickets in ${(tookMs / 1_000).toFixed(0)} s, ${rate}`, figure: seconds, digits: 0 },
    }),
    told({
      what: 'the same, ÷ the proof of a visitor at the usual difficulty',
      ...{
        measured: `${((seconds / tickets) * 1_000).toFixed(0)} ms a ticket`,
        ceiling: `${(usualSeconds * 1_000).toFixed(0)} ms`,
      },
      ...{ figure: seconds / usualSeconds, digits: 0 },
    }),
    atMost(1, {
      what: 'most proofs that a visitor of another address was asked for meanwhile',
      measured: `${visitors} visitors, ${(visitorSeconds * 1_000).toFixed(1)} ms each on average`,
      ...{ figure: proofsMax, digits: 0 },
    }),
    told({
      what: `tickets that the script gets in a room with the default settings, of ${joins} joins`,
      ...{ figure: limited, digits: 0 },
    }),
  ]
}
