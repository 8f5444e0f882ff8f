import { randomUUID } from 'node:crypto'
import { type Ledger, type MigrationReport, migrate, openLedger, ping, refuseMoved } from '@seatwise/ledger'
import { connectRedis, type RedisConnection } from '@seatwise/line'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { OperationsUnderWay, openBoxOffice } from '../box-office/index.ts'
import { type Config, createLog } from '../config/index.ts'
import { createNewsMetrics, type News, openMailer, openNews } from '../delivery/index.ts'
import { openIdentity } from '../identity/index.ts'
import { Pulse } from '../kit/index.ts'
import {
  createDrawKit,
  createRoomMetrics,
  DRAW_LEASE_MS,
  FOLLOWER_LEASE_MS,
  hostOf,
  openEmbeddedLine,
  openRooms,
  openRoomTokens,
  openSharedLine,
  sharedLease,
} from '../rooms/index.ts'
import { sealSharedSecretsAgain } from './seal-again.ts'
import { keepSecret } from './secret-file.ts'
import type { Services } from './services.ts'
import { startTracing } from './start-tracing.ts'

export interface OpenedServices extends Services {
  /** Mail and webhooks; started when the server starts to serve. */
  readonly news: News
  close(): Promise<void>
}

/** Opens everything that a server with this configuration needs, and migrates the ledger's schema. */
export async function openServices(config: Config, log: Logger = createLog(config)): Promise<OpenedServices> {
  if (config.databaseUrl === null) await refuseMoved(config.dataDir)
  const ledger = await openConfiguredLedger(config)
  try {
    const report = await migrate(ledger)
    logMigration(log, report)
    const secrets = config.secrets.length > 0 ? config.secrets : [await keepSecret(config.dataDir)]
    const stopTracing = await startTracing(config)
    await sealSharedSecretsAgain(ledger, secrets)
    const identity = await openIdentity({
      ...{ ledger, secrets, now: Date.now },
      ...{ workers: config.workers, strongSignIn: config.strongSignIn, openid: config.openid },
    })
    const redis = await openConfiguredRedis(config, log)
    const line = redis === null ? openEmbeddedLine(ledger, log) : openSharedLine(redis, log)
    const metrics = new Registry()
    const lifecycle = { stopping: false, answering: false }
    const drawKit = createDrawKit(secrets, ledger, config.beacon)
    const rooms = openRooms({
      ledger,
      line,
      log,
      metrics: createRoomMetrics(metrics),
      followerLease:
        redis && sharedLease(redis, { name: 'follower', serverId: randomUUID(), leaseMs: FOLLOWER_LEASE_MS }),
      signing: { keys: identity.keys, host: hostOf(config) },
      drawLease: redis && sharedLease(redis, { name: 'draw', serverId: randomUUID(), leaseMs: DRAW_LEASE_MS }),
      drawKit,
      now: Date.now,
      takesHeartbeats: () => lifecycle.answering && !lifecycle.stopping,
    })
    const roomTokens = await openRoomTokens(ledger, secrets, identity.keys, Date.now, config.workers)
    const underWay = new OperationsUnderWay()
    const pulse = openPulse(ledger, log)
    const boxOffice = openBoxOffice({
      ...{ ledger, pulse, rooms, log, metrics, now: Date.now, roomTokens, underWay },
      workers: config.workers,
    })
    const news = openNews({
      ...{ ledger, log, secrets, keys: identity.keys, now: Date.now },
      metrics: createNewsMetrics(metrics),
      mailer: openMailer(config, log),
      privateWebhooks: config.privateWebhooks,
    })
    return {
      config,
      log,
      ledger,
      pulse,
      redis,
      secrets,
      identity,
      now: Date.now,
      lifecycle,
      metrics,
      roomTokens,
      rooms,
      drawKit,
      underWay,
      boxOffice,
      news,
      async close() {
        pulse.close()
        await news.close()
        await boxOffice.close()
        await rooms.close()
        // Closes the connection to Redis too.
        await line.close()
        await ledger.close()
        await stopTracing()
      },
    }
  } catch (error) {
    await ledger.close()
    throw error
  }
}

export async function openConfiguredLedger(config: Config): Promise<Ledger> {
  if (config.databaseUrl === null) return await openLedger({ kind: 'pglite', dataDir: config.dataDir })
  const { databaseUrl: url, databaseReplicaUrl: replicaUrl } = config
  return await openLedger({ kind: 'postgres', url, ...(replicaUrl === null ? {} : { replicaUrl }) })
}

function openPulse(ledger: Ledger, log: Logger): Pulse {
  return new Pulse({
    probe: () => ping(ledger.replica),
    onAway: (err) => log.warn({ err }, 'the ledger is away: public reads are answered from the last good copies'),
    onReturn: () => log.info('the ledger answers again'),
  })
}

/** Null in embedded mode. Redis need not be reachable yet. */
export async function openConfiguredRedis({ redis }: Config, log: Logger): Promise<RedisConnection | null> {
  if (redis === null) return null
  return await connectRedis(redis, { onError: (err) => log.warn({ err }, 'redis connection failed') })
}

function logMigration(log: Logger, report: MigrationReport): void {
  log.info({ schemaVersion: report.version, applied: report.applied }, 'schema is up to date')
}
