import { randomUUID } from 'node:crypto'
import type { App } from '../http-server.ts'
import type { Services } from '../services.ts'
import { Hub } from './hub.ts'
import { countLocally, countTogether } from './occupancy.ts'
import { createRealtimeMetrics } from './realtime-metrics.ts'

/** Push as this configuration says. */
export async function openRealtime(_app: App, services: Services): Promise<Hub> {
  const { redis, log, metrics } = services
  const occupancy = redis === null ? countLocally() : countTogether(redis, randomUUID(), log)
  return new Hub({ services, occupancy, metrics: createRealtimeMetrics(metrics) })
}
