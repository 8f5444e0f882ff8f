import { startChild, waitUntil } from '@seatwise/testbench'
import { runWrk } from './core/wrk.ts'
import { enterRequest, openGuard, pageRequest } from './support/guard/room-of-bench.ts'
import { writeSection } from './support/results.ts'
import { median } from './support/statistics.ts'
import { perSecond, type Row, tableOf, told } from './support/table.ts'

/*
 * node bench/guard.ts
 *
 * What a guard costs a site: requests of visitors who are in, beside the same handler without a guard; and how many checks
 * of each kind one core does.
 */

const SECONDS = 3
const CONNECTIONS = 64
const VISITORS = 2_000
const NOTES = `Medians of three. A bare server of Node with a handler that answers eight bytes, and the same behind a guard, in one process;
wrk is the driver, over 64 connections. Two hundred visitors take turns, each with a session cookie; the bare handler is sent the same bytes.`

const rows = [...(await requestRows()), ...(await checkRows())]
const table = tableOf(rows)
console.log(table.join('\n'))
writeSection('Guard', [...table, '', NOTES])

async function requestRows(): Promise<Row[]> {
  const child = await startChild('guarded server', process.execPath, [
    `${import.meta.dirname}/support/guard/guarded-server.ts`,
  ])
  try {
    const line = await waitUntil('the server has started', () => /^\{.*\}$/m.exec(child.output())?.[0])
    const { bareUrl, guardedUrl, cookies } = JSON.parse(line) as Started
    const rounds = []
    for (let round = 0; round < 3; round += 1) {
      const bare = await visits(bareUrl, cookies)
      rounds.push({ bare, guarded: await visits(guardedUrl, cookies) })
    }
    return [
      told({
        what: 'requests of visitors who are in ÷ the bare handler',
        measured: perSecond(median(rounds.map(({ guarded }) => guarded))),
        ceiling: perSecond(median(rounds.map(({ bare }) => bare))),
        figure: median(rounds.map(({ guarded, bare }) => guarded / bare)),
      }),
    ]
  } finally {
    await child.kill()
  }
}

interface Started {
  readonly bareUrl: string
  readonly guardedUrl: string
  readonly cookies: readonly string[]
}

async function visits(address: string, cookies: readonly string[]): Promise<number> {
  const url = new URL(address)
  const requests = cookies.map(
    (cookie) => `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: text/html\r\nCookie: ${cookie}\r\n\r\n`,
  )
  const load = { url, connections: CONNECTIONS, seconds: SECONDS, requests } as const
  return (await runWrk({ ...load, order: 'turns', expect: 'accepted' })).perSecond
}

/** Checks alone, without HTTP. */
async function checkRows(): Promise<Row[]> {
  const { guard, stranger, pass, enter } = await openGuard()
  const passes = await Promise.all(Array.from({ length: VISITORS }, (_, index) => pass(`tkt_${index}`)))
  const cookies: string[] = []
  for (const text of passes) cookies.push(await enter(text))
  return [
    await rateOf('checks of a session that was seen before', 200, async () => {
      for (const cookie of cookies) {
        const verdict = guard.check(pageRequest(cookie))
        if (verdict instanceof Promise) await verdict
      }
    }),
    await rateOf('redirects of people without a session', 200, async () => {
      for (let visitor = 0; visitor < VISITORS; visitor += 1) {
        const verdict = guard.check(pageRequest(undefined))
        if (verdict instanceof Promise) await verdict
      }
    }),
    await rateOf('first checks of a session that another process made', 1, async () => {
      const fresh = stranger()
      await eachOf(cookies, (cookie) => fresh.check(pageRequest(cookie)))
    }),
    await rateOf('passes traded for a session', 1, async () => {
      await eachOf(passes, (text) => guard.check(enterRequest(text)))
    }),
  ]
}

/** As many at once as there are connections when requests are measured. */
async function eachOf<Item>(items: readonly Item[], check: (item: Item) => unknown): Promise<void> {
  for (let at = 0; at < items.length; at += CONNECTIONS) {
    await Promise.all(items.slice(at, at + CONNECTIONS).map(check))
  }
}

async function rateOf(what: string, times: number, work: () => Promise<void>): Promise<Row> {
  const rates: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const startedAt = performance.now()
    for (let time = 0; time < times; time += 1) await work()
    rates.push((times * VISITORS) / ((performance.now() - startedAt) / 1_000))
  }
  const rate = median(rates)
  return told({ what, measured: perSecond(rate), ceiling: 'microseconds for each', figure: 1e6 / rate, digits: 1 })
}
