import { createClient } from 'redis'

/** Sends one command to one Redis, cluster node or Sentinel, over a connection that lives no longer. Answers as RESP 2. */
export async function redisCommand(port: number, ...words: readonly string[]): Promise<unknown> {
  const client = createClient({ RESP: 2, socket: { host: '127.0.0.1', port, reconnectStrategy: false } })
  // What breaks is reported by the command itself.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await client.sendCommand([...words])
  } finally {
    client.destroy()
  }
}
