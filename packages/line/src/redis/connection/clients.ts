import { createClient, createCluster, createSentinel } from 'redis'
import { RedisUnreachable } from './connection.ts'
import { withDeadline } from './deadline.ts'
import type { RedisTarget } from './redis-url.ts'

/** A client of the library, of any kind: the methods that we use. */
export interface Client {
  /** Resolves when it is ready, fails when no node answers. */
  connect(): Promise<unknown>
  send(key: string | null, args: readonly string[]): Promise<unknown>
  /** Closes it at once; commands under way fail. */
  destroy(): Promise<void>
}

export interface ClientEvents {
  onError: (error: unknown) => void
  /** The connection is closed for good. Clients of Clusters and Sentinels have many connections, which the library reconnects. */
  onLost: () => void
}

/** For reaching one node, as a part of connecting. */
const SOCKET_TIMEOUT_MS = 2_000
const CONNECT_TIMEOUT_MS = 5_000
const DESTROY_TIMEOUT_MS = 2_000
const RECONNECT_MS_MAX = 500
/** How often Sentinels are asked for the primary, in case their message is lost. */
const SENTINEL_SCAN_MS = 1_000
/** Commands that may wait for their replies at once; more means that Redis is not keeping up. */
const COMMANDS_WAITING_MAX = 100_000
/** Messages of the Sentinel client for a command that it did not send; it has no error classes for that. */
const SENTINEL_REFUSALS: readonly string[] = ['no valid master node', 'None of the sentinels are available']

/** Creates a client that sends nothing twice and queues nothing while it is disconnected. Rule L37. */
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

/** The library bounds the time to reach a node, but not the time until that node answers. */
export async function connectClient(client: Client): Promise<void> {
  await withDeadline(client.connect(), 'a new connection', CONNECT_TIMEOUT_MS)
}

/** Bounded, because a Sentinel client waits for its connection attempt before it closes. */
export async function discardClient(client: Client, onError: (error: unknown) => void): Promise<void> {
  await withDeadline(client.destroy(), 'the end of a connection', DESTROY_TIMEOUT_MS).catch(onError)
}

function createSingle(target: RedisTarget, { onError, onLost }: ClientEvents): Client {
  const client = createClient({
    ...nodeOptions(target),
    // The owner creates another client instead: the library would wait without bound for a silent node.
    socket: { ...socketOptions(target), ...target.nodes[0], reconnectStrategy: false },
    database: target.database,
  })
  let isDestroyed = false
  let connecting: Promise<unknown> = Promise.resolve()
  client.on('error', onError)
  // Deferred, so that the library first rejects the commands that wait for a reply.
  client.on('terminated', () => queueMicrotask(onLost))
  // The library finishes connecting even if the client is destroyed meanwhile.
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
    // Following redirections is safe: a node that redirects has run nothing.
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
    // Above zero, the library resends a command after a lost connection, although Redis may have applied it.
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

/** Commands wait while the Sentinels are asked for the primary, and fail unsent when there is none at the moment. */
function rethrowAsUnreachable(error: unknown): never {
  const isRefusal = error instanceof Error && SENTINEL_REFUSALS.includes(error.message)
  throw isRefusal ? new RedisUnreachable(error) : error
}

function nodeOptions({ username, password }: RedisTarget) {
  return {
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    name: 'seatwise',
    // A queued command would be sent after its caller has given up.
    disableOfflineQueue: true,
    commandsQueueMaxLength: COMMANDS_WAITING_MAX,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // Timeouts are in deadline.ts: the library's own cover only the time until a command is written.
    commandOptions: { timeout: 0 },
  } as const
}

function socketOptions({ tls }: RedisTarget) {
  return {
    connectTimeout: SOCKET_TIMEOUT_MS,
    // Jitter, so that a hundred servers do not reconnect at the same instant.
    reconnectStrategy: (retries: number) =>
      Math.min(RECONNECT_MS_MAX, 20 * 2 ** Math.min(retries, 5)) * (0.5 + Math.random() / 2),
    noDelay: true,
    ...(tls ? { tls: true as const } : {}),
  }
}
