import type { Server } from '@seatwise/testbench'
import { fillRoom, joinRequests, joinUrl, type WaitingRoom } from '../../core/line-figures.ts'
import { pollRequest } from '../../core/requests.ts'
import type { Cpu } from '../../core/subject.ts'
import { timed } from '../../core/timed.ts'
import { runWrk } from '../../core/wrk.ts'
import { newAccessToken, openSale } from '../box-office/sale.ts'
import { cpuSeconds } from '../cpu-time.ts'
import { type Stores, startStores } from '../stores.ts'

/** What servers do together, on one machine with their stores and the driver: a figure for each round. */
export interface TeamFigures {
  readonly name: string
  readonly joins: number[]
  readonly polls: number[]
  /** Processor time of one, in µs, in the servers and their stores. */
  readonly joinMicros: number[]
  readonly pollMicros: number[]
}

/** Servers on stores of their own, so that the others cost nothing while they are measured. */
interface Team {
  readonly stores: Stores
  readonly servers: readonly Server[]
  readonly waiting: WaitingRoom
  readonly figures: TeamFigures
}

const TEAMS = [
  { name: '1', servers: 1, workers: 1 },
  { name: '2', servers: 2, workers: 1 },
  { name: '3', servers: 3, workers: 1 },
  { name: '1, with two workers', servers: 1, workers: 2 },
] as const
const ROUNDS = 5
const SECONDS = 2
const CONNECTIONS = 96
/** More than one server can use of them. */
const JOINS_PER_SECOND_MAX = 25_000
const WAITING = 20_000

/** In turns: every round measures each team once. The first round warms them up and is not counted. */
export async function measureTeams(): Promise<readonly TeamFigures[]> {
  await using stack = new AsyncDisposableStack()
  const teams: Team[] = []
  for (const { name, servers, workers } of TEAMS) teams.push(await startTeam(stack, name, servers, workers))
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const team of teams) await measureRound(team, round > 0)
  }
  return teams.map(({ figures }) => figures)
}

async function startTeam(stack: AsyncDisposableStack, name: string, count: number, workers: number): Promise<Team> {
  const stores = await startStores(stack)
  const servers: Server[] = []
  while (servers.length < count) servers.push(await stores.startServer({ SEATWISE_WORKERS: String(workers) }))
  const waiting = await fillRoom({ ...firstOf(servers), newAccessToken }, WAITING)
  return { stores, servers, waiting, figures: { name, joins: [], polls: [], joinMicros: [], pollMicros: [] } }
}

async function measureRound(team: Team, counts: boolean): Promise<void> {
  const { servers, waiting, figures } = team
  const { eventId } = await openSale(firstOf(servers))
  const prepared = new Map(
    servers.map((server) => {
      const count = Math.ceil((SECONDS * JOINS_PER_SECOND_MAX) / servers.length)
      return [server, joinRequests({ ...server, newAccessToken }, joinUrl(server, eventId), count)]
    }),
  )
  const joins = await drive(team, 'once', (server) => prepared.get(server) ?? [])
  const polls = await drive(team, 'turns', ({ url }) => {
    const at = new URL(waiting.statusUrl.pathname, url)
    return waiting.tickets.map((ticket) => pollRequest(at, ticket))
  })
  if (!counts) return
  figures.joins.push(joins.perSecond)
  figures.polls.push(polls.perSecond)
  figures.joinMicros.push(joins.micros)
  figures.pollMicros.push(polls.micros)
}

/** All servers at once, each with a driver of its own and its share of the connections. */
async function drive(
  { servers, stores: { postgres, redis } }: Team,
  order: 'once' | 'turns',
  requestsOf: (server: Server) => readonly string[],
): Promise<{ perSecond: number; micros: number }> {
  const pids = Object.fromEntries(servers.map(({ pid }, index) => [`server ${index}`, pid]))
  const used = { cpu: () => cpuOf(cpuSeconds({ ...pids, redis: redis.pid, postgres: postgres.pid })) }
  const connections = Math.floor(CONNECTIONS / servers.length)
  const loads = servers.map((server) => ({ url: new URL(server.url), requests: requestsOf(server) }))
  const { driven, cpu } = await timed(used, async () => {
    const all = loads.map((load) => runWrk({ ...load, connections, seconds: SECONDS, order, expect: 'accepted' }))
    return { driven: await Promise.all(all) }
  })
  const answers = driven.reduce((sum, one) => sum + one.answers, 0)
  const perSecond = driven.reduce((sum, one) => sum + one.perSecond, 0)
  return { perSecond, micros: ((cpu.server + cpu.redis + cpu.postgres) * 1e6) / answers }
}

function cpuOf(seconds: ReadonlyMap<string, number>): Cpu {
  const of = (name: string): number => seconds.get(name) ?? 0
  const server = [...seconds].reduce((sum, [name, value]) => (name.startsWith('server') ? sum + value : sum), 0)
  return { server, redis: of('redis'), postgres: of('postgres') }
}

function firstOf(servers: readonly Server[]): Server {
  const [first] = servers
  if (first === undefined) throw new Error('There is no server')
  return first
}
