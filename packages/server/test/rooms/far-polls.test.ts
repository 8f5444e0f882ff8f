import { rankMapError } from '@seatwise/domain'
import { migrate, openLedger } from '@seatwise/ledger'
import { postgresDatabase, type Redis, startRedis, waitUntil } from '@seatwise/testbench'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forEachMode, type JoinAnswer, openRoomServer, RoomBench } from '../support/room.ts'

/** So slow that everything beyond the first hundred is far. */
const SLOW = { ratePerMinute: 1, burst: 1, paused: true }

/** A second, and what a busy machine may add; asking the store by itself would take ten seconds and more. */
const SOON = { timeoutMs: 4_000 }

async function crowd(bench: RoomBench, room: string, count: number): Promise<JoinAnswer[]> {
  const tickets: JoinAnswer[] = []
  while (tickets.length < count) {
    const size = Math.min(50, count - tickets.length)
    tickets.push(...(await Promise.all(Array.from({ length: size }, () => bench.join(room)))))
  }
  return tickets.sort((one, another) => Number(one.place) - Number(another.place))
}

/** The public document is at most a second old; this one lists all visitors. */
async function untilAllAreCounted(bench: RoomBench, room: string, waiting: number): Promise<void> {
  await waitUntil('the public document lists all visitors', async () => {
    const now = await bench.call('GET', `${room}/queue/now`)
    return now.json<{ waiting: number }>().waiting === waiting
  })
}

forEachMode('far from the head', (open) => {
  let bench: RoomBench
  beforeAll(async () => {
    bench = await open()
  })

  describe('positions', () => {
    it('[R8] near the head they are exact, far from it within the bound and marked', async () => {
      const room = await bench.sale(SLOW)
      const tickets = await crowd(bench, room, 400)
      await untilAllAreCounted(bench, room, 400)
      const near = await bench.status(room, tickets[10]?.ticketToken ?? '')
      expect(near).toMatchObject({ exact: true, rank: 10 })
      for (const index of [200, 300, 399]) {
        const far = await bench.status(room, tickets[index]?.ticketToken ?? '')
        expect(far.exact).toBe(false)
        expect(Math.abs(far.rank - index)).toBeLessThanOrEqual(rankMapError(index))
        expect(far).toMatchObject({ status: 'waiting', position: far.rank + 1, queueLength: 400 })
      }
      for (const { ticketToken } of tickets.slice(20, 70))
        await bench.call('DELETE', `${room}/queue`, { ticket: ticketToken })
      await untilAllAreCounted(bench, room, 350)
      const moved = await bench.status(room, tickets[300]?.ticketToken ?? '')
      expect(Math.abs(moved.rank - 250)).toBeLessThanOrEqual(rankMapError(250))
    })

    it('[R12] a visitor who leaves, moves or is ended far from the head is told so within a second', async () => {
      const room = await bench.sale(SLOW)
      const tickets = await crowd(bench, room, 300)
      await untilAllAreCounted(bench, room, 300)
      const [ended, moved] = [tickets[250], tickets[251]]
      const statusOf = (ticket = '') => bench.call('GET', `${room}/queue/status`, { ticket })
      for (const ticket of [ended, moved]) {
        expect((await statusOf(ticket?.ticketToken)).json()).toMatchObject({ exact: false, status: 'waiting' })
      }
      const terminate = { as: bench.organizer.authorization, body: { ticketId: ended?.ticketId } }
      await bench.call('POST', `${room}/queue/terminate`, terminate)
      const handover = await bench.call('POST', `${room}/queue/handover`, { ticket: moved?.ticketToken ?? '' })
      const { code } = handover.json<{ code: string }>()
      await bench.call('POST', `${room}/queue/handover/accept`, { body: { code } })
      await waitUntil(
        'the end is told',
        async () => (await statusOf(ended?.ticketToken)).json<JoinAnswer>().reason === 'terminated',
        SOON,
      )
      await waitUntil('the move is told', async () => (await statusOf(moved?.ticketToken)).statusCode === 401, SOON)
    })

    it('[R9] the server says when to ask again: soon near the head, later far from it, in time to count as present', async () => {
      const room = await bench.sale({ ...SLOW, heartbeatTimeoutSeconds: 60 })
      const tickets = await crowd(bench, room, 200)
      await untilAllAreCounted(bench, room, 200)
      const intervals = new Set<number>()
      for (let count = 0; count < 20; count++) {
        const near = Number((await bench.status(room, tickets[0]?.ticketToken ?? '')).pollAfterMs)
        const far = Number((await bench.status(room, tickets[199]?.ticketToken ?? '')).pollAfterMs)
        expect(near).toBeGreaterThanOrEqual(1_600)
        expect(near).toBeLessThanOrEqual(2_400)
        expect(far).toBeGreaterThan(10_000)
        // Two polls may get lost before sixty seconds are over.
        expect(far).toBeLessThanOrEqual(24_000)
        intervals.add(far)
      }
      expect(intervals.size).toBeGreaterThan(10)
    })
  })

  describe('the public document', () => {
    it('[R13] is the same for all readers, small, cacheable for a second, and has an entity tag', async () => {
      const room = await bench.sale(SLOW)
      await crowd(bench, room, 300)
      await untilAllAreCounted(bench, room, 300)
      const first = await bench.call('GET', `${room}/queue/now`)
      expect(first.headers['cache-control']).toBe('public, max-age=1')
      expect(first.body.length).toBeLessThan(1_024)
      const etag = String(first.headers.etag)
      const known = await bench.call('GET', `${room}/queue/now`, { headers: { 'if-none-match': etag } })
      if (known.headers.etag === etag) expect(known.statusCode).toBe(304)
      expect(first.json()).toMatchObject({ phase: 'paused', waiting: 300, active: 0, poll: { jitter: 0.2 } })
      expect(Object.keys(first.json<object>())).toEqual([
        ...['seq', 'epoch', 'phase', 'opensAt', 'waiting', 'active', 'capacity', 'ratePerMinute', 'avgServiceMs'],
        ...['remainingSeats', 'rankMap', 'poll', 'message', 'at', 'head'],
      ])
    })

    it('[R13] reading it is no heartbeat', async () => {
      const room = await bench.sale({ burst: 5, ratePerMinute: 60_000, paused: true, heartbeatTimeoutSeconds: 1 })
      const { ticketToken } = await bench.join(room)
      const joinedAt = Date.now()
      await waitUntil('the heartbeat timeout is over', async () => {
        await bench.call('GET', `${room}/queue/now`, { ticket: ticketToken })
        return Date.now() - joinedAt > 1_300
      })
      await bench.operate(room, { paused: false })
      const { roomId } = (await bench.call('GET', room)).json<{ roomId: string }>()
      await waitUntil('the visitor is passed over', () =>
        bench.server.ledger.db
          .selectFrom('queue_entries')
          .select('number')
          .where('room_id', '=', roomId)
          .where('away', '=', true)
          .executeTakeFirst(),
      )
      // The next poll brings them back to their place, and it is their turn.
      await waitUntil('their turn comes', async () => (await bench.status(room, ticketToken)).status === 'admitted')
    })
  })
})

