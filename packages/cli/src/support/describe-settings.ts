import type { Config } from '@seatwise/server'

/**
 * The settings as far as they are no secret, named one by one: a setting that is added later is not told before a
 * line here says so. Of an address only host, port and path are told; of what is secret, that it is set.
 */
export function describeSettings(config: Config): Record<string, unknown> {
  const { redis, payments, realtime, traces, smtpUrl, beacon } = config
  return {
    mode: config.mode,
    host: config.host,
    port: config.port,
    dataDir: config.dataDir,
    database: placeOf(config.databaseUrl),
    replica: placeOf(config.databaseReplicaUrl),
    redis: redis && { tls: redis.tls, nodes: redis.nodes.map(({ host, port }) => `${host}:${port}`) },
    operatorIsNamed: config.adminEmail !== null,
    operatorHasPassword: config.adminPassword !== null,
    secrets: config.secrets.length,
    demo: config.demo,
    signup: config.signup,
    strongSignIn: config.strongSignIn,
    freshRefundOver: config.freshRefundOver,
    rateLimits: config.rateLimits,
    logLevel: config.logLevel,
    trustedProxies: config.trustedProxies,
    publicUrl: placeOf(config.publicUrl),
    mail: placeOf(smtpUrl),
    privateWebhooks: config.privateWebhooks,
    drainSeconds: config.drainSeconds,
    retentionDays: config.retentionDays,
    beacons: beacon.urls.length,
    payments: payments.provider,
    realtime: realtime.provider,
    socketsMax: config.socketsMax,
    socketsPerAddress: config.socketsPerAddress,
    traces: traces && { to: placeOf(traces.url), share: traces.share, headers: Object.keys(traces.headers).length },
    workers: config.workers,
    openid: config.openid !== null,
    faults: config.faults !== null,
  }
}

/** Never user, password, query or fragment. */
function placeOf(url: string | null): string | null {
  if (url === null) return null
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
