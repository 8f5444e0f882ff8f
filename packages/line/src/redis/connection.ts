/** How scripts reach Redis, whether one server, a Cluster or a primary named by Sentinels. */
export interface RedisConnection {
  /**
   * Sends one command to the node that holds `key`. It is sent at most once: a lost or late answer is an error, and the
   * caller, who knows that steps are idempotent, decides whether to repeat.
   */
  send(key: string, args: readonly string[]): Promise<unknown>
  /** Sends a command that may block for `blockMs`, on a connection of its own. False when closed while it waited. */
  sendBlocking(key: string, args: readonly string[], blockMs: number): Promise<boolean>
  close(): Promise<void>
}

/** No answer came in time, so nobody knows whether the command was applied. */
export class RedisTimeout extends Error {
  override readonly name = 'RedisTimeout'
  constructor(command: string, timeoutMs: number) {
    super(`Redis did not answer ${command} within ${timeoutMs} ms; it may have been applied`)
  }
}
