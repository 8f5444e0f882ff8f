import type { Postgres, Redis, Server } from '@seatwise/testbench'
import { Client } from 'pg'
import { keepDriverApart, keepStoresApart } from './cores.ts'
import { SECRET } from './sale.ts'
import { startNoOp } from './start-no-op.ts'
import { startStores } from './stores.ts'

export interface Servers {
  readonly server: Server
  readonly noOpUrl: string
  readonly postgres: Postgres
  readonly redis: Redis
  /** A connection of the bench's own. */
  readonly ledger: Client
}

export interface OnServersOptions {
  /** Whether the driver and the stores leave half of the cores to the servers. */
  readonly coresApart?: boolean
}

/** One server on its own durable PostgreSQL and its own Redis, and beside it the one that does nothing. */
export async function onServers<Result>(
  measure: (servers: Servers) => Promise<Result>,
  { coresApart = false }: OnServersOptions = {},
): Promise<Result> {
  await using stack = new AsyncDisposableStack()
  const stores = await startStores(stack)
  const { postgres, redis } = stores
  if (coresApart) keepStoresApart(postgres, redis)
  const server = await stores.startServer()
  const ledger = new Client({ connectionString: postgres.url })
  await ledger.connect()
  stack.defer(() => ledger.end())
  await ledger.query('create database no_op')
  const databaseUrl = new URL('/no_op', postgres.url).href
  const noOp = await startNoOp({ databaseUrl, redisUrl: redis.url, secret: SECRET.toString('base64') })
  stack.defer(async () => void (await noOp.child.stop()))
  if (coresApart) stack.defer(keepDriverApart())
  return await measure({ server, noOpUrl: noOp.url, postgres, redis, ledger })
}
