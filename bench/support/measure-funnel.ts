import { randomUUID } from 'node:crypto'
import type { Server } from '@seatwise/testbench'
import { type Conversation, converseAll } from './converse.ts'
import { drive } from './drive.ts'
import { enter, type House, newAccessToken, openHouse, post, read, reserve } from './house.ts'
import { newcomers, once } from './sale.ts'
import { median } from './statistics.ts'

export interface FunnelRates {
  /** Whole visits: from joining to having paid. */
  readonly visits: number
  readonly noOps: number
  readonly ratio: number
}

/** Joining, claiming, reserving, paying. */
export const REQUESTS_PER_VISIT = 4
const CONNECTIONS = 200
const ROUNDS = 3
const SECONDS = 5
/** More than any round can use. */
const SEATS_MAX = 10_000

/** How many people a second come, get in, reserve a seat and pay; and what four requests that do nothing would take. */
export async function measureFunnel(server: Server, noOpUrl: string): Promise<FunnelRates> {
  const rounds: FunnelRates[] = []
  // One more to warm up, which does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const seconds = round === 0 ? 2 : SECONDS
    const noOps = await doNothing(new URL('/no-op/signed-in', noOpUrl))
    const visits = await visitFor(await openHouse(server, SEATS_MAX), seconds)
    if (round > 0) rounds.push({ visits, noOps, ratio: (visits * REQUESTS_PER_VISIT) / noOps })
  }
  const middle = (field: keyof FunnelRates): number => median(rounds.map((round) => round[field]))
  return { visits: middle('visits'), noOps: middle('noOps'), ratio: middle('ratio') }
}

async function visitFor(house: House, seconds: number): Promise<number> {
  let come = 0
  let paid = 0
  const started = performance.now()
  const end = started + seconds * 1_000
  const next = () => (performance.now() < end ? (house.seatIds[come++] ?? null) : null)
  await converseAll(house.url, CONNECTIONS, next, async (conversation, seatId) => {
    await visit(house, conversation, seatId)
    paid += 1
  })
  return (paid * 1_000) / (performance.now() - started)
}

async function visit(house: House, conversation: Conversation, seatId: string): Promise<void> {
  const guest = await enter(house, conversation, newAccessToken())
  const reserved = await conversation.ask(reserve(house, guest, seatId))
  const { id: reservationId } = read<{ id: string }>(reserved, 201)
  const headers = { authorization: `Bearer ${guest.accessToken}`, 'idempotency-key': randomUUID() }
  const bought = await conversation.ask(
    post(house.url, '/api/purchases', headers, { reservationId, paymentMethod: 'sandbox_ok' }),
  )
  const { status } = read<{ status: string }>(bought, 201)
  if (status !== 'PAID') throw new Error(`Paying ended as ${status}`)
}

async function doNothing(url: URL): Promise<number> {
  const requests = newcomers(url, 40_000)
  return (await drive({ url, connections: CONNECTIONS, seconds: 2, nextRequest: once(requests) })).perSecond
}
