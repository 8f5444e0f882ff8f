import { type Server, waitUntil } from '@seatwise/testbench'
import { coresBetween, cpuSeconds } from './cpu-time.ts'
import { drive } from './drive.ts'
import { inTurn, newcomers, once, openSale } from './sale.ts'
import { type Stores, startStores } from './stores.ts'

/** What so many servers do together, on one machine with their stores and with those who ask. */
export interface ServersPoint {
  readonly servers: number
  readonly joinsPerSecond: number
  readonly pollsPerSecond: number
  /** Who kept how many cores busy while people joined. */
  readonly cores: string
}

const SERVERS = [1, 2, 3] as const
const SECONDS = 4
const CONNECTIONS = 96
/** More than all of them can use. */
const VISITORS_MAX = 60_000
/** Those who stand nearer are answered exactly, by asking the store. */
const NEAR_MAX = 2_000

export async function measureServers(): Promise<ServersPoint[]> {
  await using stack = new AsyncDisposableStack()
  const stores = await startStores(stack)
  const servers: Server[] = []
  const points: ServersPoint[] = []
  for (const count of SERVERS) {
    while (servers.length < count) {
      servers.push(await stores.startServer())
      await measureOnce(servers, stores, 1)
    }
    points.push(await measureOnce(servers, stores, SECONDS))
  }
  return points
}

async function measureOnce(
  servers: readonly Server[],
  { postgres, redis }: Stores,
  seconds: number,
): Promise<ServersPoint> {
  const [first] = servers
  if (first === undefined) throw new Error('There is no server')
  const { eventId } = await openSale(first)
  const tokens: string[] = []
  const pids = Object.fromEntries(servers.map(({ pid }, index) => [`server ${index + 1}`, pid]))
  const used = () => cpuSeconds({ ...pids, PostgreSQL: postgres.pid, Redis: redis.pid, driver: process.pid })
  const requests = once(newcomers(new URL(`/api/events/${eventId}/queue/join`, first.url), VISITORS_MAX))
  const [before, startedAt] = [used(), performance.now()]
  const joinsPerSecond = await driveAll(servers, `/api/events/${eventId}/queue/join`, seconds, requests, (head) =>
    tokens.push(/\r\nset-cookie: [^=]+=([\w-]+);/i.exec(head)?.[1] ?? ''),
  )
  const cores = coresBetween(before, used(), (performance.now() - startedAt) / 1_000)
  await waitUntil('all servers know that everybody waits', async () =>
    (await Promise.all(servers.map((server) => waitingIn(server, eventId)))).every(
      (waiting) => waiting > tokens.length - NEAR_MAX,
    ),
  )
  const polls = tokens.slice(NEAR_MAX).map((token) => pollOf(first, eventId, token))
  const path = `/api/events/${eventId}/queue/status`
  const pollsPerSecond = await driveAll(servers, path, seconds, inTurn(polls))
  return { servers: servers.length, joinsPerSecond, pollsPerSecond, cores }
}

/** All of them at once, each on its share of the connections. The bytes name the first server, which no server minds. */
async function driveAll(
  servers: readonly Server[],
  path: string,
  seconds: number,
  nextRequest: () => Buffer | null,
  onHead: (head: string) => void = () => undefined,
): Promise<number> {
  const connections = Math.floor(CONNECTIONS / servers.length)
  const driven = await Promise.all(
    servers.map(({ url }) => drive({ url: new URL(path, url), connections, seconds, nextRequest, onHead })),
  )
  return driven.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

function pollOf({ url }: Server, eventId: string, token: string): Buffer {
  const { host } = new URL(url)
  return Buffer.from(
    `GET /api/events/${eventId}/queue/status HTTP/1.1\r\nHost: ${host}\r\nSeatwise-Ticket: ${token}\r\n\r\n`,
    'latin1',
  )
}

async function waitingIn(server: Server, eventId: string): Promise<number> {
  const answer = await fetch(`${server.url}/api/events/${eventId}/queue/now`)
  return ((await answer.json()) as { waiting: number }).waiting
}
