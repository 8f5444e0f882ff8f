import type { Postgres, Redis, Server } from '@seatwise/testbench'
import { Client } from 'pg'
import { startStores } from './stores.ts'

export interface Servers {
  readonly server: Server
  readonly postgres: Postgres
  readonly redis: Redis
  /** A connection of the bench's own. */
  readonly ledger: Client
}

/** One server on its own durable PostgreSQL and its own Redis. */
export async function onServers<Result>(measure: (servers: Servers) => Promise<Result>): Promise<Result> {
  await using stack = new AsyncDisposableStack()
  const stores = await startStores(stack)
  const { postgres, redis } = stores
  const server = await stores.startServer()
  const ledger = new Client({ connectionString: postgres.url })
  await ledger.connect()
  stack.defer(() => ledger.end())
  return await measure({ server, postgres, redis, ledger })
}
