import { readFileSync } from 'node:fs'
import { type Postgres, type Server, startPostgres, startRedis, startServer } from '@seatwise/testbench'
import { Client } from 'pg'
import { startBare } from './core/ceilings.ts'
import { runWrk } from './core/wrk.ts'
import { searchWords } from './support/events/search-words.ts'
import { requestFor } from './support/http/http-socket.ts'
import { stampede } from './support/http/stampede.ts'
import { writeSection } from './support/results.ts'
import { median, percentile } from './support/statistics.ts'
import { atLeast, atMost, perSecond, tableOf } from './support/table.ts'

/*
 * node bench/events.ts
 *
 * How fast events are read, compared with a bare server that gives the same answer; how long a search takes among 100,000 events;
 * and how often a crowd that meets a cold cache makes the ledger work.
 */

const EVENTS = 100_000
const READERS = 10_000
const CONNECTIONS = 100
const ROUNDS = 5
const SECONDS = 2
const WARM_UP_SECONDS = 3

const postgres = await startPostgres({
  settings: { shared_preload_libraries: 'pg_stat_statements', shared_buffers: '512MB' },
})
const redis = await startRedis()
try {
  const server = await startServer({ mode: 'distributed', databaseUrl: postgres.url, redisUrl: redis.url })
  try {
    const lines = await measure(server, postgres)
    console.log(lines.join('\n'))
    writeSection('Events', lines)
  } finally {
    await server.discard()
  }
} finally {
  await redis.discard()
  await postgres.discard()
}

async function measure(server: Server, { url }: Postgres): Promise<string[]> {
  const ledger = new Client({ connectionString: url })
  await ledger.connect()
  try {
    await ledger.query('create extension pg_stat_statements')
    const eventId = await createEvent(server)
    const crowd = await countQueries(ledger, () => stampede(new URL(`/api/events/${eventId}`, server.url), READERS))
    const reads = await compareReads(server, eventId)
    await fill(ledger)
    const searches = await timeSearches(server)
    const rows = [
      atLeast(0.6, {
        what: `event reads ÷ bare, median of ${ROUNDS}, ${CONNECTIONS} connections`,
        ...{ measured: perSecond(reads.events), ceiling: perSecond(reads.bares), figure: reads.ratio },
      }),
      atMost(30, {
        what: `search among ${EVENTS.toLocaleString('en')} events over HTTP, nothing cached, p95 in ms (${searches.count} searches)`,
        ...{ measured: `p50 ${searches.p50.toFixed(1)} ms`, figure: searches.p95, digits: 1 },
      }),
      atMost(1, {
        what: `queries by ${READERS.toLocaleString('en')} simultaneous readers of a cold event`,
        ...{ measured: `all answered in ${Math.round(crowd.milliseconds)} ms`, figure: crowd.queries, digits: 0 },
      }),
    ]
    return [
      ...tableOf(rows),
      '',
      'Search p95 by what was typed:',
      '',
      ...searches.kinds.map(({ kind, p95 }) => `- ${kind}: ${p95.toFixed(1)} ms`),
    ]
  } finally {
    await ledger.end()
  }
}

async function createEvent(server: Server): Promise<string> {
  const body = {
    name: 'Aurora Live',
    location: 'Hà Nội',
    salesStartAt: '2030-01-01T00:00:00Z',
    salesEndAt: '2030-02-01T00:00:00Z',
    seatTypes: [
      { name: 'Standing', price: 4500, currency: 'EUR', totalQuantity: 500 },
      {
        name: 'Stalls',
        price: 9000,
        currency: 'EUR',
        rows: [
          { label: 'A', seats: 20 },
          { label: 'B', seats: 22 },
        ],
      },
    ],
  }
  const answer = await fetch(`${server.url}/api/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await server.adminToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const event = (await answer.json()) as { id?: string }
  if (event.id === undefined) throw new Error(`No event was made: ${JSON.stringify(event)}`)
  return event.id
}

/** Counted by PostgreSQL itself: statements that read events. */
async function countQueries<Value>(ledger: Client, act: () => Promise<Value>): Promise<Value & { queries: number }> {
  await ledger.query('select pg_stat_statements_reset()')
  const value = await act()
  const { rows } = await ledger.query<{ calls: number }>(
    `select coalesce(sum(calls), 0)::int as calls from pg_stat_statements where query like '%from unnest(%wanted%'`,
  )
  return { ...value, queries: rows[0]?.calls ?? 0 }
}

/** In turns with a bare server that gives the same answer, so that whatever else the machine does disturbs both alike. */
async function compareReads(
  server: Server,
  eventId: string,
): Promise<{ ratio: number; events: number; bares: number }> {
  await using stack = new AsyncDisposableStack()
  const event = new URL(`/api/events/${eventId}`, server.url)
  const body = await (await fetch(event)).text()
  const bare = await startBare(stack, { method: 'GET', path: event.pathname, status: 200, body })
  const read = async (url: URL, seconds: number): Promise<number> => {
    const requests = [requestFor(url).toString('latin1')]
    const load = { url, connections: CONNECTIONS, seconds, requests } as const
    return (await runWrk({ ...load, order: 'turns', expect: 'accepted' })).perSecond
  }
  for (const url of [bare, event]) await read(url, WARM_UP_SECONDS)
  const rounds: { bares: number; events: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ bares: await read(bare, SECONDS), events: await read(event, SECONDS) })
  }
  return {
    ratio: median(rounds.map(({ events, bares }) => events / bares)),
    events: median(rounds.map(({ events }) => events)),
    bares: median(rounds.map(({ bares }) => bares)),
  }
}

async function fill(ledger: Client): Promise<void> {
  const statement = readFileSync(new URL('support/events/load-events.sql', import.meta.url), 'utf8')
  await ledger.query('set statement_timeout = 0')
  await ledger.query(statement, [EVENTS])
  await ledger.query('vacuum analyze')
}

async function timeSearches(server: Server): Promise<{
  p50: number
  p95: number
  count: number
  kinds: { kind: string; p95: number }[]
}> {
  const search = async (words: string): Promise<number> => {
    const start = performance.now()
    const answer = await fetch(`${server.url}/api/events/search?${new URLSearchParams({ q: words })}`)
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`Searching for "${words}" answered ${answer.status}`)
    return performance.now() - start
  }
  for (const words of ['warm', 'warmer', 'warmest']) await search(words)
  const times = new Map<string, number[]>()
  for (const { kind, words } of searchWords()) {
    times.set(kind, [...(times.get(kind) ?? []), await search(words)])
  }
  const all = [...times.values()].flat()
  const kinds = [...times].map(([kind, list]) => ({ kind, p95: percentile(list, 0.95) }))
  return { p50: median(all), p95: percentile(all, 0.95), count: all.length, kinds }
}
