import type { Server } from '@seatwise/testbench'
import { fillRoom, joinRequests, joinUrl } from '../../core/line-figures.ts'
import { pollRequest } from '../../core/requests.ts'
import { runWrk } from '../../core/wrk.ts'
import { newAccessToken, openSale } from '../box-office/sale.ts'
import { coresBetween, cpuSeconds } from '../cpu-time.ts'
import { type Stores, startStores } from '../stores.ts'

/** What so many servers do together, on one machine with their stores and the driver. */
export interface ServersPoint {
  readonly servers: number
  readonly joinsPerSecond: number
  readonly pollsPerSecond: number
  /** Which process kept how many cores busy while visitors joined. */
  readonly cores: string
}

const SERVERS = [1, 2, 3] as const
const SECONDS = 4
const CONNECTIONS = 96
/** More than one server can use of them. */
const JOINS_PER_SECOND_MAX = 20_000
const WAITING = 20_000

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

async function measureOnce(servers: readonly Server[], stores: Stores, seconds: number): Promise<ServersPoint> {
  const [first] = servers
  if (first === undefined) throw new Error('There is no server')
  const { joinsPerSecond, cores } = await joinEverywhere(servers, stores, await openSale(first), seconds)
  const { statusUrl, tickets } = await fillRoom({ ...first, newAccessToken }, WAITING)
  const pollsPerSecond = await driveAll(servers, seconds, 'turns', ({ url }) => {
    const at = new URL(statusUrl.pathname, url)
    return tickets.map((ticket) => pollRequest(at, ticket))
  })
  return { servers: servers.length, joinsPerSecond, pollsPerSecond, cores }
}

async function joinEverywhere(
  servers: readonly Server[],
  { postgres, redis }: Stores,
  { eventId }: { eventId: string },
  seconds: number,
): Promise<Pick<ServersPoint, 'joinsPerSecond' | 'cores'>> {
  const pids = Object.fromEntries(servers.map(({ pid }, index) => [`server ${index + 1}`, pid]))
  const used = () => cpuSeconds({ ...pids, PostgreSQL: postgres.pid, Redis: redis.pid })
  const prepared = new Map(
    servers.map((server) => [
      server,
      joinRequests({ ...server, newAccessToken }, joinUrl(server, eventId), seconds * JOINS_PER_SECOND_MAX),
    ]),
  )
  const [before, startedAt] = [used(), performance.now()]
  const joinsPerSecond = await driveAll(servers, seconds, 'once', (server) => prepared.get(server) ?? [])
  return { joinsPerSecond, cores: coresBetween(before, used(), (performance.now() - startedAt) / 1_000) }
}

/** All of them at once, each with a driver of its own and its share of the connections. */
async function driveAll(
  servers: readonly Server[],
  seconds: number,
  order: 'once' | 'turns',
  requestsOf: (server: Server) => readonly string[],
): Promise<number> {
  const connections = Math.floor(CONNECTIONS / servers.length)
  const loads = servers.map((server) => ({ url: new URL(server.url), requests: requestsOf(server) }))
  const driven = await Promise.all(
    loads.map((load) => runWrk({ ...load, connections, seconds, order, expect: 'accepted' })),
  )
  return driven.reduce((sum, { perSecond }) => sum + perSecond, 0)
}
