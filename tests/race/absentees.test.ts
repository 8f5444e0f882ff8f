import { randomBytes } from 'node:crypto'
import { connectRedis, type Line, openRedisLine, parseRedisUrl, type RoomAt } from '@seatwise/line'
import { recordsOfRoom, testSeed, waitUntil } from '@seatwise/testbench'
import { expect, test } from 'vitest'
import { type Sale, startSale } from '../sale-under-test/start-sale.ts'

const HEARTBEAT_SECONDS = 4
const SERVERS = 3
const VISITORS = 300
/** Several times the timeout, and the grace time, and the longest absence: a crowd that was taken for silent would be gone. */
const OUTAGE_MS = 9_000
const ROOM = {
  ...{ heartbeatTimeoutSeconds: HEARTBEAT_SECONDS, graceSeconds: 1, awaySeconds: 1 },
  ...{ capacity: 1, paused: true },
}

/** Three servers, and a crowd in line that says nothing more after joining. */
async function openSilentCrowd(stack: AsyncDisposableStack): Promise<{ sale: Sale; line: Line; at: RoomAt }> {
  const sale = await startSale({ servers: SERVERS, seed: testSeed(), room: ROOM, durableRedis: true })
  stack.defer(() => sale.close())
  await sale.now()
  const target = parseRedisUrl(sale.redis.url)
  if (target.status === 'bad') throw new Error(target.problem)
  const connection = await connectRedis(target.target, { onError: () => undefined })
  const line = openRedisLine({ connection, onCleaningError: () => undefined })
  stack.defer(() => line.close())
  const at = { room: sale.roomId, epoch: await sale.epoch(), seenSeq: 0 }
  await line.join(at, Array.from({ length: VISITORS }, newVisitor))
  return { sale, line, at }
}

function newVisitor() {
  return { identity: randomBytes(12).toString('base64url'), class: 0, profile: '{}' } as const
}

const OUTAGES: { what: string; begin: (sale: Sale) => Promise<unknown>; end: (sale: Sale) => Promise<unknown> }[] = [
  {
    what: 'the servers were stopped',
    begin: ({ servers }) => Promise.all(servers.map((server) => server.kill())),
    end: ({ servers }) => Promise.all(servers.map((server) => server.restart())),
  },
  {
    what: 'the servers were stuck',
    begin: async ({ servers }) => servers.map((server) => server.pause()),
    end: async ({ servers }) => servers.map((server) => server.resume()),
  },
  {
    what: 'Redis was away',
    begin: ({ redis }) => redis.kill(),
    end: ({ redis }) => redis.restart('kept'),
  },
  {
    what: 'the servers were cut off from Redis',
    begin: async ({ proxies }) => proxies.map((proxy) => proxy.cut()),
    end: async ({ proxies }) => proxies.map((proxy) => proxy.heal()),
  },
]

// At the same time: each of them mostly waits.
for (const { what, begin, end } of OUTAGES) {
  test.concurrent(`[L62] [I38] a whole line is silent for longer than every timeout because ${what}: no ticket goes away or expires`, async () => {
    await using stack = new AsyncDisposableStack()
    const { sale, line, at } = await openSilentCrowd(stack)
    await begin(sale)
    const begunAt = performance.now()
    await waitUntil('the outage has lasted', async () => performance.now() - begunAt > OUTAGE_MS, {
      timeoutMs: 2 * OUTAGE_MS,
    })
    await end(sale)
    const gone = async () => (await line.now(at)).away > 0
    await waitUntil('the servers have noticed the gap', async () => {
      const log = await Array.fromAsync(recordsOfRoom(sale.ledger, sale.roomId))
      return log.some(({ kind }) => kind === 'attended')
    })
    // This test's own connection comes back in its own time.
    const isBack = () =>
      line.now(at).then(
        () => true,
        () => false,
      )
    await waitUntil('the test can reach Redis', isBack, { everyMs: 20 })
    expect(await line.now(at)).toMatchObject({ waiting: VISITORS, away: 0 })

    // From here on a server can hear them, and they say nothing: now it counts.
    await waitUntil('the silent tickets are away', gone)
    const log = await Array.fromAsync(recordsOfRoom(sale.ledger, sale.roomId))
    const attendedAt = log.find(({ kind }) => kind === 'attended')?.atMs ?? 0
    const awayAt = log.find(({ kind }) => kind === 'away')?.atMs ?? Number.POSITIVE_INFINITY
    expect(awayAt - attendedAt).toBeGreaterThan(HEARTBEAT_SECONDS * 1_000)
    expect(log.filter(({ kind, atMs }) => kind === 'expire' && atMs < attendedAt)).toEqual([])
  })
}
