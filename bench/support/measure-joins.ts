import { type Server, waitUntil } from '@seatwise/testbench'
import type { Client } from 'pg'
import { drive } from './drive.ts'
import { CROWD_CONNECTIONS, newcomers, once, openSale } from './sale.ts'
import { median } from './statistics.ts'

export interface JoinRates {
  /** Until the last one was answered, and until the ledger had them all. */
  readonly joins: number
  readonly followed: number
  readonly noOps: number
  readonly signedInNoOps: number
  readonly ratio: number
  readonly signedInRatio: number
}

const ROUNDS = 3
const SECONDS = 5
/** More than any round can use. */
const VISITORS_MAX = 150_000

/**
 * Joins over HTTP by visitors who were never here before, and requests that do nothing with the same headers and body,
 * in turn, so that whatever else the machine does disturbs all alike. After each round the ledger must have everybody.
 */
export async function measureJoins(server: Server, noOpUrl: string, ledger: Client): Promise<JoinRates> {
  const rounds: JoinRates[] = []
  // One more to warm up, which does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const seconds = round === 0 ? 2 : SECONDS
    const { perSecond: noOps } = await post(new URL('/no-op', noOpUrl), seconds)
    const { perSecond: signedInNoOps } = await post(new URL('/no-op/signed-in', noOpUrl), seconds)
    const { joins, followed } = await joinOnce(server, ledger, seconds)
    if (round === 0) continue
    rounds.push({
      joins,
      followed,
      noOps,
      signedInNoOps,
      ratio: followed / noOps,
      signedInRatio: followed / signedInNoOps,
    })
  }
  const middle = (field: keyof JoinRates): number => median(rounds.map((round) => round[field]))
  return {
    joins: middle('joins'),
    followed: middle('followed'),
    noOps: middle('noOps'),
    signedInNoOps: middle('signedInNoOps'),
    ratio: middle('ratio'),
    signedInRatio: middle('signedInRatio'),
  }
}

async function joinOnce(server: Server, ledger: Client, seconds: number): Promise<{ joins: number; followed: number }> {
  const { eventId, roomId } = await openSale(server)
  const { answers, perSecond, startedAt } = await post(
    new URL(`/api/events/${eventId}/queue/join`, server.url),
    seconds,
  )
  await waitUntil('the ledger has everybody', async () => (await countTickets(ledger, roomId)) >= answers, {
    timeoutMs: 60_000,
    everyMs: 50,
  })
  const followed = answers / ((performance.now() - startedAt) / 1_000)
  const count = await countTickets(ledger, roomId)
  if (count !== answers) throw new Error(`${answers} joined, but the ledger has ${count} tickets`)
  return { joins: perSecond, followed }
}

async function post(url: URL, seconds: number): Promise<Awaited<ReturnType<typeof drive>>> {
  const requests = newcomers(url, VISITORS_MAX)
  return await drive({ url, connections: CROWD_CONNECTIONS, seconds, nextRequest: once(requests) })
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
