import { expect, it } from 'vitest'
import { platform } from '../src/device/environment.ts'
import { createListener } from '../src/network/listener.ts'
import type { PushMessage, Socket } from '../src/types.ts'
import { VirtualTime } from './support/virtual-time.ts'

const PRIVATE = 'event:1:private:tkt_1'

/** The other end of a socket, in the hands of the test. */
class TestSocket implements Socket {
  readonly sent: { type: string }[] = []
  isClosed = false
  onopen: Socket['onopen'] = null
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  close(): void {
    this.isClosed = true
  }

  say(message: PushMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
}

function listen() {
  const time = new VirtualTime()
  const sockets: { at: number; socket: TestSocket }[] = []
  const heard: PushMessage[] = []
  const openSocket = () => {
    const socket = new TestSocket()
    sockets.push({ at: time.now, socket })
    return socket
  }
  const listener = createListener(
    { ...platform(), ...time.environment({ openSocket }) },
    {
      url: 'ws://site.test/realtime',
      subscription: () => ({ channels: [PRIVATE], without: [] }),
      hear: (message) => heard.push(message),
      changed: () => undefined,
    },
  )
  const last = () => {
    const found = sockets.at(-1)
    if (found === undefined) throw new Error('No socket was opened')
    return found
  }
  const connect = () => {
    last().socket.onopen?.()
    last().socket.say({ type: 'SUBSCRIBED', channels: [PRIVATE] })
  }
  return { time, sockets, heard, listener, last, connect }
}

it('[K15] a socket subscribes when it opens, and listens once the private channel is confirmed', () => {
  const { listener, last, connect, heard } = listen()
  listener.want(true)
  expect(listener.isListening()).toBe(false)
  connect()
  expect(last().socket.sent).toEqual([{ type: 'subscribe', channels: [PRIVATE], without: [] }])
  expect(listener.isListening()).toBe(true)
  last().socket.say({ type: 'QUEUE_MOVE' })
  expect(heard.map(({ type }) => type)).toEqual(['SUBSCRIBED', 'QUEUE_MOVE'])
  last().socket.say({ type: 'UNSUBSCRIBED', channel: PRIVATE, code: 'TICKET_MOVED' })
  expect(listener.isListening()).toBe(false)
  listener.want(false)
  expect(last().socket.isClosed).toBe(true)
})

it('[K15] one that cannot be opened is tried again later each time, up to an end', async () => {
  const { time, listener, sockets, last } = listen()
  listener.want(true)
  const gaps: number[] = []
  for (let tries = 1; tries <= 9; tries++) {
    const closedAt = time.now
    last().socket.onclose?.({ code: 1006 })
    while (sockets.length === tries) await time.advance(100)
    gaps.push(last().at - closedAt)
  }
  expect(gaps.toSorted((a, b) => a - b)).toEqual(gaps)
  expect(gaps[0]).toBeGreaterThan(0)
  expect(gaps.at(-1)).toBeLessThanOrEqual(30_000)
  // Opened at last: the next failure starts again with a short distance.
  last().socket.say({ type: 'SUBSCRIBED', channels: [PRIVATE] })
  const { at } = last()
  last().socket.onclose?.({ code: 1006 })
  await time.advance(1_000)
  expect(sockets).toHaveLength(11)
  expect(last().at).toBeGreaterThan(at)
  listener.want(false)
})

it('[K15] a server that goes away says when to come back', async () => {
  const { time, listener, sockets, last, connect } = listen()
  listener.want(true)
  connect()
  last().socket.say({ type: 'GOING_AWAY', reconnectAfterMs: 12_345 })
  last().socket.onclose?.({ code: 1001 })
  await time.advance(12_344)
  expect(sockets).toHaveLength(1)
  await time.advance(1)
  expect(sockets).toHaveLength(2)
  // A room that cannot be followed at the moment says so, too.
  connect()
  last().socket.say({ type: 'ERROR', code: 'UNAVAILABLE', channel: PRIVATE, retryAfterMs: 1_500 })
  await time.advance(1_500)
  expect(sockets).toHaveLength(3)
  listener.want(false)
})

it('[K15] one that was cut for a reason is not missed for a while', async () => {
  const { time, listener, sockets, last, connect } = listen()
  listener.want(true)
  connect()
  last().socket.onclose?.({ code: 4_008 })
  await time.advance(120_000)
  expect(sockets).toHaveLength(1)
  while (sockets.length === 1) await time.advance(1_000)
  expect(last().at).toBeLessThanOrEqual(time.now)
  listener.want(false)
})

it('[K15] [K18] one that is silent is asked, and replaced when it does not answer; one that slept is replaced', async () => {
  const { time, listener, sockets, last, connect } = listen()
  listener.want(true)
  connect()
  await time.advance(45_000)
  expect(last().socket.sent.at(-1)).toEqual({ type: 'ping' })
  last().socket.say({ type: 'PONG' })
  await time.advance(20_000)
  expect(sockets).toHaveLength(1)
  await time.advance(37_000)
  expect(sockets[0]?.socket.isClosed).toBe(true)
  expect(sockets).toHaveLength(2)
  connect()
  listener.renew()
  expect(sockets).toHaveLength(3)
  expect(sockets[1]?.socket.isClosed).toBe(true)
  listener.want(false)
  expect(time.timers).toBe(0)
})

it('[K15] where sockets are not to be had, nothing breaks', async () => {
  const time = new VirtualTime()
  const listener = createListener(
    { ...platform(), ...time.environment() },
    {
      url: 'ws://site.test',
      subscription: () => ({ channels: [], without: [] }),
      hear: () => undefined,
      changed: () => undefined,
    },
  )
  listener.want(true)
  await time.advance(600_000)
  expect(listener.isListening()).toBe(false)
  listener.want(false)
  expect(time.timers).toBe(0)
})
