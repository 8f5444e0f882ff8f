import { type FaultProxy, redisPrefix, startFaultProxy, testSeed, waitUntil } from '@seatwise/testbench'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectRedis, type RedisConnection, RedisTimeout, RedisUnreachable } from '../../../src/index.ts'
import { targetOf } from '../harness.ts'

describe('the connection to Redis', () => {
  let proxy: FaultProxy
  let url: string
  let key: string
  let connection: RedisConnection | undefined

  beforeEach(async () => {
    const redis = redisPrefix()
    const target = new URL(redis.url)
    proxy = await startFaultProxy({ targetPort: Number(target.port), protocol: 'redis', seed: testSeed() })
    target.port = String(proxy.port)
    url = target.href
    key = `${redis.prefix}count`
  })

  afterEach(async () => {
    await connection?.close()
    await proxy.stop()
  })

  async function connect(commandTimeoutMs = 2_000): Promise<RedisConnection> {
    // Connections break on purpose here.
    connection = await connectRedis(targetOf(url), { commandTimeoutMs, onError: () => undefined })
    return connection
  }

  test('[L37] [O48] a command with a lost reply is not sent again', async () => {
    const redis = await connect()
    const swallowed = proxy.swallowReply({ matching: /^INCR/ })
    await expect(redis.send(key, ['INCR', key])).rejects.toThrow()
    await swallowed
    const count = await waitUntil('it is connected again', () => redis.send(key, ['GET', key]))
    expect(count).toBe('1')
  })

  test.each([['to-client'], ['to-server']] as const)(
    '[L37] [O48] cut %s, a command fails at its deadline, and another connection is taken',
    async (direction) => {
      const redis = await connect(50)
      proxy.cut(direction)
      await expect(redis.send(key, ['INCR', key])).rejects.toThrow(RedisTimeout)
      proxy.heal()
      await waitUntil('it is connected again', () => redis.send(key, ['INCR', key]))
    },
  )

  test('[L37] [O48] without a connection a command fails at once, and is not queued', async () => {
    const redis = await connect()
    proxy.refuse()
    proxy.reset()
    await waitUntil('the loss is noticed', () => redis.ping().then(never, isUnreachable))
    const requests = proxy.requests()
    await expect(redis.send(key, ['INCR', key])).rejects.toThrow(RedisUnreachable)
    proxy.accept()
    await waitUntil('it is connected again', () => redis.ping().then(always))
    expect(await redis.send(key, ['GET', key])).toBeNull()
    expect(proxy.requests()).toBeGreaterThan(requests)
  })

  test('[O30] [O48] a Redis that is not there yet is no error: commands fail at once until it is', async () => {
    proxy.refuse()
    const redis = await connect()
    await expect(redis.ping()).rejects.toThrow(RedisUnreachable)
    await expect(redis.send(key, ['INCR', key])).rejects.toThrow(RedisUnreachable)
    proxy.accept()
    await waitUntil('it is connected', () => redis.ping().then(always))
    expect(await redis.send(key, ['GET', key])).toBeNull()
  })

  test('[O30] [O48] a Redis that takes connections and says nothing is one that is not there', async () => {
    proxy.cut()
    const redis = await connect()
    await expect(redis.ping()).rejects.toThrow(RedisUnreachable)
    proxy.heal()
    await waitUntil('it is connected', () => redis.ping().then(always))
  }, 30_000)

  test('[L37] a blocking command fails when its connection is lost, and the next one gets another connection', async () => {
    const redis = await connect()
    const read = (blockMs: number) => redis.sendBlocking(key, ['BLPOP', key, String(blockMs / 1_000)], blockMs)
    expect(await read(10)).toBe(true)
    const lost = read(60_000)
    await Promise.all([expect(lost).rejects.toThrow(), breakBlocked()])
    await waitUntil('it blocks again', () => read(10))

    async function breakBlocked(): Promise<void> {
      await waitUntil('it blocks', async () => String(await redis.send(null, ['CLIENT', 'LIST'])).includes('cmd=blpop'))
      proxy.reset()
    }
  })

  test('[L37] closing ends blocking commands, and leaves no connection open', async () => {
    const redis = await connect()
    const blocked = redis.sendBlocking(key, ['BLPOP', key, '60'], 60_000)
    await waitUntil('it blocks', () => proxy.openConnections() === 2)
    await redis.close()
    expect(await blocked).toBe(false)
    await waitUntil('nothing is open', () => proxy.openConnections() === 0)
    await expect(redis.ping()).rejects.toThrow('closed')
  })
})

const always = (): boolean => true
const never = (): boolean => false

function isUnreachable(error: unknown): boolean {
  return error instanceof RedisUnreachable
}
