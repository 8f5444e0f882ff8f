import { type Ledger, migrate, openLedger } from '@seatwise/ledger'
import { postgresDatabase, type Redis, startRedis, waitUntil } from '@seatwise/testbench'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JoinAnswer, openRoomServer, RoomBench } from '../support/room.ts'

/** So slow that everything beyond the first hundred is far. */
const SLOW = { ratePerMinute: 1, burst: 1, paused: true, guestsPerAddress: 0, heartbeatTimeoutSeconds: 3_600 }
const VISITORS = 700
const NEAR = 150

describe('the first poll on a server that never saw the visitor', () => {
  let redis: Redis
  let url: string
  let one: RoomBench
  const undo: (() => Promise<void>)[] = []
  beforeAll(async () => {
    redis = await startRedis()
    const database = await postgresDatabase('migrated')
    url = database.url
    undo.push(
      () => redis.discard(),
      () => database.drop(),
    )
    one = await RoomBench.open(await start(await open({ url })))
  })
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  async function open(options: { url: string; replicaUrl?: string }): Promise<Ledger> {
    const ledger = await openLedger({ kind: 'postgres', ...options })
    undo.push(() => ledger.close())
    await migrate(ledger)
    return ledger
  }

  async function start(ledger: Ledger, secrets?: readonly Buffer[]) {
    const server = await openRoomServer(ledger, { redisUrl: redis.url, ...(secrets && { secrets }) })
    undo.push(() => server.close())
    return server
  }

  /** Another server on the same stores. */
  async function startBeside(ledger: Ledger): Promise<RoomBench> {
    return new RoomBench(await start(ledger, one.server.secrets), one.organizer, one.admin)
  }

  it('[R50] asks neither the line nor the ledger when the server reads the log while visitors join', async () => {
    // Its replica lacks every ticket, so that only the log can tell a name.
    const empty = await postgresDatabase('migrated')
    undo.push(() => empty.drop())
    const other = await startBeside(await open({ url, replicaUrl: empty.url }))
    const room = await one.sale(SLOW)
    await untilCounted(other, room, 0)
    const tickets = await crowd(one, room)
    await untilCounted(other, room, VISITORS)
    await untilKnown(other, room, tickets.at(-1))
    const { told, scripts } = await pollAll(other, room, tickets.slice(NEAR, -1))
    expect(told.map(({ exact }) => exact)).not.toContain(true)
    expect(new Set(told.map(({ name }) => name))).toEqual(new Set(['Ada', null]))
    expect(scripts / told.length).toBeLessThanOrEqual(0.05)
  })

  it('[R50] asks neither when the server started after they had joined, and learnt them in the background', async () => {
    const room = await one.sale(SLOW)
    const tickets = await crowd(one, room)
    const moved = await handOver(one, room, tickets.at(-2)?.ticketToken ?? '')
    const left = tickets.at(-3)?.ticketToken ?? ''
    await one.call('DELETE', `${room}/queue`, { ticket: left })
    await untilFollowed(one, room)
    const late = await startBeside(await open({ url }))
    await untilCounted(late, room, VISITORS - 1)
    await untilKnown(late, room, tickets.at(-1))
    const { told, scripts } = await pollAll(late, room, tickets.slice(NEAR, -3))
    expect(told.map(({ exact }) => exact)).not.toContain(true)
    expect(new Set(told.map(({ name }) => name))).toEqual(new Set(['Ada', null]))
    expect(scripts / told.length).toBeLessThanOrEqual(0.05)
    expect(await late.status(room, moved)).toMatchObject({ exact: false, status: 'waiting' })
    expect(await late.status(room, left)).toMatchObject({ status: 'expired', reason: 'cancelled' })
    const old = await late.call('GET', `${room}/queue/status`, { ticket: tickets.at(-2)?.ticketToken ?? '' })
    expect(old.json()).toMatchObject({ code: 'TICKET_MOVED' })
  })

  /** What each of them is told, and how many scripts that took beyond those that run anyway. */
  async function pollAll(bench: RoomBench, room: string, tickets: readonly JoinAnswer[]) {
    const client = createClient({ url: redis.url })
    await client.connect()
    try {
      const [before, startedAt] = [await scriptCalls(client), performance.now()]
      const told: JoinAnswer[] = []
      for (const { ticketToken } of tickets) told.push(await bench.status(room, ticketToken))
      const [calls, endedAt] = [(await scriptCalls(client)) - before, performance.now()]
      await waitUntil('as long has passed without polls', () => performance.now() - endedAt >= endedAt - startedAt)
      const without = (await scriptCalls(client)) - before - calls
      return { told, scripts: calls - without }
    } finally {
      await client.close()
    }
  }
})

/** Buyers with a name and guests without one, by place. */
async function crowd(bench: RoomBench, room: string): Promise<JoinAnswer[]> {
  const tickets: JoinAnswer[] = []
  while (tickets.length < VISITORS) {
    const joins = Array.from({ length: 50 }, (_, index) => bench.join(room, index % 2 === 0 ? undefined : ''))
    tickets.push(...(await Promise.all(joins)))
  }
  return tickets.sort((left, right) => Number(left.place) - Number(right.place))
}

async function handOver(bench: RoomBench, room: string, ticket: string): Promise<string> {
  const { code } = (await bench.call('POST', `${room}/queue/handover`, { ticket })).json<{ code: string }>()
  const accepted = await bench.call('POST', `${room}/queue/handover/accept`, { body: { code } })
  return accepted.json<JoinAnswer>().ticketToken
}

async function untilCounted(bench: RoomBench, room: string, waiting: number): Promise<void> {
  await waitUntil('the public document lists all visitors', async () => {
    const now = await bench.call('GET', `${room}/queue/now`)
    return now.json<{ waiting: number }>().waiting === waiting
  })
}

/** The log and its pages are in the order of numbers: the last ticket is learnt last. */
async function untilKnown(bench: RoomBench, room: string, last: JoinAnswer | undefined): Promise<void> {
  const isKnown = async () => (await bench.status(room, last?.ticketToken ?? '')).exact === false
  await waitUntil('the server knows the last visitor', isKnown)
}

async function untilFollowed(bench: RoomBench, room: string): Promise<void> {
  const { roomId } = (await bench.call('GET', room)).json<{ roomId: string }>()
  await waitUntil('the ledger has all visitors', async () => {
    const rows = bench.server.ledger.db.selectFrom('queue_entries').where('room_id', '=', roomId)
    const { count } = await rows.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
    return Number(count) === VISITORS
  })
}

/** How often scripts were run, by any client. */
async function scriptCalls(client: { sendCommand(args: string[]): Promise<unknown> }): Promise<number> {
  const text = String(await client.sendCommand(['INFO', 'commandstats']))
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(text)?.[1] ?? 0)
}
