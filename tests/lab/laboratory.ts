import type { Report } from '@seatwise/checker'
import { type Ledger, openLedger } from '@seatwise/ledger'
import {
  type FaultProxy,
  type Postgres,
  type Redis,
  readerOf,
  type Server,
  startFaultProxy,
  startPostgres,
  startRedis,
  startServer,
} from '@seatwise/testbench'
import { recordsOfSale } from 'seatwise'
import type { Room } from '../sale-under-test/start-sale.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

export interface LaboratoryOptions {
  readonly servers: number
  readonly seed: number
  /** Further settings of the servers, by their index. */
  readonly env?: (index: number) => Readonly<Record<string, string>>
  /** The stores are on disks that can be filled, which needs root. */
  readonly smallDisks?: boolean
}

/** Servers on stores of their own that keep everything over kill -9, with a proxy on every link between them. */
export interface Laboratory {
  readonly servers: readonly Server[]
  readonly redis: Redis
  readonly postgres: Postgres
  readonly redisLinks: readonly FaultProxy[]
  readonly ledgerLinks: readonly FaultProxy[]
  /** Null unless they were asked for. */
  readonly disks: { readonly redis: SmallDisk; readonly postgres: SmallDisk } | null
  /** Past all proxies. */
  readonly ledger: Ledger
  /** What must be closed at the end is added to it. */
  readonly undo: (() => Promise<unknown>)[]
  verify(room: Room): Promise<Report>
  close(): Promise<void>
}

export async function openLaboratory(options: LaboratoryOptions): Promise<Laboratory> {
  const undo: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    return { ...(await open(options, undo)), undo, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(
  { servers: count, seed, env, smallDisks }: LaboratoryOptions,
  undo: (() => Promise<unknown>)[],
): Promise<Omit<Laboratory, 'undo' | 'close'>> {
  const disks = smallDisks === true ? await mountDisks(undo) : null
  const startTheRedis = () => startRedis({ durable: true })
  const redis = await (disks?.redis.hold(startTheRedis) ?? startTheRedis())
  undo.push(() => redis.discard())
  const startThePostgres = () => startPostgres({ durable: true, settings: { max_wal_size: '64MB' } })
  const postgres = await (disks?.postgres.hold(startThePostgres) ?? startThePostgres())
  undo.push(() => postgres.discard())
  const redisLinks: FaultProxy[] = []
  const ledgerLinks: FaultProxy[] = []
  const servers: Server[] = []
  for (let index = 0; index < count; index += 1) {
    const redisLink = await startFaultProxy({ targetPort: redis.port, protocol: 'redis', seed: seed + index })
    undo.push(() => redisLink.stop())
    const ledgerLink = await startFaultProxy({ targetPort: postgres.port, protocol: 'postgres', seed: seed + index })
    undo.push(() => ledgerLink.stop())
    const databaseUrl = new URL(postgres.url)
    databaseUrl.port = String(ledgerLink.port)
    const server = await startServer({
      mode: 'distributed',
      databaseUrl: databaseUrl.href,
      redisUrl: `redis://127.0.0.1:${redisLink.port}`,
      env: env?.(index) ?? {},
    })
    undo.push(() => server.discard())
    redisLinks.push(redisLink)
    ledgerLinks.push(ledgerLink)
    servers.push(server)
  }
  const ledger = await openLedger({ kind: 'postgres', url: postgres.url, poolMax: 2 })
  undo.push(() => ledger.close())
  return {
    ...{ servers, redis, postgres, redisLinks, ledgerLinks, disks, ledger },
    verify: (room) => verifySale(ledger, room),
  }
}

/** What log and ledger say of a sale, as `seatwise verify` judges, and what its visitors were told. */
export async function verifySale(ledger: Ledger, { eventId, history }: Room): Promise<Report> {
  const records = await recordsOfSale(readerOf(ledger), eventId)
  if (records === null) throw new Error('The event is gone')
  return await history.check(records)
}

async function mountDisks(undo: (() => Promise<unknown>)[]) {
  const redis = await mountSmallDisk(REDIS_DISK_MB)
  undo.push(() => redis.unmount())
  const postgres = await mountSmallDisk(POSTGRES_DISK_MB)
  undo.push(() => postgres.unmount())
  return { redis, postgres }
}

/** Room for one sale, and little more to fill. */
const REDIS_DISK_MB = 64
const POSTGRES_DISK_MB = 300
