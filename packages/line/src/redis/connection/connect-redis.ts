import { READY_KEY } from '../scripts/keys.ts'
import type { RedisConnection } from './connection.ts'
import type { RedisTarget } from './redis-url.ts'

export interface ConnectOptions {
  /** How long a command may take, from sending to its answer. */
  commandTimeoutMs?: number
  /** Told of every trouble with a connection; they mend themselves. */
  onError: (error: unknown) => void
}

/** Longer than any script of ours runs by three orders of magnitude; shorter than a visitor's patience. */
const COMMAND_TIMEOUT_MS = 2_000
/** What a proof of writing leaves behind is gone soon after. */
const READY_KEY_MS = 10_000

/**
 * Connects, and goes on trying in the background when Redis is not there yet: until then readiness fails, which is
 * what a load balancer understands, and a server that starts before its Redis needs nobody to restart it.
 */
export async function connectRedis(target: RedisTarget, options: ConnectOptions): Promise<RedisConnection> {
  const { commandTimeoutMs = COMMAND_TIMEOUT_MS, onError } = options
  // Loaded here: the library is 650 files, a quarter of all that a server loads, and embedded it needs none of them.
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
