import { type Postgres, type Redis, type Server, startPostgres, startRedis, startServer } from '@seatwise/testbench'
import { Client } from 'pg'
import { SECRET } from './sale.ts'
import { startNoOp } from './start-no-op.ts'

export interface Servers {
  readonly server: Server
  readonly noOpUrl: string
  readonly postgres: Postgres
  readonly redis: Redis
  /** A connection of the bench's own. */
  readonly ledger: Client
}

/** One server on its own durable PostgreSQL and its own Redis, and beside it the one that does nothing. */
export async function onServers<Result>(measure: (servers: Servers) => Promise<Result>): Promise<Result> {
  const secret = SECRET.toString('base64')
  await using stack = new AsyncDisposableStack()
  const postgres = await startPostgres({ durable: true, settings: { shared_buffers: '512MB' } })
  stack.defer(() => postgres.discard())
  const redis = await startRedis()
  stack.defer(() => redis.discard())
  const env = { SEATWISE_SECRET: secret }
  const server = await startServer({ mode: 'distributed', databaseUrl: postgres.url, redisUrl: redis.url, env })
  stack.defer(() => server.discard())
  const ledger = new Client({ connectionString: postgres.url })
  await ledger.connect()
  stack.defer(() => ledger.end())
  await ledger.query('create database no_op')
  const databaseUrl = new URL('/no_op', postgres.url).href
  const noOp = await startNoOp({ databaseUrl, redisUrl: redis.url, secret })
  stack.defer(async () => void (await noOp.child.stop()))
  return await measure({ server, noOpUrl: noOp.url, postgres, redis, ledger })
}
