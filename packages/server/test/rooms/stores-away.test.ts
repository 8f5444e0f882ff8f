import { migrate, openLedger } from '@seatwise/ledger'
import {
  type FaultProxy,
  postgresDatabase,
  type Redis,
  startFaultProxy,
  startRedis,
  waitUntil,
} from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRoomServer, RoomBench } from '../support/room.ts'

const FAST = { capacity: 50, burst: 5, ratePerMinute: 60_000 }

describe('a room while a store is away', () => {
  let redis: Redis
  let proxy: FaultProxy
  let bench: RoomBench
  const undo: (() => Promise<void>)[] = []
  beforeAll(async () => {
    redis = await startRedis()
    const database = await postgresDatabase()
    const url = new URL(database.url)
    // It makes no random choices here.
    proxy = await startFaultProxy({ targetPort: Number(url.port), protocol: 'postgres', seed: 1 })
    url.port = String(proxy.port)
    const ledger = await openLedger({ kind: 'postgres', url: url.href })
    await migrate(ledger)
    const server = await openRoomServer(ledger, { redisUrl: redis.url })
    undo.push(
      () => redis.discard(),
      () => database.drop(),
      () => proxy.stop(),
      () => ledger.close(),
      () => server.close(),
    )
    bench = await RoomBench.open(server)
  })
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })
  const statusOf = async (room: string, ticket: string): Promise<string> => (await bench.status(room, ticket)).status

  it('[R17] without the ledger no visitor is admitted after two seconds, and the rest goes on', async () => {
    const room = await bench.sale(FAST)
    const { roomId } = (await bench.call('GET', room)).json<{ roomId: string }>()
    const first = await bench.join(room)
    await waitUntil('the line moves', async () => (await statusOf(room, first.ticketToken)) === 'admitted')
    proxy.cut()
    const unseen = await bench.join(room)
    const admit = (operation: string) =>
      bench.server.line.admit({ room: roomId, epoch: 1, seenSeq: 0 }, { batch: 10, operation })
    let count = 0
    const held = await waitUntil('admission is held', async () => {
      const admission = await admit(`probe-${count++}`)
      return admission.heldBy === 'unfollowed' ? admission : null
    })
    expect(held.admitted).toEqual([])
    const second = await bench.join(room)
    const third = await bench.join(room)
    expect(await bench.status(room, second.ticketToken)).toMatchObject({ status: 'waiting', rank: 0 })
    expect((await bench.call('DELETE', `${room}/queue`, { ticket: second.ticketToken })).statusCode).toBe(204)
    expect(await bench.status(room, third.ticketToken)).toMatchObject({ status: 'waiting', rank: 0, name: 'Ada' })
    expect((await bench.call('GET', `${room}/queue/now`)).statusCode).toBe(200)
    expect((await bench.call('POST', `${room}/queue/claim`, { ticket: first.ticketToken })).statusCode).toBe(200)
    expect((await admit('last probe')).admitted).toEqual([])
    proxy.heal()
    await waitUntil('the line moves again', async () => (await statusOf(room, third.ticketToken)) === 'admitted')
    expect(await statusOf(room, unseen.ticketToken)).toMatch(/admitted|active/)
  })

  it('[R6] without the ledger no name is shown: the server cannot tell which visitors removed theirs', async () => {
    const room = await bench.sale({ paused: true })
    const me = await bench.join(room)
    const shown = await bench.join(room, bench.buyer('Grace'), { showMe: true })
    const names = async () => {
      const answer = await bench.call('GET', `${room}/queue/neighbors?around=1`, { ticket: me.ticketToken })
      return answer.json<{ items: { name: string | null }[] }>().items.map(({ name }) => name)
    }
    const hide = { ticket: shown.ticketToken, body: { showMe: false } }
    await waitUntil('the name is taken back', async () => {
      return (await bench.call('POST', `${room}/queue/shown`, hide)).statusCode === 200
    })
    expect(await names()).toEqual([null, null])
    proxy.cut()
    try {
      expect(await names()).toEqual([null, null])
    } finally {
      proxy.heal()
    }
    await waitUntil('the ledger is back', async () => (await bench.call('GET', room)).statusCode === 200)
  })

  it('[R19] without Redis answers are 503 with Retry-After, and afterwards all visitors stand where they stood', async () => {
    const room = await bench.sale({ ...FAST, paused: true })
    const tickets = [await bench.join(room), await bench.join(room), await bench.join(room)]
    const { roomId } = (await bench.call('GET', room)).json<{ roomId: string }>()
    await waitUntil('the ledger has followed', async () => {
      const row = await bench.server.ledger.db
        .selectFrom('rooms')
        .select('seq')
        .where('id', '=', roomId)
        .executeTakeFirst()
      return row?.seq === 5
    })
    await redis.kill()
    const ticket = tickets[2]?.ticketToken ?? ''
    const refused = await bench.call('GET', `${room}/queue/status`, { ticket })
    expect(refused.statusCode).toBe(503)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    const joining = await bench.call('POST', `${room}/queue/join`, { as: bench.buyer(), body: {} })
    expect(joining.statusCode).toBe(503)
    expect(joining.headers['retry-after']).toBeDefined()
    await redis.restart('empty')
    await waitUntil('the line stands again', async () => (await statusOf(room, ticket)) === 'waiting', {
      timeoutMs: 40_000,
    })
    for (const [rank, { ticketToken }] of tickets.entries()) {
      expect(await bench.status(room, ticketToken)).toMatchObject({ status: 'waiting', rank, exact: true })
    }
    expect(await bench.join(room)).toMatchObject({ rank: 3, queueLength: 4 })
  })

  it('[R19] a room that is asked for first while Redis is away answers 503, and opens by itself', async () => {
    const room = await bench.sale(FAST)
    await redis.kill()
    const joining = await bench.call('POST', `${room}/queue/join`, { as: bench.buyer(), body: {} })
    expect(joining.statusCode).toBe(503)
    expect(joining.headers['retry-after']).toBeDefined()
    await redis.restart('empty')
    await waitUntil('it opens', async () => (await bench.call('GET', `${room}/queue/now`)).statusCode === 200, {
      timeoutMs: 40_000,
    })
  })
})
