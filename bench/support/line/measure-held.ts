import { randomBytes } from 'node:crypto'
import { createTicketTokens } from '@seatwise/server'
import { type Server, waitUntil } from '@seatwise/testbench'
import { sample } from '../../core/line-figures.ts'
import { pollRequest } from '../../core/requests.ts'
import type { Cpu } from '../../core/subject.ts'
import { timed } from '../../core/timed.ts'
import { runWrk } from '../../core/wrk.ts'
import { newAccessToken, openSale, SECRET } from '../box-office/sale.ts'
import { cpuSeconds } from '../cpu-time.ts'
import { type Stores, startStores } from '../stores.ts'
import { joinPatiently } from './join-patiently.ts'
import { onRedisLine } from './line-room.ts'

/** What one server process needs for each visitor of a line of a million. */
export interface HeldFigures {
  readonly waiting: number
  /** The pause that a far visitor of a room with the default settings is told. */
  readonly pollAfterMs: number
  /** For each round, processor time of a poll in µs. */
  readonly serverMicros: number[]
  readonly redisMicros: number[]
  readonly serverMegabytes: number
}

const WAITING = 1_000_000
/** More than the server keeps verified tokens of, spread over the whole line: most polls find nothing prepared for them. */
const POLLED = 250_000
const NEAR_MAX = 2_000
const BATCH = 500
const ROUNDS = 5
const SECONDS = 3
const CONNECTIONS = 100
/** Longer than the run: no ticket becomes absent in the meantime. */
const KEPT_SECONDS = 3_600

/** A million visitors with names wait; one process, on stores of its own, answers their polls. */
export async function measureHeld(): Promise<HeldFigures> {
  await using stack = new AsyncDisposableStack()
  const stores = await startStores(stack)
  const server = await stores.startServer()
  const { pollAfterMs } = await sample({ ...server, newAccessToken })
  const { eventId, roomId } = await openSale(server, { heartbeatTimeoutSeconds: KEPT_SECONDS, maxWaiting: 10_000_000 })
  const statusUrl = new URL(`/api/events/${eventId}/queue/status`, server.url)
  const tickets = await fillLine(stores, server, eventId, roomId)
  const requests = tickets.map((ticket) => pollRequest(statusUrl, ticket))
  const used = { cpu: () => cpuOf(server, stores) }
  const figures: HeldFigures = { waiting: WAITING, pollAfterMs, serverMicros: [], redisMicros: [], serverMegabytes: 0 }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const load = { url: statusUrl, requests, connections: CONNECTIONS, seconds: SECONDS }
    const { answers, cpu } = await timed(used, () => runWrk({ ...load, order: 'turns', expect: 'accepted' }))
    // The first one warms the server up.
    if (round === 0) continue
    figures.serverMicros.push((cpu.server * 1e6) / answers)
    figures.redisMicros.push((cpu.redis * 1e6) / answers)
  }
  return { ...figures, serverMegabytes: await residentMegabytes(server) }
}

/** Draws the tickets through the line itself, and signs their tokens as the server does. Returns some of them, in no order. */
async function fillLine(stores: Stores, server: Server, eventId: string, roomId: string): Promise<string[]> {
  return await onRedisLine(stores.redis, async (line) => {
    await fetch(`${server.url}/api/events/${eventId}/queue/now`)
    const epoch = await waitUntil('the line is open', () => line.epochOf(roomId))
    const tokens = createTicketTokens([SECRET])
    const kept: string[] = []
    for (let drawn = 0; drawn < WAITING; drawn += BATCH) {
      const identities = Array.from({ length: BATCH }, () => randomBytes(12).toString('base64url'))
      for (const [index, reply] of (
        await joinPatiently(line, { room: roomId, epoch, seenSeq: 0 }, identities)
      ).entries()) {
        if (!('state' in reply) || reply.number < NEAR_MAX || Math.random() * WAITING > POLLED) continue
        const { number, place, generation, joinedAt, class: ticketClass } = reply
        const identity = identities[index] ?? ''
        kept.push(
          tokens.issue({ room: roomId, number, place, class: ticketClass, identity, generation, epoch, joinedAt }),
        )
      }
    }
    await waitUntil('the server counts them', async () => {
      const now = await fetch(`${server.url}/api/events/${eventId}/queue/now`)
      return ((await now.json()) as { waiting: number }).waiting >= WAITING - BATCH
    })
    return kept.sort(() => Math.random() - 0.5)
  })
}

function cpuOf(server: Server, { redis, postgres }: Stores): Cpu {
  const seconds = cpuSeconds({ server: server.pid, redis: redis.pid, postgres: postgres.pid })
  const of = (name: keyof Cpu): number => seconds.get(name) ?? 0
  return { server: of('server'), redis: of('redis'), postgres: of('postgres') }
}

async function residentMegabytes(server: Server): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1_000_000
}
