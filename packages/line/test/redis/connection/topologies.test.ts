import { redisCommand, startCluster, startFaultProxy, startSentinel, testSeed, waitUntil } from '@seatwise/testbench'
import { describe, expect, it } from 'vitest'
import { connectRedis, type RedisConnection, RedisUnreachable } from '../../../src/index.ts'
import { targetOf } from '../harness.ts'

describe('Redis on several machines', { timeout: 90_000 }, () => {
  it('[O5] a Cluster takes keys of every slot', async () => {
    const cluster = await startCluster()
    const redis = await connect(cluster.url)
    try {
      expect(redis.kind).toBe('cluster')
      await redis.ping()
      for (let number = 0; number < 50; number += 1) {
        const key = `key-${number}`
        expect(await redis.send(key, ['INCR', key])).toBe(1)
      }
    } finally {
      await redis.close()
      await cluster.discard()
    }
  })

  it('[O5, O48] after a failover the new primary is found, and nothing was sent twice', async () => {
    const sentinel = await startSentinel({ downAfterMs: 30_000 })
    const redis = await connect(sentinel.url)
    try {
      expect(redis.kind).toBe('sentinel')
      const key = 'counter'
      expect(await waitUntil('Redis can be reached', () => countOrUnreachable(redis, key))).toBe(1)
      await sentinel.failOver()
      await waitUntil('the new primary answers', async () => {
        const role = await redis.send(null, ['ROLE'])
        return Array.isArray(role) && role[0] === 'master'
      })
      let acknowledged = 1
      for (let attempt = 0; attempt < 20; attempt += 1) {
        // A Sentinel needs a moment to trust whom it promoted.
        acknowledged = await waitUntil('Redis can be reached', () => countOrUnreachable(redis, key))
      }
      expect(acknowledged).toBe(21)
    } finally {
      await redis.close()
      await sentinel.discard()
    }
  })

  it('[O48] while the Sentinel knows no primary a command fails unsent, and says so', async () => {
    const sentinel = await startSentinel()
    const redis = await connect(sentinel.url)
    try {
      // The Sentinel considers the primary lost and has no replica to promote; our own connection to it still works.
      await redisCommand(sentinel.replica.port, 'CONFIG', 'SET', 'replica-priority', '0')
      await redis.send(null, ['CONFIG', 'SET', 'requirepass', 'not told to the Sentinel'])
      await closeConnectionsOfSentinels(redis)
      let counted = 0
      await waitUntil('a command fails', async () => {
        const count = await countOrUnreachable(redis, 'counter')
        if (count !== null) counted += 1
        return count === null
      })
      const count = await waitUntil('Redis can be reached', () => countOrUnreachable(redis, 'counter'))
      expect(count).toBe(counted + 1)
    } finally {
      await redis.close()
      await sentinel.discard()
    }
  })

  it('[O48] when the primary is lost a command fails once, and is not sent to the next one', async () => {
    const sentinel = await startSentinel()
    const redis = await connect(sentinel.url)
    try {
      await waitUntil('Redis can be reached', () => redis.ping().then(() => true))
      // The primary takes the command and dies before it replies, so it is unknown whether it was applied.
      sentinel.primary.pause()
      const lost = redis.send('counter', ['INCR', 'counter'])
      await Promise.all([expect(lost).rejects.toThrow(), sentinel.primary.kill()])
      const { port } = sentinel.primary
      await waitUntil('the replica is promoted', async () => (await sentinel.primaryPort()) !== port)
      await waitUntil('the new primary answers', () => redis.send('other', ['INCR', 'other']))
      const count = await waitUntil(
        'the counter is read',
        async () => (await redis.send('counter', ['GET', 'counter'])) ?? 'none',
      )
      expect(count).toBe('none')
    } finally {
      await redis.close()
      await sentinel.discard()
    }
  })

  it('[O30] [L38] a Cluster and Sentinels that are not there yet are tried until they are', async () => {
    const [cluster, sentinel] = await Promise.all([startCluster(), startSentinel()])
    try {
      await expectPatience(cluster.nodes[0]?.port, (port) => `redis://127.0.0.1:${port},127.0.0.1:${port}`)
      await expectPatience(sentinel.sentinels[0]?.port, (port) => sentinel.url.replace(/:\d+/, `:${port}`))
    } finally {
      await cluster.discard()
      await sentinel.discard()
    }
  })
})

/** First no node can be reached; then only the node that is asked for the others. */
async function expectPatience(targetPort = 0, urlAt: (port: number) => string): Promise<void> {
  const proxy = await startFaultProxy({ targetPort, protocol: 'redis', seed: testSeed() })
  proxy.refuse()
  const redis = await connect(urlAt(proxy.port))
  try {
    await expect(redis.ping()).rejects.toThrow(RedisUnreachable)
    await expect(redis.send('key', ['INCR', 'key'])).rejects.toThrow(RedisUnreachable)
    proxy.accept()
    await waitUntil('it is connected', () => redis.ping().then(() => true))
    expect(await redis.send('key', ['INCR', 'key'])).toBe(1)
  } finally {
    await redis.close()
    await proxy.stop()
  }
}

/** Null when nothing was sent; whatever else goes wrong is thrown. */
async function countOrUnreachable(redis: RedisConnection, key: string): Promise<number | null> {
  try {
    return Number(await redis.send(key, ['INCR', key]))
  } catch (error) {
    if (error instanceof RedisUnreachable) return null
    throw error
  }
}

async function closeConnectionsOfSentinels(redis: RedisConnection): Promise<void> {
  const clients = String(await redis.send(null, ['CLIENT', 'LIST'])).split('\n')
  const ids = clients
    .filter((line) => line.includes(' name=sentinel-'))
    .map((line) => /^id=(\d+) /.exec(line)?.[1] ?? '')
  expect(ids).not.toEqual([])
  for (const id of ids) await redis.send(null, ['CLIENT', 'KILL', 'ID', id])
}

/** Servers come and go here, so that errors of connections say nothing. */
function connect(url: string): Promise<RedisConnection> {
  return connectRedis(targetOf(url), { onError: () => undefined })
}
