import { redisUrl, startFaultProxy, startServer, testSeed, waitUntil } from '@seatwise/testbench'
import { describe, expect, it } from 'vitest'

describe('Redis and the server', { timeout: 90_000 }, () => {
  it('[O30] a server that starts before its Redis is not ready until that is there', async () => {
    const redis = new URL(redisUrl())
    const proxy = await startFaultProxy({ targetPort: Number(redis.port), protocol: 'redis', seed: testSeed() })
    redis.port = String(proxy.port)
    const server = await startServer({ mode: 'distributed', redisUrl: redis.href })
    try {
      await server.stop()
      proxy.refuse()
      const started = server.restart()
      const answer = await waitUntil('it says what is missing', async () => {
        const ready = await fetch(`${server.url}/health/ready`, { headers: { connection: 'close' } })
        return ready.status === 503 ? await ready.json() : null
      })
      expect(answer).toMatchObject({ code: 'UNAVAILABLE', missing: ['redis'] })
      proxy.accept()
      await started
    } finally {
      await server.discard()
      await proxy.stop()
    }
  })
})
