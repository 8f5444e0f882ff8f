import { createClient, createCluster, createSentinel } from 'redis'
import { RedisUnreachable } from './connection.ts'
import { withDeadline } from './deadline.ts'
import type { RedisTarget } from './redis-url.ts'

/** One client of the library, of whatever kind, as far as we use it. */
export interface Client {
  /** Resolves when it may be used, fails when nobody answers. */
  connect(): Promise<unknown>
  send(key: string | null, args: readonly string[]): Promise<unknown>
  /** Ends it at once; commands under way fail. */
  destroy(): Promise<void>
}

export interface ClientEvents {
  onError: (error: unknown) => void
  /** The connection is gone for good. Clusters and Sentinels have many, which the library mends by itself. */
  onLost: () => void
}

/** A part of an attempt to connect: reaching one node. */
const SOCKET_TIMEOUT_MS = 2_000
const CONNECT_TIMEOUT_MS = 5_000
const DESTROY_TIMEOUT_MS = 2_000
const RECONNECT_MS_MAX = 500
/** How often Sentinels are asked who is primary, in case their message is lost. */
const SENTINEL_SCAN_MS = 1_000
/** Commands that may wait for their answers at once; more means that Redis is not keeping up. */
const COMMANDS_WAITING_MAX = 100_000
/** How a client of Sentinels refuses a command that it has sent to nobody; it has no errors of its own kind for that. */
const SENTINEL_REFUSALS: readonly string[] = ['no valid master node', 'None of the sentinels are available']

/** Makes a client that sends nothing twice and queues nothing while it is not connected. */
export function createClientFor(target: RedisTarget, events: ClientEvents): Client {
  switch (target.kind) {
    case 'single':
      return createSingle(target, events)
    case 'cluster':
      return createClusterClient(target, events)
    case 'sentinel':
      return createSentinelClient(target, events)
  }
}

/** The library bounds how long it takes to reach a node, but not how long that node may be silent then. */
export async function connectClient(client: Client): Promise<void> {
  await withDeadline(client.connect(), 'a new connection', CONNECT_TIMEOUT_MS)
}

/** Bounded, because a client of Sentinels waits for an attempt to connect before it ends. */
export async function discardClient(client: Client, onError: (error: unknown) => void): Promise<void> {
  await withDeadline(client.destroy(), 'the end of a connection', DESTROY_TIMEOUT_MS).catch(onError)
}

function createSingle(target: RedisTarget, { onError, onLost }: ClientEvents): Client {
  const client = createClient({
    ...nodeOptions(target),
    // Whoever opened it makes another one: the library would wait without bound for a node that is silent.
    socket: { ...socketOptions(target), ...target.nodes[0], reconnectStrategy: false },
    database: target.database,
  })
  let isDestroyed = false
  let connecting: Promise<unknown> = Promise.resolve()
  client.on('error', onError)
  // A moment later, when the library has told those who wait for answers why there will be none.
  client.on('terminated', () => queueMicrotask(onLost))
  // Destroying it in the middle of connecting does not keep the library from finishing that.
  client.on('connect', () => {
    if (isDestroyed) client.destroy()
  })
  return {
    connect: () => {
      connecting = client.connect()
      return connecting
    },
    send: (_key, args) => client.sendCommand(args),
    destroy: async () => {
      isDestroyed = true
      client.destroy()
      await Promise.allSettled([connecting])
    },
  }
}

function createClusterClient(target: RedisTarget, { onError }: ClientEvents): Client {
  const cluster = createCluster({
    rootNodes: target.nodes.map((node) => ({ socket: { ...node } })),
    defaults: { ...nodeOptions(target), socket: socketOptions(target) },
    minimizeConnections: true,
  })
  cluster.on('error', onError)
  cluster.on('node-error', onError)
  return {
    connect: () => cluster.connect(),
    // Redirections are followed: a node that redirects has run nothing.
    send: (key, args) => cluster.sendCommand(key ?? undefined, false, [...args]),
    destroy: async () => cluster.destroy(),
  }
}

function createSentinelClient(target: RedisTarget, { onError }: ClientEvents): Client {
  const sentinel = createSentinel({
    name: target.primaryName ?? '',
    sentinelRootNodes: target.nodes.map(({ host, port }) => ({ host, port })),
    nodeClientOptions: { ...nodeOptions(target), socket: socketOptions(target) },
    sentinelClientOptions: { disableClientInfo: true, socket: socketOptions(target) },
    // Above zero it sends a command again when its connection was lost, although it may have been applied.
    maxCommandRediscovers: 0,
    scanInterval: SENTINEL_SCAN_MS,
    passthroughClientErrorEvents: true,
  })
  sentinel.on('error', onError)
  return {
    connect: () => sentinel.connect(),
    send: (_key, args) => sentinel.sendCommand(false, [...args]).catch(rethrowAsUnreachable),
    destroy: () => sentinel.destroy(),
  }
}

/** Commands wait while the Sentinels are asked who is primary, and fail unsent when those know none at the moment. */
function rethrowAsUnreachable(error: unknown): never {
  const isRefusal = error instanceof Error && SENTINEL_REFUSALS.includes(error.message)
  throw isRefusal ? new RedisUnreachable(error) : error
}

function nodeOptions({ username, password }: RedisTarget) {
  return {
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    name: 'seatwise',
    // A command that waits for a connection would be sent when nobody expects it any more.
    disableOfflineQueue: true,
    commandsQueueMaxLength: COMMANDS_WAITING_MAX,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // Deadlines are ours (deadline.ts): the library's bound only the time until a command is written.
    commandOptions: { timeout: 0 },
  } as const
}

function socketOptions({ tls }: RedisTarget) {
  return {
    connectTimeout: SOCKET_TIMEOUT_MS,
    // Jitter, so that a hundred servers do not knock at the same instant.
    reconnectStrategy: (retries: number) =>
      Math.min(RECONNECT_MS_MAX, 20 * 2 ** Math.min(retries, 5)) * (0.5 + Math.random() / 2),
    noDelay: true,
    ...(tls ? { tls: true as const } : {}),
  }
}
