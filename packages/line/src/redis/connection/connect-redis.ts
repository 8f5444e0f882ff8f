import { READY_KEY } from '../scripts/keys.ts'
import type { RedisConnection } from './connection.ts'
import type { RedisTarget } from './redis-url.ts'

export interface ConnectOptions {
  /** How long a command may take, from sending to its reply. */
  commandTimeoutMs?: number
  /** Called for every connection error; connections reconnect by themselves. */
  onError: (error: unknown) => void
}

/** Three orders of magnitude longer than our longest script; shorter than a visitor's patience. */
const COMMAND_TIMEOUT_MS = 2_000
/** The key of the write probe expires soon after. */
const READY_KEY_MS = 10_000

/**
 * Connects, and retries in the background while Redis is not there yet. Until then readiness fails, so that a load balancer
 * sends no traffic, and a server that starts before its Redis need not be restarted.
 */
export async function connectRedis(target: RedisTarget, options: ConnectOptions): Promise<RedisConnection> {
  const { commandTimeoutMs = COMMAND_TIMEOUT_MS, onError } = options
  // Imported here: the library has 650 files, a quarter of all that a server loads, and an embedded server needs none.
  const [{ ReconnectingClient }, { BlockingClients }] = await Promise.all([
    import('./reconnecting-client.ts'),
    import('./blocking-clients.ts'),
  ])
  const client = await ReconnectingClient.open(target, { commandTimeoutMs, onError })
  const blocking = new BlockingClients(target, { commandTimeoutMs, onError })
  return {
    kind: target.kind,
    send: (key, args) => client.send(key, args),
    sendBlocking: (key, args, blockMs) => blocking.send(key, args, blockMs),
    async ping() {
      await client.send(null, ['PING'])
    },
    async proveWritable() {
      await client.send(READY_KEY, ['SET', READY_KEY, '1', 'PX', String(READY_KEY_MS)])
    },
    async close() {
      await Promise.all([blocking.close(), client.close()])
    },
  }
}