describe('far polls on two servers', () => {
  let redis: Redis
  let one: RoomBench
  let other: RoomBench
  const undo: (() => Promise<void>)[] = []
  beforeAll(async () => {
    redis = await startRedis()
    const database = await postgresDatabase('migrated')
    const ledger = await openLedger({ kind: 'postgres', url: database.url })
    undo.push(
      () => redis.discard(),
      () => database.drop(),
      () => ledger.close(),
    )
    await migrate(ledger)
    const first = await openRoomServer(ledger, { redisUrl: redis.url })
    const second = await openRoomServer(ledger, { redisUrl: redis.url, secrets: first.secrets })
    undo.push(
      () => first.close(),
      () => second.close(),
    )
    one = await RoomBench.open(first)
    other = new RoomBench(second, one.organizer, one.admin)
  })
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  it('[R12] a thousand far polls cause fewer than fifty questions to the store', async () => {
    const room = await one.sale(SLOW)
    const tickets = await crowd(one, room, 300)
    await untilAllAreCounted(one, room, 300)
    const client = createClient({ url: redis.url })
    await client.connect()
    const before = await scriptCalls(client)
    const startedAt = performance.now()
    let exact = 0
    for (let count = 0; count < 1_000; count++) {
      const told = await one.status(room, tickets[150 + (count % 150)]?.ticketToken ?? '')
      if (told.exact) exact += 1
    }
    // A server that could not read the log for too long asks the store instead of giving an old answer.
    expect(exact).toBeLessThan(50)
    const calls = (await scriptCalls(client)) - before
    const endedAt = performance.now()
    await waitUntil('as long has passed without polls', () => performance.now() - endedAt >= endedAt - startedAt)
    // Servers also admit visitors and clean up: on a busy machine the polls take longer, and those calls add up.
    const callsWithoutPolls = (await scriptCalls(client)) - before - calls
    await client.close()
    expect(calls - callsWithoutPolls).toBeLessThan(50)
  })

  it('[R12] what happens on one server is told on the other within a second, and the answers to all visitors agree', async () => {
    const room = await one.sale(SLOW)
    await untilAllAreCounted(other, room, 0)
    const tickets = await crowd(one, room, 250)
    await untilAllAreCounted(other, room, 250)
    const ticket = tickets[240]?.ticketToken ?? ''
    const last = tickets.at(-1)?.ticketToken ?? ''
    await waitUntil('it has read the log', async () => (await other.status(room, last)).exact === false, SOON)
    // The other server has never seen this ticket, and knows it from the log.
    expect(await other.status(room, ticket)).toMatchObject({ exact: false, name: 'Ada' })
    await one.call('DELETE', `${room}/queue`, { ticket })
    await waitUntil('it is told', async () => (await other.status(room, ticket)).status === 'expired', SOON)
  })
})

/** How often scripts were run, by any client. */
async function scriptCalls(client: { sendCommand(args: string[]): Promise<unknown> }): Promise<number> {
  const text = String(await client.sendCommand(['INFO', 'commandstats']))
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(text)?.[1] ?? 0)
}
