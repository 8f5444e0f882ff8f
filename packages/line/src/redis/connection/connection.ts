import type { RedisTarget } from './redis-url.ts'

/** The way to Redis, whatever stands behind it: one server, a Cluster, or a primary that Sentinels name. */
export interface RedisConnection {
  readonly kind: RedisTarget['kind']
  /**
   * Sends one command to the node that holds `key`; null for commands that any node can answer. It is sent at most
   * once and fails at once while there is no connection. A lost or late answer is an error, and the caller, who knows
   * that steps are idempotent, decides whether to repeat.
   */
  send(key: string | null, args: readonly string[]): Promise<unknown>
  /** Sends a command that may block for `blockMs`, on a connection of its own. False when closed while it waited. */
  sendBlocking(key: string, args: readonly string[], blockMs: number): Promise<boolean>
  /** Fails unless Redis answers. */
  ping(): Promise<void>
  /** Fails unless Redis takes a write: a replica, a full one and one that cannot save refuse. In a Cluster, on one node. */
  proveWritable(): Promise<void>
  /** Answers under way are waited for, as long as their deadlines allow; whoever blocks is let go. */
  close(): Promise<void>
}

/** No answer came in time, so nobody knows whether the command was applied. */
export class RedisTimeout extends Error {
  override readonly name = 'RedisTimeout'
  constructor(command: string, timeoutMs: number) {
    super(`Redis did not answer ${command} within ${timeoutMs} ms; it may have been applied`)
  }
}

/** There is no connection, so nothing was sent. */
export class RedisUnreachable extends Error {
  override readonly name = 'RedisUnreachable'
  constructor(cause: unknown) {
    super('Redis cannot be reached', { cause })
  }
}
