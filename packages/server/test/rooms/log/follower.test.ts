import { randomBytes, randomUUID } from 'node:crypto'
import { ROOM_DEFAULTS } from '@seatwise/domain'
import { HOUSE_ID, type Ledger, migrate, openLedger, readRoom } from '@seatwise/ledger'
import { connectRedis, type Line, parseRedisUrl, type RedisConnection } from '@seatwise/line'
import { firingAlerts, postgresDatabase, redisUrl, waitUntil } from '@seatwise/testbench'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createDrawKit } from '../../../src/rooms/fair-start/draw-kit.ts'
import { FOLLOWER_LEASE_MS, LogFollower } from '../../../src/rooms/log/follow-log.ts'
import { alwaysHeld, type Lease, sharedLease } from '../../../src/rooms/log/lease.ts'
import { tailLog } from '../../../src/rooms/log/tail-log.ts'
import { openSharedLine } from '../../../src/rooms/open-line.ts'
import { RoomLink } from '../../../src/rooms/room-link.ts'
import { createRoomMetrics } from '../../../src/rooms/room-metrics.ts'
import { query } from '../../support/payment-time.ts'

const log = pino({ level: 'silent' })
const TAKEOVER_MS_MAX = 2_000
const JOINS = 30

describe('following a room from several servers', () => {
  let database: Awaited<ReturnType<typeof postgresDatabase>>
  let ledger: Ledger
  let redis: RedisConnection
  let line: Line
  const running: { stop(): Promise<void> }[] = []
  beforeAll(async () => {
    database = await postgresDatabase()
    ledger = await openLedger({ kind: 'postgres', url: database.url })
    await migrate(ledger)
    const parsed = parseRedisUrl(redisUrl())
    if (parsed.status === 'bad') throw new Error(parsed.problem)
    redis = await connectRedis(parsed.target, { onError: () => undefined })
    line = openSharedLine(redis, log)
  })
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop()
  })
  afterAll(async () => {
    await line.close()
    await ledger.close()
    await database.drop()
  })

  it('[R42] one server copies, and another takes over within two seconds when it dies', async () => {
    const room = await newRoom()
    const [one, other] = [await openServer(room, shared('one')), await openServer(room, shared('other'))]
    await one.follows(await join(one))
    await one.follows(await join(one))
    expect(other.copies).toBe(0)

    one.die()
    const diedAt = performance.now()
    await other.follows(await join(other))
    expect(performance.now() - diedAt).toBeLessThan(TAKEOVER_MS_MAX)
  })

  it('[R42] a server that stops gives its lease up at once', async () => {
    const room = await newRoom()
    const one = await openServer(room, shared('one'))
    await one.follows(await join(one))
    expect(await shared('other').hold(room)).toBeNull()
    await one.stop()
    expect(await shared('other').hold(room)).not.toBeNull()
  })

  it('[R42] the reader feeds the copy: the log is not read a second time', async () => {
    const room = await newRoom()
    const server = await openServer(room, shared('one'))
    await server.follows(await join(server))
    server.limits.clear()
    for (let count = 0; count < JOINS; count += 1) await server.follows(await join(server))
    // The reader's own limit, and the last known entry, which the follower compares.
    expect([...server.limits].sort()).toEqual([1, 2_000])
  })

  it('[R42] two followers at once still write each entry once and in order', async () => {
    const room = await newRoom()
    const servers = [await openServer(room, alwaysHeld()), await openServer(room, alwaysHeld())] as const
    let last = 0
    for (let count = 0; count < JOINS; count += 1) last = await join(servers[count % 2 === 0 ? 0 : 1])
    await Promise.all(servers.map((server) => server.follows(last)))
    const copied = await ledger.db
      .selectFrom('room_log')
      .select('seq')
      .where('room_id', '=', room)
      .orderBy('seq')
      .execute()
    expect(copied.map(({ seq }) => seq)).toEqual(Array.from({ length: last }, (_, index) => index + 1))
  })

  it('[Y133] a log that no server can copy fires SeatwiseLogNotFollowed, until one can', async () => {
    const room = await newRoom()
    const servers = [await openServer(room, shared('one')), await openServer(room, shared('other'))] as const
    await servers[0].follows(await join(servers[0]))
    const scrape = async (atSeconds: number) => {
      const texts = await Promise.all(servers.map(({ metrics }) => metrics.metrics()))
      return { atSeconds, text: texts.join('\n') }
    }
    await query(ledger.db, 'alter table room_log rename to room_log_away')
    try {
      for (let count = 0; count < 21; count += 1) await join(servers[0], 500)
      await waitUntil('it is known', () => servers.some(({ follower }) => follower.behind > 10_000))
      const scrapes = [await scrape(0)]
      for (const atSeconds of [30, 60]) {
        // Whichever has the lease tries, fails and lets the other one try.
        const tried = servers.map(({ copies }) => copies)
        const bothTried = () => servers.every(({ copies }, index) => copies > (tried[index] ?? 0))
        await waitUntil('both have tried again', bothTried, { timeoutMs: 20_000 })
        scrapes.push(await scrape(atSeconds))
      }
      expect(firingAlerts(scrapes.slice(0, 2))).toEqual([])
      expect(firingAlerts(scrapes)).toEqual(['SeatwiseLogNotFollowed'])
    } finally {
      await query(ledger.db, 'alter table room_log_away rename to room_log')
    }
    await waitUntil(
      'it is followed',
      async () =>
        servers.every(({ follower }) => follower.behind === 0) && servers.some(({ follower }) => follower.isHolding),
    )
    expect(firingAlerts([await scrape(0), await scrape(60)])).toEqual([])
  })

  const shared = (serverId: string) => sharedLease(redis, { name: 'follower', serverId, leaseMs: FOLLOWER_LEASE_MS })

  async function newRoom(): Promise<string> {
    const id = randomUUID()
    const settings = JSON.stringify(ROOM_DEFAULTS)
    await ledger.db
      .insertInto('rooms')
      .values({ id, name: 'Shop', target: 'https://shop.example', organization_id: HOUSE_ID, settings })
      .execute()
    return id
  }

  async function join({ link }: { link: RoomLink }, count = 1): Promise<number> {
    const newVisitor = () => ({ identity: randomUUID().slice(0, 16), class: 0 as const, profile: '{}' })
    const replies = await link.run((at) => line.join(at, Array.from({ length: count }, newVisitor)))
    return replies.at(-1)?.seq ?? 0
  }

  /** What one server runs for a room: the reader and the follower that it feeds. */
  async function openServer(room: string, lease: Lease) {
    const closing = new AbortController()
    const limits = new Set<number>()
    const counted = new Proxy(line, {
      get(target, name) {
        if (name !== 'readLog') return Reflect.get(target, name)
        const readLog: Line['readLog'] = (at, after, options) => {
          limits.add(options.limit)
          return target.readLog(at, after, options)
        }
        return readLog
      },
    })
    const drawKit = createDrawKit([randomBytes(32)], ledger)
    const link = new RoomLink({
      room,
      line,
      ledger,
      drawKit,
      log,
      closing: closing.signal,
      onEpoch: async () => {},
    })
    await link.open()
    let isDead = false
    // A server that died does not give its lease up.
    const mortal: Lease = { hold: lease.hold, release: async (id) => (isDead ? undefined : await lease.release(id)) }
    const server = { link, limits, copies: 0 }
    const counting = new Proxy(ledger, {
      get(target, name) {
        if (name === 'db') server.copies += 1
        return Reflect.get(target, name)
      },
    })
    const follower = new LogFollower({
      ledger: counting,
      line: counted,
      link,
      room,
      log,
      lease: mortal,
      onCopied: () => {},
    })
    const metrics = new Registry()
    createRoomMetrics(metrics).measure({}, () => follower.behind)
    let readSeq = link.seenSeq
    const isOpen = () => !closing.signal.aborted
    const loops = [
      follower.run(isOpen),
      tailLog(
        {
          ...{ line: counted, link, log, followedSeq: () => readSeq, onGap: () => undefined },
          onEntries: (entries) => {
            readSeq = entries.at(-1)?.seq ?? readSeq
            follower.read(entries)
          },
        },
        isOpen,
      ),
    ]
    const stop = async () => {
      closing.abort()
      await Promise.all(loops)
    }
    running.push({ stop })
    return Object.assign(server, {
      ...{ stop, follower, metrics },
      die() {
        isDead = true
        closing.abort()
      },
      follows: (seq: number) =>
        waitUntil('the ledger has it', async () => ((await readRoom(ledger.db, { roomId: room }))?.seq ?? 0) >= seq),
    })
  }
})
