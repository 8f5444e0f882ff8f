import { startCluster, startSentinel, waitUntil } from '@seatwise/testbench'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { openRedis } from '../src/redis.ts'
import { parseRedisUrl, type RedisTarget } from '../src/redis-url.ts'

const log = pino({ level: 'silent' })

function targetOf(url: string): RedisTarget {
  const parsed = parseRedisUrl(url)
  if (parsed.status === 'bad') throw new Error(parsed.problem)
  return parsed.target
}

describe('Redis on several machines', { timeout: 90_000 }, () => {
  it('[O5] a Cluster takes keys of every slot', async () => {
    const cluster = await startCluster()
    const redis = await openRedis(targetOf(cluster.url), log)
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
    const sentinel = await startSentinel()
    const redis = await openRedis(targetOf(sentinel.url), log)
    try {
      expect(redis.kind).toBe('sentinel')
      const key = 'counter'
      expect(await redis.send(key, ['INCR', key])).toBe(1)
      await sentinel.failOver()
      await waitUntil('the new primary answers', async () => {
        const role = await redis.send(null, ['ROLE'])
        return Array.isArray(role) && role[0] === 'master'
      })
      let acknowledged = 1
      for (let attempt = 0; attempt < 20; attempt += 1) {
        acknowledged = Number(await redis.send(key, ['INCR', key]))
      }
      expect(acknowledged).toBe(21)
    } finally {
      await redis.close()
      await sentinel.discard()
    }
  })

  it('[O48] when the primary is lost a command fails once, and is not sent to the next one', async () => {
    const sentinel = await startSentinel()
    const redis = await openRedis(targetOf(sentinel.url), log)
    try {
      await redis.ping()
      // The primary takes the command and dies before it answers: whether it was applied, nobody can know.
      sentinel.primary.pause()
      const lost = redis.send('counter', ['INCR', 'counter'])
      await Promise.all([expect(lost).rejects.toThrow(), sentinel.primary.kill()])
      const { port } = sentinel.primary
      await waitUntil('the replica is promoted', async () => (await sentinel.primaryPort()) !== port)
      await waitUntil('the new primary answers', () => redis.send('other', ['INCR', 'other']))
      const count = (await redis.send('counter', ['GET', 'counter'])) ?? 'none'
      expect(count).toBe('none')
    } finally {
      await redis.close()
      await sentinel.discard()
    }
  })
})
