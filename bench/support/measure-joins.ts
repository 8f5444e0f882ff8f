import { type Server, waitUntil } from '@seatwise/testbench'
import type { Client } from 'pg'
import { drive } from './drive.ts'
import { CROWD_CONNECTIONS, inTurn, newcomers, once, openSale, type Sale } from './sale.ts'
import { mean, median } from './statistics.ts'

interface Rates {
  readonly joins: number
  /** How long after the last answer the ledger had everybody. */
  readonly behindMs: number
  readonly noOps: number
  readonly signedInNoOps: number
}

export interface JoinRates extends Rates {
  readonly ratio: number
  readonly signedInRatio: number
}

const ROUNDS = 3
/** Each round in short turns, because the speed of a shared machine changes from one second to the next. */
const TURNS = 5
const JOIN_SECONDS = 1
/** Twice in each turn, before the joins and after them. */
const NO_OP_SECONDS = 0.5
/**
 * As long as the rounds, and in as many rooms: a server that was just started gets faster from second to second, and what
 * was compiled for its first room has to be compiled anew for the second and third.
 */
const WARM_UP_ROUNDS = 4
/** More than ever come. */
const VISITORS_PER_SECOND_MAX = 30_000

/**
 * Joins over HTTP by visitors who were never here before, and requests that do nothing with the same headers and body, in
 * turns, so that whatever else the machine does disturbs all alike. After each turn the ledger must have everybody.
 */
export async function measureJoins(server: Server, noOpUrl: string, ledger: Client): Promise<JoinRates> {
  // Nobody looks at these: the same may come again.
  const strangers = newcomers(new URL('/no-op', noOpUrl), VISITORS_PER_SECOND_MAX)
  const measureNoOps = async (): Promise<number> =>
    (await post(new URL('/no-op', noOpUrl), NO_OP_SECONDS, inTurn(strangers))).perSecond
  const measureSignedIn = async (): Promise<number> => {
    const url = new URL('/no-op/signed-in', noOpUrl)
    return (await post(url, NO_OP_SECONDS, once(newcomers(url, NO_OP_SECONDS * VISITORS_PER_SECOND_MAX)))).perSecond
  }
  const measureRound = async (): Promise<JoinRates> => {
    const sale = await openSale(server)
    const turns: Rates[] = []
    for (let turn = 0; turn < TURNS; turn += 1) {
      const before = [await measureNoOps(), await measureSignedIn()] as const
      const { joins, behindMs } = await joinFor(JOIN_SECONDS, server, ledger, sale)
      const after = [await measureSignedIn(), await measureNoOps()] as const
      turns.push({ joins, behindMs, noOps: mean([before[0], after[1]]), signedInNoOps: mean([before[1], after[0]]) })
    }
    const rates = ofEach(turns, mean)
    return { ...rates, ratio: rates.joins / rates.noOps, signedInRatio: rates.joins / rates.signedInNoOps }
  }
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await measureRound()
  const rounds: JoinRates[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measureRound())
  const [ratio, signedInRatio] = [
    median(rounds.map((one) => one.ratio)),
    median(rounds.map((one) => one.signedInRatio)),
  ]
  return { ...ofEach(rounds, median), ratio, signedInRatio }
}

function ofEach(rates: readonly Rates[], middle: (values: readonly number[]) => number): Rates {
  const of = (field: keyof Rates): number => middle(rates.map((one) => one[field]))
  return { joins: of('joins'), behindMs: of('behindMs'), noOps: of('noOps'), signedInNoOps: of('signedInNoOps') }
}

async function joinFor(
  seconds: number,
  server: Server,
  ledger: Client,
  { eventId, roomId }: Sale,
): Promise<{ joins: number; behindMs: number }> {
  const before = await countTickets(ledger, roomId)
  const url = new URL(`/api/events/${eventId}/queue/join`, server.url)
  const visitors = newcomers(url, Math.ceil(seconds * VISITORS_PER_SECOND_MAX))
  const { answers, perSecond } = await post(url, seconds, once(visitors))
  const answeredAt = performance.now()
  await waitUntil('the ledger has everybody', async () => (await countTickets(ledger, roomId)) >= before + answers, {
    timeoutMs: 60_000,
    everyMs: 20,
  })
  const behindMs = performance.now() - answeredAt
  const joined = (await countTickets(ledger, roomId)) - before
  if (joined !== answers) throw new Error(`${answers} joined, but the ledger has ${joined} more tickets`)
  return { joins: perSecond, behindMs }
}

async function post(url: URL, seconds: number, nextRequest: () => Buffer | null): ReturnType<typeof drive> {
  return await drive({ url, connections: CROWD_CONNECTIONS, seconds, nextRequest })
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
