import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import {
  delayer,
  type FaultProxy,
  resetSocket,
  seededRandom,
  startFaultProxy,
  testSeed,
  waitUntil,
} from '@seatwise/testbench'
import { expect, test } from 'vitest'

test('[T10] the same seed gives the same delays, another seed gives others', () => {
  const delays = (seed: number): number[] => {
    const delay = delayer(seededRandom(seed, 1), () => ({ ms: 20, jitterMs: 10 }))
    return Array.from({ length: 100 }, () => delay({ bytes: Buffer.alloc(1), ends: false, text: '' }))
  }
  expect(delays(7)).toEqual(delays(7))
  expect(delays(7)).not.toEqual(delays(8))
  for (const ms of delays(7)) expect(ms >= 20 && ms < 30).toBe(true)
})

test('[T10] bytes arrive whole and in order through latency and jitter', async () => {
  const { proxy, client, received, stop } = await echo()
  proxy.setLatency({ ms: 5, jitterMs: 10 })
  const sent = Array.from({ length: 200 }, (_, index) => `${index};`)
  for (const piece of sent) client.write(piece)
  await waitUntil('everything came back', () => received() === sent.join(''))
  await stop()
})

test('[T11] a black hole holds everything back until it is healed', async () => {
  const { proxy, client, received, stop } = await echo()
  await roundTrip(client, received, 'before;')
  proxy.cut()
  client.write('during;')
  await expect(
    waitUntil('it passes the cut', () => received().includes('during'), { timeoutMs: 100 }),
  ).rejects.toThrow()
  proxy.heal()
  await waitUntil('it arrives after all', () => received() === 'before;during;')
  await stop()
})

for (const direction of ['to-server', 'to-client'] as const) {
  test(`[T11] a one-way network stops what goes ${direction}, and nothing else`, async () => {
    const { proxy, client, received, serverGot, stop } = await echo()
    proxy.cut(direction)
    client.write('x')
    if (direction === 'to-client') await waitUntil('the server got it', () => serverGot() === 'x')
    await expect(waitUntil('a reply comes', () => received() !== '', { timeoutMs: 100 })).rejects.toThrow()
    expect(serverGot()).toBe(direction === 'to-client' ? 'x' : '')
    proxy.heal()
    await waitUntil('the reply comes', () => received() === 'x')
    await stop()
  })
}

test('[T11] a reset breaks open connections, and refused ones never open', async () => {
  const { proxy, client, received, stop } = await echo()
  await roundTrip(client, received, 'before;')
  const failed = once(client, 'error')
  proxy.reset()
  expect(await failed).toMatchObject([{ code: 'ECONNRESET' }])
  await waitUntil('the proxy forgot it', () => proxy.openConnections() === 0)

  proxy.refuse()
  const refused = connect(proxy.port, '127.0.0.1')
  expect(await once(refused, 'error')).toMatchObject([{ code: 'ECONNRESET' }])
  proxy.accept()
  const accepted = connect(proxy.port, '127.0.0.1')
  await once(accepted, 'connect')
  accepted.destroy()
  await stop()
})

test('[T11] [T7] a connection that is about to end can be reset, too, and is closed', async () => {
  const { proxy, client, received, stop } = await echo()
  await roundTrip(client, received, 'before;')
  client.end()
  await Promise.resolve()
  const closed = once(client, 'close')
  resetSocket(client)
  await closed
  await waitUntil('the proxy forgot it', () => proxy.openConnections() === 0)
  await stop()
})

test('[T11] a cut does not fill the memory: the sender is slowed down instead', async () => {
  const { proxy, client, stop } = await echo()
  proxy.cut('to-server')
  let accepted = 0
  const block = Buffer.alloc(1_000_000)
  while (client.write(block) && accepted < 100) accepted += 1
  expect(client.writableLength).toBeGreaterThan(0)
  await stop()
})

async function roundTrip(client: Socket, received: () => string, text: string): Promise<void> {
  const before = received()
  client.write(text)
  await waitUntil('the echo is back', () => received() === before + text)
}

interface Echo {
  proxy: FaultProxy
  client: Socket
  received: () => string
  serverGot: () => string
  stop: () => Promise<void>
}

async function echo(): Promise<Echo> {
  let serverGot = ''
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', (data) => {
      serverGot += data.toString()
      socket.write(data)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The echo server has no port')
  const proxy = await startFaultProxy({ targetPort: address.port, seed: testSeed() })
  const client = connect(proxy.port, '127.0.0.1')
  let received = ''
  client.on('data', (data) => {
    received += data.toString()
  })
  client.on('error', () => client.destroy())
  await once(client, 'connect')
  return {
    proxy,
    client,
    received: () => received,
    serverGot: () => serverGot,
    async stop() {
      client.destroy()
      await proxy.stop()
      server.close()
      await once(server, 'close')
    },
  }
}
