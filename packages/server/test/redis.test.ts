import { type FaultProxy, redisPrefix, redisUrl, startFaultProxy, testSeed, waitUntil } from '@seatwise/testbench'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { DeadlinePassed } from '../src/deadline.ts'
import { openRedis, type RedisConnection } from '../src/redis.ts'
import { parseRedisUrl, type RedisTarget } from '../src/redis-url.ts'

const log = pino({ level: 'silent' })

function targetOf(url: string): RedisTarget {
  const parsed = parseRedisUrl(url)
  if (parsed.status === 'bad') throw new Error(parsed.problem)
  return parsed.target
}

describe('the connection to Redis', () => {
  const opened: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close()
  })

  async function openThroughProxy(): Promise<{ redis: RedisConnection; proxy: FaultProxy }> {
    const url = new URL(redisUrl())
    const proxy = await startFaultProxy({ targetPort: Number(url.port), protocol: 'redis', seed: testSeed() })
    opened.push({ close: () => proxy.stop() })
    url.port = String(proxy.port)
    const redis = await openRedis(targetOf(url.href), log)
    opened.push(redis)
    return { redis, proxy }
  }

  it('[O48] a command whose answer is lost is not sent again', async () => {
    const { redis, proxy } = await openThroughProxy()
    const { prefix } = redisPrefix()
    const swallowed = proxy.swallowReply({ matching: /INCR/ })
    await expect(redis.send(prefix, ['INCR', prefix])).rejects.toThrow()
    await swallowed
    await waitUntil('it is connected again', () => redis.ping().then(() => true))
    expect(await redis.send(prefix, ['GET', prefix])).toBe('1')
    await redis.send(prefix, ['DEL', prefix])
  })

  it('[O48] a command without an answer fails at its deadline', async () => {
    const { redis, proxy } = await openThroughProxy()
    await redis.ping()
    proxy.cut()
    await expect(redis.ping()).rejects.toThrow(DeadlinePassed)
    proxy.heal()
    await waitUntil('it answers again', () => redis.ping().then(() => true))
  })

  it('[O48] without a connection a command fails at once instead of waiting for one', async () => {
    const { redis, proxy } = await openThroughProxy()
    proxy.refuse()
    proxy.reset()
    await waitUntil('the loss is noticed', () =>
      redis.ping().then(
        () => false,
        () => true,
      ),
    )
    await expect(redis.ping()).rejects.not.toThrow(DeadlinePassed)
    proxy.accept()
    await waitUntil('it is connected again', () => redis.ping().then(() => true))
  })

  it('[O30] a server starts without Redis and is not ready until it is there', async () => {
    const url = new URL(redisUrl())
    const proxy = await startFaultProxy({ targetPort: Number(url.port), protocol: 'redis', seed: testSeed() })
    opened.push({ close: () => proxy.stop() })
    proxy.refuse()
    url.port = String(proxy.port)
    const redis = await openRedis(targetOf(url.href), log)
    opened.push(redis)
    await expect(redis.ping()).rejects.toThrow()
    proxy.accept()
    await waitUntil('it is connected', () => redis.ping().then(() => true))
  })
})
