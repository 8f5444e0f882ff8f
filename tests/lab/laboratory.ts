import type { Report } from '@seatwise/checker'
import { type Ledger, openLedger } from '@seatwise/seats'
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

export interface LaboratoryOptions {
  readonly servers: number
  readonly seed: number
  /** Further settings of the servers, by their index. */
  readonly env?: (index: number) => Readonly<Record<string, string>>
}

/** Servers on stores of their own that keep everything over kill -9, with a proxy on every link between them. */
export interface Laboratory {
  readonly servers: readonly Server[]
  readonly redis: Redis
  readonly postgres: Postgres
  readonly redisLinks: readonly FaultProxy[]
  readonly ledgerLinks: readonly FaultProxy[]
  /** Past all proxies. */
  readonly ledger: Ledger
  /** What must be closed at the end is added to it. */
  readonly undo: (() => Promise<unknown>)[]
  /** What log and ledger say of a sale, as `seatwise verify` judges, and what its visitors were told. */
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
  { servers: count, seed, env }: LaboratoryOptions,
  undo: (() => Promise<unknown>)[],
): Promise<Omit<Laboratory, 'undo' | 'close'>> {
  const redis = await startRedis({ durable: true })
  undo.push(() => redis.discard())
  const postgres = await startPostgres({ durable: true })
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
    ...{ servers, redis, postgres, redisLinks, ledgerLinks, ledger },
    async verify({ eventId, history }) {
      const records = await recordsOfSale(readerOf(ledger), eventId)
      if (records === null) throw new Error('The event is gone')
      return await history.check(records)
    },
  }
}
