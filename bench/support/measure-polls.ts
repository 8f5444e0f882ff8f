import { type Server, waitUntil } from '@seatwise/testbench'
import { drive } from './drive.ts'
import { redisRoundTrips } from './redis-figures.ts'
import { CROWD_CONNECTIONS, inTurn, newcomers, once, openSale } from './sale.ts'
import { median } from './statistics.ts'

export interface PollRates {
  readonly polls: number
  readonly noOps: number
  readonly ratio: number
  readonly roundTripsPerPoll: number
}

export const WAITING = 100_000
/** Those who stand nearer are answered exactly, by asking the store. */
const NEAR_MAX = 2_000
const ROUNDS = 3
const SECONDS = 5
/** Long enough for everybody to have asked once: what is kept of a visitor is made then. */
const WARM_UP_SECONDS = 8

/** Status polls of a crowd, one after the other, and requests that do nothing with the same headers. */
export async function measurePolls(server: Server, noOpUrl: string, redisPort: number): Promise<PollRates> {
  const { eventId } = await openSale(server)
  const tokens = await joinAll(new URL(`/api/events/${eventId}/queue/join`, server.url))
  await waitUntil('all wait', async () => (await waitingIn(server, eventId)) > WAITING - NEAR_MAX, {
    timeoutMs: 30_000,
  })
  const status = new URL(`/api/events/${eventId}/queue/status`, server.url)
  const noOp = new URL('/no-op', noOpUrl)
  const rounds: PollRates[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const seconds = round === 0 ? WARM_UP_SECONDS : SECONDS
    const { perSecond: noOps } = await drive({ ...poll(noOp, tokens), seconds })
    const before = await redisRoundTrips(redisPort)
    const { perSecond: polls, answers } = await drive({ ...poll(status, tokens), seconds })
    const roundTripsPerPoll = ((await redisRoundTrips(redisPort)) - before) / answers
    if (round > 0) rounds.push({ polls, noOps, ratio: polls / noOps, roundTripsPerPoll })
  }
  const middle = (field: keyof PollRates): number => median(rounds.map((round) => round[field]))
  return {
    polls: middle('polls'),
    noOps: middle('noOps'),
    ratio: middle('ratio'),
    roundTripsPerPoll: middle('roundTripsPerPoll'),
  }
}

/** Returns the ticket tokens in the order in which they were answered, without those near the head. */
async function joinAll(url: URL): Promise<string[]> {
  const tokens: string[] = []
  const nextRequest = once(newcomers(url, WAITING))
  const onHead = (head: string): void => {
    const token = /\r\nset-cookie: [^=]+=([\w-]+);/i.exec(head)?.[1]
    if (token === undefined) throw new Error(`An answer without a ticket: ${head}`)
    tokens.push(token)
  }
  const { answers } = await drive({ url, connections: CROWD_CONNECTIONS, seconds: 60, nextRequest, onHead })
  if (answers !== WAITING) throw new Error(`Only ${answers} of ${WAITING} joined`)
  return tokens.slice(NEAR_MAX)
}

function poll(url: URL, tokens: readonly string[]) {
  const requests = tokens.map((token) =>
    Buffer.from(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nSeatwise-Ticket: ${token}\r\n\r\n`, 'latin1'),
  )
  return { url, connections: CROWD_CONNECTIONS, nextRequest: inTurn(requests) }
}

async function waitingIn(server: Server, eventId: string): Promise<number> {
  const answer = await fetch(`${server.url}/api/events/${eventId}/queue/now`)
  return ((await answer.json()) as { waiting: number }).waiting
}
