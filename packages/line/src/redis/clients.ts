import { createClient, createCluster, createSentinel } from 'redis'
import type { RedisPlace } from './redis-url.ts'

/** One client of the library, of whatever kind, as far as we use it. */
export interface Client {
  /** Resolves when it may be used. A single server is tried until it is there; the others fail when nobody answers. */
  connect(): Promise<unknown>
  send(key: string, args: readonly string[]): Promise<unknown>
  /** Ends it at once; commands under way fail. */
  destroy(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 2_000
const RECONNECT_MAX_MS = 500

/** Makes a client that sends nothing twice and queues nothing while it is not connected. */
export function createClientFor(place: RedisPlace, onError: (error: unknown) => void): Client {
  switch (place.kind) {
    case 'single':
      return createSingle(place, onError)
    case 'cluster':
      return createClusterClient(place, onError)
    case 'sentinel':
      return createSentinelClient(place, onError)
  }
}

function createSingle(place: RedisPlace, onError: (error: unknown) => void): Client {
  const client = createClient({
    ...nodeOptions(place),
    socket: { ...socketOptions(place), ...place.nodes[0] },
    ...(place.database === undefined ? {} : { database: place.database }),
  })
  client.on('error', onError)
  return {
    connect: () => client.connect(),
    send: (_key, args) => client.sendCommand(args),
    destroy: async () => client.destroy(),
  }
}

function createClusterClient(place: RedisPlace, onError: (error: unknown) => void): Client {
  const cluster = createCluster({
    rootNodes: place.nodes.map((node) => ({ socket: { ...node } })),
    defaults: { ...nodeOptions(place), socket: socketOptions(place) },
    minimizeConnections: true,
  })
  cluster.on('error', onError)
  cluster.on('node-error', onError)
  return {
    connect: () => cluster.connect(),
    // Redirections are followed: a node that redirects has run nothing.
    send: (key, args) => cluster.sendCommand(key, false, [...args]),
    destroy: async () => cluster.destroy(),
  }
}

function createSentinelClient(place: RedisPlace, onError: (error: unknown) => void): Client {
  const sentinel = createSentinel({
    name: place.primaryName ?? '',
    sentinelRootNodes: place.nodes,
    nodeClientOptions: { ...nodeOptions(place), socket: socketOptions(place) },
    sentinelClientOptions: { disableClientInfo: true, socket: socketOptions(place) },
    // The library would send a command again after it lost the connection; repeating is for the caller to decide.
    maxCommandRediscovers: 0,
  })
  sentinel.on('error', onError)
  sentinel.on('client-error', onError)
  return {
    connect: () => sentinel.connect(),
    send: (_key, args) => sentinel.sendCommand(false, [...args]),
    destroy: () => sentinel.destroy(),
  }
}

function nodeOptions({ username, password }: RedisPlace) {
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    // Deadlines are ours (connection.ts): the library's bound only the time until a command is written.
    commandOptions: { timeout: 0 },
  } as const
}

function socketOptions({ tls }: RedisPlace) {
  return {
    connectTimeout: CONNECT_TIMEOUT_MS,
    reconnectStrategy: (retries: number) => Math.min(RECONNECT_MAX_MS, 20 * 2 ** Math.min(retries, 5)),
    noDelay: true,
    ...(tls ? { tls: true as const } : {}),
  }
}
