import { formatReport, type Report } from '@seatwise/checker'
import { type Ledger, openLedger } from '@seatwise/ledger'
import {
  type Postgres,
  type Redis,
  redisCommand,
  startCluster,
  startFaultProxy,
  startPostgres,
  startSentinel,
  startServer,
  startStandby,
  suiteSeed,
  waitUntil,
} from '@seatwise/testbench'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Buyer, type Market, type Temper } from '../box-office/buyer.ts'
import { houseOf, openMarket } from '../box-office/market.ts'
import { openRoom, type Room } from '../sale-under-test/start-sale.ts'
import { verifySale } from './laboratory.ts'

const SEATS = 60
const CROWD: readonly Temper[] = ['stays', 'stays', 'reserves and leaves']
const ROOM = {
  ...{ capacity: 8, ratePerMinute: 240, burst: 8, claimSeconds: 20, sessionSeconds: 20, reservationSeconds: 20 },
  ...{ stockAware: true, maxSeatsPerBuyer: 2, heartbeatTimeoutSeconds: 60 },
}
/** Most come at once, so that there is a line to lose; the others while it is lost. */
const RUSH_MS = 2_000
const ARRIVALS_MS = 20_000
/** So many stand in line or have a hold when it happens, at least: a third of all visitors. */
const LIVE_MIN = 30
const PATIENCE_MS = 60_000
/** How much of the sale is over when it happens, in seats sold. */
const SOLD_BEFORE = 10
const PATIENT = { timeoutMs: 60_000, everyMs: 100 }

const undo: (() => Promise<unknown>)[] = []
let postgres: Postgres
beforeEach(async () => {
  postgres = await startPostgres({ durable: true })
  undo.push(() => postgres.discard())
})
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

test('[F10] Sentinels promote a replica that has everything', { timeout: 300_000 }, async () => {
  const system = await startSentinel()
  undo.push(() => system.discard())
  const { room, sellAll, report } = await openSale(system.url, postgres.url)
  await sellAll(async () => {
    room.history.fault('failover', 'redis', 'begin')
    await system.failOver()
  })
  expectClean(await report())
})

test('[F10] Sentinels promote a replica that has missed the last second', { timeout: 300_000 }, async () => {
  const system = await startSentinel()
  undo.push(() => system.discard())
  const { room, sellAll, report } = await openSale(system.url, postgres.url)
  await sellAll(async () => {
    room.history.fault('failover', 'redis', 'begin')
    await cutReplication(system.primary, system.replica)
    await missSomething(room)
    await system.primary.kill()
    await waitUntil('a replica is promoted', async () => (await system.primaryPort()) === system.replica.port, PATIENT)
  })
  expectClean(await report(), { rebuilds: 1 })
})

test('[F10] a Cluster promotes a replica that has missed the last second', { timeout: 300_000 }, async () => {
  const cluster = await startCluster({ replicas: true })
  undo.push(() => cluster.discard())
  const { room, sellAll, report } = await openSale(cluster.url, postgres.url)
  await sellAll(async () => {
    const [master, replica] = await whereTheRoomIs(cluster.nodes)
    room.history.fault('failover', 'redis', 'begin')
    await cutReplication(master, replica)
    await missSomething(room)
    await master.kill()
    await waitUntil(
      'a replica is promoted',
      async () => String(await redisCommand(replica.port, 'ROLE')).startsWith('master'),
      PATIENT,
    )
  })
  expectClean(await report(), { rebuilds: 1 })
})

