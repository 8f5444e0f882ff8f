import { type Postgres, type Redis, type Server, startPostgres, startRedis, startServer } from '@seatwise/testbench'
import { SECRET } from './box-office/sale.ts'

/** A durable PostgreSQL and a Redis of the measurement's own. */
export interface Stores {
  readonly postgres: Postgres
  readonly redis: Redis
  /** One more server on them; `settings` are added to those of the bench. */
  startServer(settings?: Readonly<Record<string, string>>): Promise<Server>
}

/** Everything ends with the stack. */
export async function startStores(stack: AsyncDisposableStack): Promise<Stores> {
  const postgres = await startPostgres({ durable: true, settings: { shared_buffers: '512MB' } })
  stack.defer(() => postgres.discard())
  const redis = await startRedis()
  stack.defer(() => redis.discard())
  const env = { SEATWISE_SECRET: SECRET.toString('base64') }
  return {
    postgres,
    redis,
    async startServer(settings = {}) {
      const stores = { databaseUrl: postgres.url, redisUrl: redis.url }
      const server = await startServer({ mode: 'distributed', ...stores, env: { ...env, ...settings } })
      stack.defer(() => server.discard())
      return server
    },
  }
}
