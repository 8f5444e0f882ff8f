import { createServer, request } from 'node:http'
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net'
import { openLedger } from '@seatwise/ledger'
import { postgresDatabase, waitUntil } from '@seatwise/testbench'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { readConfig } from '../../src/config/config.ts'
import { HTTP_LIMITS } from '../../src/http/http-limits.ts'
import type { App } from '../../src/http/http-server.ts'
import { metricsRoutes } from '../../src/http/metrics.ts'
import { createKernel } from '../../src/main/kernel.ts'
import type { Services } from '../../src/main/services.ts'
import { Hub } from '../../src/push/hub.ts'
import { countLocally } from '../../src/push/occupancy.ts'
import { createRealtimeMetrics } from '../../src/push/realtime-metrics.ts'
import { realtimeRoutes } from '../../src/push/routes.ts'
import { EventClient, PushClient, publicOf, refusal } from '../support/realtime.ts'
import { openRoomServer, RoomBench } from '../support/room.ts'

/** A server that can do nothing but push, with the hub in the hands of the test. */
async function openPush(
  services: Services,
  env: Record<string, string> = {},
): Promise<{ app: App; hub: Hub; url: string }> {
  const config = readConfig({ SEATWISE_RATE_LIMITS: 'off', ...env })
  const own = { ...services, config, metrics: new Registry(), lifecycle: { stopping: false, answering: true } }
  const app = createKernel(own, { ...HTTP_LIMITS, lagMs: Number.POSITIVE_INFINITY })
  metricsRoutes(app, own)
  const hub = new Hub({ services: own, occupancy: countLocally(), metrics: createRealtimeMetrics(own.metrics) })
  const realtime = { provider: 'builtin', accessFor: () => Promise.reject(), close: async () => undefined } as const
  realtimeRoutes(app, own, { hub, realtime })
  return { app, hub, url: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

// Nothing here depends on where the ledger is.
describe('guards of push', () => {
  let bench: RoomBench
  const undo: (() => Promise<unknown>)[] = []
  let push: { app: App; hub: Hub; url: string }
  let room: string
  const clients: { close(): void }[] = []

  beforeAll(async () => {
    const database = await postgresDatabase('migrated')
    const ledger = await openLedger({ kind: 'postgres', url: database.url })
    bench = await RoomBench.open(await openRoomServer(ledger))
    push = await openPush(bench.server.services)
    undo.push(
      () => push.app.close(),
      () => bench.server.close(),
      () => ledger.close(),
      () => database.drop(),
    )
    room = await bench.sale({ paused: true })
  })
  afterEach(() => {
    for (const client of clients.splice(0)) client.close()
  })
  afterAll(async () => {
    for (const step of undo) await step()
  })

  const watch = async (url = push.url): Promise<PushClient> => {
    const client = await PushClient.open(url)
    clients.push(client)
    return await client.subscribed([publicOf(room)])
  }
  /** The others notice nothing. */
  const stillHears = async (client: PushClient): Promise<void> => {
    const text = `still here ${Math.random()}`
    await bench.operate(room, { message: text })
    await client.hear('MESSAGE', (message) => message.text === text)
    expect(client.closed).toBeNull()
  }

  describe('who gets in', () => {
    it('[U23] a page of another site is refused with 403, at WebSockets and at events', async () => {
      for (const origin of ['https://evil.example.com', 'null', `${push.url}.evil.example.com`]) {
        expect(await refusal(push.url, { origin })).toMatchObject({ status: 403, body: { code: 'FOREIGN_ORIGIN' } })
        const stream = await EventClient.open(push.url, [publicOf(room)], { origin })
        expect(stream.response.statusCode).toBe(403)
      }
    })

    it('[U23 control] a page of the site itself and an API client may connect', async () => {
      for (const headers of [{ origin: push.url }, {}]) {
        const client = await PushClient.open(push.url, headers as Record<string, string>)
        clients.push(client)
        await client.subscribed([publicOf(room)])
      }
    })

    it('[U23] beyond the number for one address it is 429, beyond that for the server 503, and places come back', async () => {
      const limits = { SEATWISE_RATE_LIMITS: 'on', SEATWISE_SOCKETS_PER_ADDRESS: '2', SEATWISE_SOCKETS_MAX: '1000' }
      for (const { env, status, code } of [
        { env: limits, status: 429, code: 'TOO_MANY_REQUESTS' },
        { env: { SEATWISE_SOCKETS_MAX: '2' }, status: 503, code: 'OVERLOADED' },
      ]) {
        const small = await openPush(bench.server.services, env as Record<string, string>)
        const [first] = [await watch(small.url), await watch(small.url)]
        expect(await refusal(small.url)).toMatchObject({ status, body: { code } })
        const stream = await EventClient.open(small.url, [publicOf(room)])
        expect(stream.response.statusCode).toBe(status)
        expect(Number(stream.response.headers['retry-after'])).toBeGreaterThan(0)
        first?.close()
        await waitUntil('a place is free', () => small.hub.limits.open === 1)
        await watch(small.url)
        await small.app.close()
      }
    })

    it('[U23] a request that is no WebSocket gets an error, and other upgrades are answered as plain requests', async () => {
      const plain = await fetch(`${push.url}/realtime`)
      expect(plain.status).toBe(426)
      expect(await plain.json()).toMatchObject({ code: 'UPGRADE_REQUIRED' })
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const asked = request(`${push.url}/metrics`, { headers: { connection: 'upgrade', upgrade: 'websocket' } })
        asked.once('response', (response) => resolve(response.resume().statusCode))
        asked.once('error', reject).end()
      })
      expect(status).toBe(200)
    })
  })

  describe('bad input', () => {
    it('[U24] a frame of 1 MB ends the connection that sent it', async () => {
      const [bad, good] = [await watch(), await watch()]
      bad.socket.send('x'.repeat(1_000_000))
      expect((await bad.hearClose()).code).toBe(1009)
      await stillHears(good)
    })

    it('[U24] ten thousand tiny fragments end the connection that sent them', async () => {
      const [bad, good] = [await watch(), await watch()]
      sendFragments(bad.socket, 10_000)
      expect((await bad.hearClose()).code).toBe(1008)
      await stillHears(good)
    })

    it('[U24] a flood of messages, and what is not a message, end the connection that sent it', async () => {
      const good = await watch()
      const flood = await watch()
      for (let index = 0; index < 200; index += 1) flood.say({ type: 'ping' })
      expect((await flood.hearClose()).code).toBe(4_009)
      for (const text of [
        '',
        'x',
        '[]',
        'null',
        '{"type":"x"}',
        '{"type":"subscribe"}',
        '{"type":"subscribe","channels":[1]}',
      ]) {
        const bad = await watch()
        bad.socket.send(text)
        expect((await bad.hearClose()).code).toBe(4_009)
      }
      const binary = await watch()
      binary.socket.send(Buffer.from([1, 2, 3]))
      expect((await binary.hearClose()).code).toBe(4_009)
      await stillHears(good)
    })

    it('[U24] one connection has sixteen channels at most', async () => {
      const client = await watch()
      const made = [...Array(16).keys()].map((index) => `event:00000000-0000-4000-8000-0000000000${index + 10}:public`)
      client.subscribe(made)
      await waitUntil('all are refused', () => client.of('ERROR').length === 16)
      expect(client.of('ERROR').filter(({ code }) => code === 'TOO_MANY_CHANNELS')).toHaveLength(1)
    })

    it('[U24 control] a WebSocket server without these limits takes the same frame and the same fragments', async () => {
      const server = createServer()
      const heard: number[] = []
      new WebSocketServer({ server }).on('connection', (socket) =>
        socket.on('message', (data) => heard.push(String(data).length)),
      )
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
      await new Promise((resolve) => socket.once('open', resolve))
      socket.send('x'.repeat(1_000_000))
      sendFragments(socket, 10_000)
      await waitUntil('both came through', () => heard.length === 2)
      expect(heard).toEqual([1_000_000, 10_000])
      socket.terminate()
      server.close()
    })
  })

  describe('slow and silent clients', () => {
    it('[U22] a client that never reads is cut; a client that reads gets the same messages', async () => {
      const deaf = await openDeaf(push.url, publicOf(room))
      const good = await watch()
      await waitUntil('both listen', () => push.hub.limits.open === 2)
      const position = { epoch: 1_000, seq: 1 }
      const found = await push.hub.roomOf({
        kind: 'event',
        id: room.split('/').at(-1) ?? '',
        address: '',
        ticketId: null,
      })
      const channels = await push.hub.channelsOf(found)
      let sent = 0
      await waitUntil(
        'the deaf one is cut',
        () => {
          channels.broadcast(position, { type: 'MESSAGE', text: 'x'.repeat(100_000) })
          sent += 1
          return push.hub.limits.open === 1
        },
        { everyMs: 1 },
      )
      expect(sent).toBeGreaterThan(2)
      await waitUntil('the other one has all', () => good.of('MESSAGE').length === sent)
      expect(good.closed).toBeNull()
      deaf.destroy()
      const metrics = await (await fetch(`${push.url}/metrics`)).text()
      expect(metrics).toContain('seatwise_push_cut_total{reason="too slow: poll"} 1')
    })

    it('[U22 control] the library alone keeps whatever such a client does not read', async () => {
      const server = createServer()
      const sockets: WebSocket[] = []
      new WebSocketServer({ server }).on('connection', (socket) => {
        sockets.push(socket)
        socket.once('message', () => socket.send('{}'))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const deaf = await openDeaf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, publicOf(room))
      const text = 'x'.repeat(100_000)
      for (let sent = 0; sent < 300; sent += 1) sockets[0]?.send(text)
      await new Promise((resolve) => setImmediate(resolve))
      expect(sockets[0]?.readyState).toBe(WebSocket.OPEN)
      expect(sockets[0]?.bufferedAmount).toBeGreaterThan(10_000_000)
      deaf.destroy()
      server.closeAllConnections()
      server.close()
    })

    it('[U25] a client that does not answer is closed, one that subscribes to nothing too', async () => {
      let time = Date.now()
      const services = { ...bench.server.services, metrics: new Registry(), now: () => time }
      const hub = new Hub({ services, occupancy: countLocally(), metrics: createRealtimeMetrics(services.metrics) })
      const wires = [new PlainWire(), new PlainWire(), new PlainWire()]
      const [silent, answering, idle] = wires.map((wire) => hub.connect(wire))
      const listening = { channel: 'x', pingMs: 20_000, alive: () => undefined, end: () => undefined }
      silent?.subscriptions.set('x', listening)
      answering?.subscriptions.set('x', listening)
      time += 20_001
      await waitUntil('both were asked', () => wires.every(({ pings, closed }) => pings > 0 || closed))
      expect(idle?.isOpen).toBe(false)
      answering?.alive()
      time += 10_001
      await waitUntil('the silent one is ended', () => wires[0]?.destroyed)
      expect(wires[1]?.destroyed).toBe(false)
      await hub.close()
    })
  })

  it('[U26] a server that stops tells every client when to come back, spread out, and says goodbye', async () => {
    const stopping = await openPush(bench.server.services)
    const listeners = [...Array(20).keys()].map(() => watch(stopping.url))
    const clients = await Promise.all(listeners)
    const stream = await EventClient.open(stopping.url, [publicOf(room)])
    await stream.hear('SUBSCRIBED')
    await stopping.app.close()
    const times = clients.map((client) => client.of('GOING_AWAY')[0]?.reconnectAfterMs)
    expect(new Set(times).size).toBeGreaterThan(10)
    expect(Math.max(...times.map(Number))).toBeLessThan(20_000)
    for (const client of clients) expect((await client.hearClose()).code).toBe(1001)
    expect(stream.of('GOING_AWAY')).toHaveLength(1)
    await stream.hearClose()
  })

  it('[U28] connections, channels and messages are in /metrics', async () => {
    const client = await watch()
    await stillHears(client)
    const metrics = await (await fetch(`${push.url}/metrics`)).text()
    expect(metrics).toMatch(/seatwise_push_connections\{transport="websocket"\} [1-9]/)
    expect(metrics).toMatch(/seatwise_push_messages_total\{type="MESSAGE"\} [1-9]/)
    for (const name of ['connections', 'senders', 'channels', 'recent', 'pending', 'rounds', 'rooms', 'counted']) {
      expect(metrics).toContain(`seatwise_buffered_items{buffer="push_${name}"}`)
    }
    expect(metrics).toContain('seatwise_http_requests_in_flight 1')
  })
})

/** One message in so many frames of one byte. */
function sendFragments(socket: WebSocket, count: number): void {
  for (let index = 1; index <= count; index += 1) socket.send('x', { fin: index === count })
}

/** Shakes hands, subscribes, and never reads again. */
async function openDeaf(url: string, channel: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url)
  const socket = connectTcp(Number(port), hostname)
  const head = [
    'GET /realtime HTTP/1.1',
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  const text = Buffer.from(JSON.stringify({ type: 'subscribe', channels: [channel] }))
  // A mask of zeros changes nothing.
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | 126, text.length >> 8, text.length & 255, 0, 0, 0, 0]), text]))
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  socket.on('error', () => undefined)
  return socket
}

/** A connection to a client that only records the calls. */
class PlainWire {
  readonly transport = 'websocket'
  readonly buffered = 0
  pings = 0
  closed = false
  destroyed = false

  write(): void {}

  ping(): void {
    this.pings += 1
  }

  close(): void {
    this.closed = true
  }

  destroy(): void {
    this.destroyed = true
  }
}
