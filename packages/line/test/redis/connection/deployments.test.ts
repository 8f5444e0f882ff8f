import { type RedisCluster, type RedisSentinel, startCluster, startSentinel, waitUntil } from '@seatwise/testbench'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lineContract } from '../../contract/line-contract.ts'
import { openTestRoom } from '../../contract/test-room.ts'
import { openHarnessAt } from '../harness.ts'

describe('on a Cluster', () => {
  let cluster: RedisCluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(async () => {
    await cluster.discard()
  })

  lineContract('cluster', () => openHarnessAt(cluster.url, 'test:'))

  test('[L38] rooms are spread over the nodes, each whole on one', async () => {
    const harness = await openHarnessAt(cluster.url, 'spread:')
    for (let count = 0; count < 30; count++) await (await openTestRoom(harness)).draw('ada')
    await harness.close()
    for (const { port } of cluster.nodes) {
      const node = await openHarnessAt(`redis://127.0.0.1:${port}`, '')
      expect(Number(await node.connection.send('', ['DBSIZE']))).toBeGreaterThan(0)
      await node.close()
    }
  })
})

describe('behind Sentinels', () => {
  let sentinel: RedisSentinel
  beforeAll(async () => {
    sentinel = await startSentinel({ downAfterMs: 30_000 })
  })
  afterAll(async () => {
    await sentinel.discard()
  })

  lineContract('sentinel', () => openHarnessAt(sentinel.url, 'test:'))

  test('[L38] a failover that loses nothing goes on where it was', async () => {
    const harness = await openHarnessAt(sentinel.url, 'failover:', () => undefined)
    const room = await openTestRoom(harness)
    const ada = await room.draw('ada')
    await sentinel.failOver()
    const again = await waitUntil('the new primary answers', () => room.join('ada'), { timeoutMs: 30_000 })
    expect(again).toMatchObject({ status: 'present', number: ada.number })
    const bob = await waitUntil('the Sentinel trusts whom it promoted', () => room.draw('bob'))
    expect(bob).toMatchObject({ number: ada.number + 1, rank: 1 })
    await harness.close()
  })
})
