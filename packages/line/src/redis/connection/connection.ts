import type { RedisTarget } from './redis-url.ts'

/** A connection to Redis: one server, a Cluster, or a primary behind Sentinels. */
export interface RedisConnection {
  readonly kind: RedisTarget['kind']
  /**
   * Sends one command to the node that holds `key`; null for commands that any node can answer. It is sent at most
   * once and fails at once while there is no connection. A lost or late reply is an error, and the caller decides whether
   * to retry: steps are idempotent. Rule L37.
   */
  send(key: string | null, args: readonly string[]): Promise<unknown>
  /** Sends a command that may block for `blockMs`, on a connection of its own. False when closed meanwhile. */
  sendBlocking(key: string, args: readonly string[], blockMs: number): Promise<boolean>
  /** Fails unless Redis answers. */
  ping(): Promise<void>
  /** Fails unless Redis accepts a write: a replica refuses, and so does a server that is full or cannot save. In a Cluster, on one node. */
  proveWritable(): Promise<void>
  /** Waits for replies under way until their deadlines; blocking commands end at once. */
  close(): Promise<void>
}

/** No reply came in time, so it is unknown whether the command was applied. */
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
