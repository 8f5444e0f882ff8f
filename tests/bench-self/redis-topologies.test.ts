import { redisCommand, startCluster, startSentinel, waitUntil } from '@seatwise/testbench'
import { createCluster } from 'redis'
import { expect, test } from 'vitest'

test('[T4] a Cluster of three masters serves keys on all of them', async () => {
  const cluster = await startCluster()
  const client = createCluster({ rootNodes: cluster.nodes.map(({ url }) => ({ url })) })
  await client.connect()
  for (let index = 0; index < 50; index += 1) await client.set(`key:${index}`, index)
  await client.close()

  const counts = await Promise.all(cluster.nodes.map(({ port }) => redisCommand(port, 'DBSIZE')))
  for (const count of counts) expect(count).toBeGreaterThan(0)
  expect(counts.reduce((sum: number, count) => sum + Number(count), 0)).toBe(50)
  await cluster.discard()
})

test('[T4] Sentinels promote the replica, which has the data of the primary', async () => {
  const system = await startSentinel({ downAfterMs: 30_000 })
  expect(await system.primaryPort()).toBe(system.primary.port)
  await redisCommand(system.primary.port, 'SET', 'key', 'value')
  await waitUntil('the replica has it', async () => (await redisCommand(system.replica.port, 'GET', 'key')) === 'value')
  await system.failOver()
  expect(await system.primaryPort()).toBe(system.replica.port)
  expect(await redisCommand(system.replica.port, 'GET', 'key')).toBe('value')
  await system.discard()
})
