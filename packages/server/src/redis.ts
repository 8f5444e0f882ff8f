import type { Logger } from 'pino'
import { createClient, createCluster, createSentinel } from 'redis'
import { withDeadline } from './deadline.ts'
import type { RedisTarget } from './redis-url.ts'

/** The connection to Redis, whatever stands behind it: one server, a Cluster, or a primary that Sentinels name. */
export interface RedisConnection {
  readonly kind: RedisTarget['kind']
  /**
   * Sends one command, once. Rejects at once while there is no connection, and after the deadline: whether a command
   * without an answer took effect is unknown, and only whoever knows its operation id may send it again.
   * `key` says where in a Cluster it goes; null for commands that any node can answer.
   */
  send(key: string | null, command: readonly string[]): Promise<unknown>
  ping(): Promise<void>
  close(): Promise<void>
}

/** Longer than any script of ours runs by three orders of magnitude; shorter than a visitor's patience. */
const COMMAND_MS_MAX = 2_000
const CONNECT_MS_MAX = 2_000
const RECONNECT_MS_MAX = 1_000
/** Commands that may wait for their answers at once; more means that Redis is not keeping up. */
const COMMANDS_WAITING_MAX = 100_000

/**
 * Connects, and goes on trying in the background when Redis is not there yet: until then readiness fails, which is
 * what a load balancer understands, and a server that starts before its Redis needs nobody to restart it.
 */
export async function openRedis(target: RedisTarget, log: Logger): Promise<RedisConnection> {
  const driver = createDriver(target)
  driver.onError((err) => log.warn({ err }, 'redis connection failed'))
  const connecting = driver.connect().catch((err: unknown) => log.error({ err }, 'redis connection given up'))
  await withDeadline(connecting, CONNECT_MS_MAX, 'Redis').catch((err: unknown) =>
    log.warn({ err }, 'starting without redis'),
  )
  const send: RedisConnection['send'] = (key, command) =>
    withDeadline(driver.send(key, [...command]), COMMAND_MS_MAX, `Redis command ${command[0]}`)
  return {
    kind: target.kind,
    send,
    async ping() {
      await send(null, ['PING'])
    },
    async close() {
      driver.destroy()
      await connecting
    },
  }
}

interface Driver {
  onError(listener: (error: unknown) => void): void
  connect(): Promise<unknown>
  send(key: string | null, command: string[]): Promise<unknown>
  destroy(): void
}

function createDriver(target: RedisTarget): Driver {
  switch (target.kind) {
    case 'single':
      return singleDriver(target)
    case 'cluster':
      return clusterDriver(target)
    case 'sentinel':
      return sentinelDriver(target)
  }
}

function singleDriver(target: RedisTarget): Driver {
  const [node] = target.nodes
  const client = createClient({ ...clientOptions(target), socket: { ...socketOptions(target), ...node } })
  return {
    onError: (listener) => client.on('error', listener),
    connect: () => client.connect(),
    send: (_key, command) => client.sendCommand(command),
    destroy: () => client.destroy(),
  }
}

function clusterDriver(target: RedisTarget): Driver {
  const cluster = createCluster({
    rootNodes: target.nodes.map((node) => ({
      ...clientOptions(target),
      socket: { ...socketOptions(target), ...node },
    })),
    defaults: { ...clientOptions(target), socket: socketOptions(target) },
  })
  return {
    onError: (listener) => cluster.on('error', listener),
    connect: () => cluster.connect(),
    // A redirected command (MOVED, ASK) was refused by the first node, so that following it does not send it twice.
    send: (key, command) => cluster.sendCommand(key ?? undefined, false, command),
    destroy: () => cluster.destroy(),
  }
}

function sentinelDriver(target: RedisTarget): Driver {
  const sentinel = createSentinel({
    name: target.primaryName ?? '',
    sentinelRootNodes: target.nodes.map(({ host, port }) => ({ host, port })),
    // Above zero the client sends a command again when its connection was lost, although it may have been applied.
    maxCommandRediscovers: 0,
    scanInterval: 1_000,
    passthroughClientErrorEvents: true,
    nodeClientOptions: { ...clientOptions(target), socket: socketOptions(target) },
    sentinelClientOptions: { socket: socketOptions(target) },
  })
  return {
    onError: (listener) => sentinel.on('error', listener),
    connect: () => sentinel.connect(),
    send: (_key, command) => sentinel.sendCommand(false, command),
    destroy: () => sentinel.destroy(),
  }
}

function clientOptions(target: RedisTarget) {
  return {
    ...(target.username === null ? {} : { username: target.username }),
    ...(target.password === null ? {} : { password: target.password }),
    ...(target.database === 0 ? {} : { database: target.database }),
    name: 'seatwise',
    // A command that waits for a connection would be sent when nobody expects it any more.
    disableOfflineQueue: true,
    commandsQueueMaxLength: COMMANDS_WAITING_MAX,
  }
}

function socketOptions(target: RedisTarget) {
  return {
    connectTimeout: CONNECT_MS_MAX,
    // Jitter, so that a hundred servers do not knock at the same instant.
    reconnectStrategy: (retries: number) => Math.min(RECONNECT_MS_MAX, 2 ** retries * 25) * (0.5 + Math.random() / 2),
    noDelay: true,
    ...(target.tls ? { tls: true as const } : {}),
  }
}
