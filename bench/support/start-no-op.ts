import { ADMIN, type Child, freePort, startChild, waitUntil } from '@seatwise/testbench'

export interface NoOpServer {
  readonly url: string
  readonly child: Child
}

/** Starts the server that does nothing, on the given stores, and waits until it answers. */
export async function startNoOp(stores: {
  databaseUrl: string
  redisUrl: string
  secret: string
}): Promise<NoOpServer> {
  const port = await freePort()
  const env = {
    PORT: String(port),
    HOST: '127.0.0.1',
    NODE_ENV: 'test',
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    SEATWISE_DEMO: 'off',
    SEATWISE_RATE_LIMITS: 'off',
    SEATWISE_SECRET: stores.secret,
    SEATWISE_ADMIN_EMAIL: ADMIN.email,
    SEATWISE_ADMIN_PASSWORD: ADMIN.password,
  }
  // With as much room for garbage as the real one has.
  const command = ['--max-semi-space-size=64', `${import.meta.dirname}/no-op-server.ts`]
  const child = await startChild('no-op', process.execPath, command, { env })
  const url = `http://127.0.0.1:${port}`
  try {
    await waitUntil('the no-op server answers', async () => (await fetch(`${url}/no-op`)).ok)
  } catch (cause) {
    await child.kill()
    throw new Error(`The no-op server did not start; it printed:\n${child.output()}`, { cause })
  }
  return { url, child }
}
