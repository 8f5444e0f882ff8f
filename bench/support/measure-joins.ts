import { type Server, waitUntil } from '@seatwise/testbench'
import type { Client } from 'pg'
import { drive } from './drive.ts'
import { CROWD_CONNECTIONS, newcomers, once, openSale } from './sale.ts'
import { median } from './statistics.ts'

export interface JoinRates {
  readonly joins: number
  /** How long after the last answer the ledger had everybody. */
  readonly behindMs: number
  readonly noOps: number
  readonly signedInNoOps: number
  readonly ratio: number
  readonly signedInRatio: number
}

const ROUNDS = 3
const SECONDS = 5
/** Until then a server that was just started gets faster from second to second. */
const WARM_UP_SECONDS = 12
/** More than ever come. */
const VISITORS_PER_SECOND_MAX = 50_000

/**
 * Joins over HTTP by visitors who were never here before, and requests that do nothing with the same headers and body,
 * half of them before the joins and half of them after, so that whatever else the machine does disturbs all alike. After
 * each round the ledger must have everybody.
 */
export async function measureJoins(server: Server, noOpUrl: string, ledger: Client): Promise<JoinRates> {
  const measureNoOps = async (path: string): Promise<number> =>
    (await post(new URL(path, noOpUrl), SECONDS / 2)).perSecond
  await measureNoOps('/no-op')
  await measureNoOps('/no-op/signed-in')
  await joinOnce(server, ledger, WARM_UP_SECONDS)
  const rounds: JoinRates[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = [await measureNoOps('/no-op'), await measureNoOps('/no-op/signed-in')] as const
    const { joins, behindMs } = await joinOnce(server, ledger, SECONDS)
    const after = [await measureNoOps('/no-op/signed-in'), await measureNoOps('/no-op')] as const
    const noOps = (before[0] + after[1]) / 2
    const signedInNoOps = (before[1] + after[0]) / 2
    rounds.push({
      joins,
      behindMs,
      noOps,
      signedInNoOps,
      ratio: joins / noOps,
      signedInRatio: joins / signedInNoOps,
    })
  }
  const middle = (field: keyof JoinRates): number => median(rounds.map((round) => round[field]))
  return {
    joins: middle('joins'),
    behindMs: middle('behindMs'),
    noOps: middle('noOps'),
    signedInNoOps: middle('signedInNoOps'),
    ratio: middle('ratio'),
    signedInRatio: middle('signedInRatio'),
  }
}

async function joinOnce(server: Server, ledger: Client, seconds: number): Promise<{ joins: number; behindMs: number }> {
  const { eventId, roomId } = await openSale(server)
  const { answers, perSecond } = await post(new URL(`/api/events/${eventId}/queue/join`, server.url), seconds)
  const answeredAt = performance.now()
  await waitUntil('the ledger has everybody', async () => (await countTickets(ledger, roomId)) >= answers, {
    timeoutMs: 60_000,
    everyMs: 20,
  })
  const behindMs = performance.now() - answeredAt
  const count = await countTickets(ledger, roomId)
  if (count !== answers) throw new Error(`${answers} joined, but the ledger has ${count} tickets`)
  return { joins: perSecond, behindMs }
}

async function post(url: URL, seconds: number): Promise<Awaited<ReturnType<typeof drive>>> {
  const requests = newcomers(url, Math.ceil(seconds * VISITORS_PER_SECOND_MAX))
  return await drive({
    url,
    connections: CROWD_CONNECTIONS,
    seconds,
    nextRequest: once(requests),
  })
}

/** Tickets in the ledger; as many log entries must say that they were drawn. */
async function countTickets(ledger: Client, roomId: string): Promise<number> {
  const { rows } = await ledger.query<{ tickets: number; joined: number }>(
    `select (select count(*)::int from queue_entries where room_id = $1) as tickets,
            (select count(*)::int from room_log where room_id = $1 and kind = 'joined') as joined`,
    [roomId],
  )
  const { tickets = 0, joined = 0 } = rows[0] ?? {}
  if (tickets !== joined) throw new Error(`The ledger has ${tickets} tickets and ${joined} joins in its log`)
  return tickets
}
