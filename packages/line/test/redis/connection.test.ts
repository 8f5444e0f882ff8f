import { redisPrefix, startFaultProxy, testSeed, waitUntil } from '@seatwise/testbench'
import { describe, expect, test } from 'vitest'
import { connectRedis, RedisTimeout } from '../../src/index.ts'

describe('the connection to Redis', () => {
  test('[L37] a command whose answer was lost is not sent again', async () => {
    const { connection, proxy, key, stop } = await openThroughProxy(2_000)
    const swallowed = proxy.swallowReply({ matching: /^INCR/ })
    await expect(connection.send(key, ['INCR', key])).rejects.toThrow()
    await swallowed
    const count = await waitUntil('it is connected again', () => connection.send(key, ['GET', key]))
    expect(count).toBe('1')
    await stop()
  })

  test('[L37] an answer that does not come in time is an error, and another connection is taken', async () => {
    const { connection, proxy, key, stop } = await openThroughProxy(50)
    proxy.cut('to-client')
    await expect(connection.send(key, ['INCR', key])).rejects.toThrow(RedisTimeout)
    proxy.heal()
    await waitUntil('it is connected again', () => connection.send(key, ['INCR', key]))
    await stop()
  })

  test('[L37] nothing is queued while Redis cannot be reached', async () => {
    const { connection, proxy, key, stop } = await openThroughProxy(2_000)
    proxy.refuse()
    proxy.reset()
    await waitUntil('the connection is broken', async () =>
      connection.send(key, ['GET', key]).then(
        () => false,
        () => true,
      ),
    )
    const requests = proxy.requests()
    await expect(connection.send(key, ['INCR', key])).rejects.toThrow()
    proxy.accept()
    expect(await waitUntil('it is back', async () => ({ value: await connection.send(key, ['GET', key]) }))).toEqual({
      value: null,
    })
    expect(proxy.requests()).toBeGreaterThan(requests)
    await stop()
  })

  test('[L38] a Redis that is not there is an error at once', async () => {
    const { proxy, stop } = await openThroughProxy(2_000)
    await stop()
    await expect(
      connectRedis({ url: `redis://127.0.0.1:${proxy.port},127.0.0.1:${proxy.port}`, onError: ignore }),
    ).rejects.toThrow()
  })
})

async function openThroughProxy(commandTimeoutMs: number) {
  const { url, prefix } = redisPrefix()
  const target = new URL(url)
  const proxy = await startFaultProxy({ targetPort: Number(target.port), protocol: 'redis', seed: testSeed() })
  target.port = String(proxy.port)
  const connection = await connectRedis({ url: target.href, commandTimeoutMs, onError: ignore })
  const stop = async (): Promise<void> => {
    await connection.close()
    await proxy.stop()
  }
  return { connection, proxy, key: `${prefix}count`, stop }
}

/** Connections break on purpose here. */
function ignore(): void {}
