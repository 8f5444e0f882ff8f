/** The connection to Redis that all features share. */
export interface RedisConnection {
  ping(): Promise<void>
  close(): Promise<void>
}
