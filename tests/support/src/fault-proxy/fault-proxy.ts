import { connect, createServer, type Server, type Socket } from 'node:net'
import { seededRandom } from '../seed.ts'
import { type Conversation, type Frame, opaqueConversation } from './frames.ts'
import { Lane } from './lane.ts'
import { postgresConversation } from './postgres-frames.ts'
import { redisConversation } from './redis-frames.ts'
import { resetSocket } from './reset-socket.ts'
import { ReplySwallower, type SwallowOrder } from './swallow.ts'

export interface FaultProxyOptions {
  /** The port of the real thing on this machine. */
  targetPort: number
  /** Needed to count requests. Without it only bytes are known. */
  protocol?: 'redis' | 'postgres'
  /** All random choices follow from it: take `testSeed()`. */
  seed: number
}

export type Direction = 'to-server' | 'to-client'

export interface Latency {
  ms: number
  /** Up to this much is added, chosen by the seed for each frame. */
  jitterMs?: number
  bytesPerSecond?: number
}

/** A TCP proxy between a program and its store that misbehaves on demand. */
export interface FaultProxy {
  readonly port: number
  readonly seed: number
  /** Requests seen since the start, over all connections. */
  requests(): number
  openConnections(): number
  setLatency(latency: Latency): void
  /** Holds back what goes in this direction (both without one): a black hole, or a one-way network. */
  cut(direction?: Direction): void
  /** Ends all latency and cuts; what was held back is delivered. */
  heal(): void
  /** Breaks all open connections with a TCP reset. */
  reset(): void
  /** New connections go to another port from now on, as when an address leads elsewhere; open ones are reset. */
  retarget(port: number): void
  /** Resets new connections at once, until `accept`. */
  refuse(): void
  accept(): void
  /**
   * The k-th request from now on that matches reaches the server and is applied; its reply is thrown away and the
   * connection reset. Resolves with the text of that request when it happened.
   */
  swallowReply(order?: SwallowOrder): Promise<string>
  /** Does the same to each matching request with this chance, by the seed. 0 ends it. */
  swallowReplies(chance: number, matching?: RegExp): void
  /** How many replies were swallowed so far. */
  swallowed(): number
  stop(): Promise<void>
}

const CONVERSATIONS = { redis: redisConversation, postgres: postgresConversation, opaque: opaqueConversation }

export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { seed } = options
  let { targetPort } = options
  const openConversation = CONVERSATIONS[options.protocol ?? 'opaque']
  const swallower = new ReplySwallower(seed)
  const cuts = new Set<Direction>()
  const pairs = new Set<Pair>()
  /** Both ends of all pairs: one may need longer to close than the other. */
  const sockets = new Set<Socket>()
  let latency: Latency = { ms: 0 }
  let refusing = false
  let connectionCount = 0

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.on('error', () => client.destroy())
    keepUntilClosed(client)
    if (refusing) {
      resetSocket(client)
      return
    }
    connectionCount += 1
    const upstream = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    keepUntilClosed(upstream)
    const pair = joinSockets(client, upstream, openConversation(), connectionCount)
    pairs.add(pair)
    client.once('close', () => pairs.delete(pair))
  })

  function keepUntilClosed(socket: Socket): void {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }

  function joinSockets(client: Socket, upstream: Socket, talk: Conversation, connection: number): Pair {
    const destroy = (): void => {
      resetSocket(client)
      resetSocket(upstream)
    }
    const watch = swallower.watch()
    const lane = (direction: Direction, source: Socket, sink: Socket): Lane =>
      new Lane(source, sink, direction === 'to-server' ? talk.requests : talk.replies, {
        delayMs: delayer(seededRandom(seed, 2 * connection + (direction === 'to-server' ? 0 : 1)), () => latency),
        isCut: () => cuts.has(direction),
        inspect: direction === 'to-server' ? watch.request : watch.reply,
        reset: destroy,
      })
    const lanes = [lane('to-server', client, upstream), lane('to-client', upstream, client)]
    client.once('close', (hadError) => (hadError ? resetSocket(upstream) : upstream.destroySoon()))
    upstream.on('error', () => upstream.destroy())
    upstream.once('close', (hadError) => (hadError ? resetSocket(client) : client.destroySoon()))
    for (const each of lanes) each.pump()
    return { lanes, destroy }
  }

  const pumpAll = (): void => {
    for (const pair of pairs) for (const lane of pair.lanes) lane.pump()
  }
  const port = await listen(server)

  return {
    port,
    seed,
    requests: () => swallower.requests,
    openConnections: () => pairs.size,
    setLatency(next) {
      latency = next
    },
    cut(direction) {
      for (const each of direction === undefined ? BOTH : [direction]) cuts.add(each)
      pumpAll()
    },
    heal() {
      latency = { ms: 0 }
      cuts.clear()
      pumpAll()
    },
    reset() {
      for (const pair of pairs) pair.destroy()
    },
    retarget(next) {
      targetPort = next
      for (const pair of pairs) pair.destroy()
    },
    refuse() {
      refusing = true
    },
    accept() {
      refusing = false
    },
    swallowReply: (order) => swallower.order(order ?? {}),
    swallowReplies: (chance, matching) => swallower.setChance(chance, matching),
    swallowed: () => swallower.swallowed,
    async stop() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      const broken = [...sockets].map(untilClosed)
      for (const socket of sockets) resetSocket(socket)
      await Promise.all([closed.promise, ...broken])
    },
  }
}

interface Pair {
  readonly lanes: readonly Lane[]
  destroy(): void
}

const BOTH: readonly Direction[] = ['to-server', 'to-client']

/** The n-th frame of a connection and direction always draws the same jitter. */
export function delayer(random: () => number, latency: () => Latency): (frame: Frame) => number {
  return (frame) => {
    const { ms, jitterMs = 0, bytesPerSecond } = latency()
    const transferMs = bytesPerSecond === undefined ? 0 : (1_000 * frame.bytes.length) / bytesPerSecond
    return ms + random() * jitterMs + transferMs
  }
}

function untilClosed(socket: Socket): Promise<void> {
  const closed = Promise.withResolvers<void>()
  socket.once('close', () => closed.resolve())
  return closed.promise
}

async function listen(server: Server): Promise<number> {
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The fault proxy has no port')
  return address.port
}