test('[F11] PostgreSQL loses its primary, and the standby is promoted', { timeout: 300_000 }, async () => {
  const standby = await startStandby(postgres, { durable: true })
  undo.push(() => standby.discard())
  const address = await startFaultProxy({ targetPort: postgres.port, protocol: 'postgres', seed: suiteSeed() })
  undo.push(() => address.stop())
  const system = await startSentinel()
  undo.push(() => system.discard())
  const { room, sellAll, report } = await openSale(system.url, postgres.url.replace(/:\d+\//, `:${address.port}/`))
  await sellAll(async () => {
    room.history.fault('failover', 'ledger', 'begin')
    await postgres.kill()
    await standby.promote()
    address.retarget(standby.port)
  })
  expectClean(await report())
})

interface SaleUnderWay {
  readonly room: Room
  /** Starts all visitors; when the first seats are sold, the fault happens. Returns when all have gone. */
  sellAll(fault: () => Promise<void>): Promise<void>
  report(): Promise<Report>
}

async function openSale(redisUrl: string, databaseUrl: string): Promise<SaleUnderWay> {
  const servers = []
  for (let index = 0; index < 2; index += 1) {
    const server = await startServer({ mode: 'distributed', databaseUrl, redisUrl })
    undo.push(() => server.discard())
    servers.push(server)
  }
  const event = houseOf(SEATS / 2, SEATS / 2)
  const room = await openRoom(servers, { seed: suiteSeed(), undo, room: ROOM, event })
  const market = await openMarket(servers, room, PATIENCE_MS, 200)
  const buyers = crowdOf(market)
  return {
    room,
    async sellAll(fault) {
      const visits = Promise.all(buyers.map((buyer, index) => buyer.come(index % 4 === 0 ? ARRIVALS_MS : RUSH_MS)))
      const isBegun = () => buyers.filter(({ bought }) => bought !== null).length >= SOLD_BEFORE
      await Promise.all([visits, waitUntil('the first seats are sold', isBegun, PATIENT).then(fault)])
      for (const buyer of buyers) await buyer.findOut()
    },
    async report() {
      // Opened only now: where the ledger is has changed.
      const ledger = await openLedger({ kind: 'postgres', url: databaseUrl, poolMax: 2 })
      undo.push(() => ledger.close())
      await expectEverythingKept(ledger, room, buyers)
      return await verifySale(ledger, room)
    },
  }
}

function crowdOf(market: Market): Buyer[] {
  const tempers = Array.from({ length: (SEATS * 3) / 2 }, (_, index) => CROWD[index % CROWD.length] ?? 'stays')
  return tempers.map((temper, index) => new Buyer(market, `${temper} ${index}`, temper))
}

/** Every buyer who was told that they have bought has their seats, and all seats are sold. */
async function expectEverythingKept(ledger: Ledger, room: Room, buyers: readonly Buyer[]): Promise<void> {
  const told = buyers.flatMap(({ bought }) => bought?.seatIds ?? [])
  const rows = await ledger.db
    .selectFrom('seats')
    .select(['id', 'status'])
    .where('event_id', '=', room.eventId)
    .execute()
  const sold = rows.filter(({ status }) => status === 'sold').map(({ id }) => id)
  expect(sold).toHaveLength(SEATS)
  expect(told.toSorted()).toEqual(sold.toSorted())
  await waitUntil(
    'the ledger has the whole log',
    async () => {
      const { epoch, seq } = await ledger.db
        .selectFrom('rooms')
        .select(['epoch', 'seq'])
        .where('id', '=', room.roomId)
        .executeTakeFirstOrThrow()
      const now = await room.now()
      return epoch === now.epoch && seq === now.seq
    },
    PATIENT,
  )
}

function expectClean(report: Report, { rebuilds = 0 } = {}): void {
  const broken = report.invariants.filter(({ verdict }) => verdict.status === 'violated').map(({ id }) => id)
  expect(broken, formatReport(report)).toEqual([])
  const counts = report.invariants.find(({ id }) => id === 'I28')?.verdict.counts
  console.info(JSON.stringify(counts))
  expect(counts?.rebuilds).toBeGreaterThanOrEqual(rebuilds)
  expect(counts?.['tickets kept']).toBeGreaterThanOrEqual(rebuilds * LIVE_MIN)
  const held = report.invariants.filter(({ verdict }) => verdict.status === 'held').map(({ id }) => id)
  expect(held).toEqual(expect.arrayContaining(['I1', 'I2', 'I3', 'I6', 'I9', 'I11', 'I13', 'I14', 'I15', 'I20', 'I21']))
}

/** A replica with the wrong password is not let in again. Freezing it would lose nothing: it would catch up. */
async function cutReplication(primary: Redis, replica: Redis): Promise<void> {
  await redisCommand(replica.port, 'CONFIG', 'SET', 'masterauth', 'wrong')
  await redisCommand(replica.port, 'CONFIG', 'SET', 'masteruser', 'nobody')
  await redisCommand(primary.port, 'CLIENT', 'KILL', 'TYPE', 'replica')
  await waitUntil('the replica is cut off', async () =>
    String(await redisCommand(replica.port, 'INFO', 'replication')).includes('master_link_status:down'),
  )
}

/** Something happens that only the primary has. */
async function missSomething(room: Room): Promise<void> {
  const before = Number((await room.now()).seq)
  await waitUntil('something happens in the room', async () => Number((await room.now()).seq) > before + 5, PATIENT)
}

/** The master that has the keys of the room, and its replica. */
async function whereTheRoomIs(nodes: readonly Redis[]): Promise<[Redis, Redis]> {
  const masters = nodes.slice(0, nodes.length / 2)
  for (const [index, master] of masters.entries()) {
    const replica = nodes[index + masters.length]
    if (replica !== undefined && Number(await redisCommand(master.port, 'DBSIZE')) > 5) return [master, replica]
  }
  throw new Error('No master has the keys of the room')
}
