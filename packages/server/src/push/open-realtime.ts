import { randomUUID } from 'node:crypto'
import type { BoxOfficeServices } from '../box-office/index.ts'
import { ticketId } from '../rooms/index.ts'
import { openAblyRealtime } from './ably/ably-realtime.ts'
import { privateChannel, publicChannel } from './channel-name.ts'
import { Hub } from './hub.ts'
import { countLocally, countTogether } from './occupancy.ts'
import type { Realtime } from './realtime.ts'
import { createRealtimeMetrics } from './realtime-metrics.ts'

/** Opens push as configured. The hub always exists: it costs nothing without listeners. */
export async function openRealtime(services: BoxOfficeServices): Promise<{ hub: Hub; realtime: Realtime }> {
  const { redis, log, metrics, config } = services
  const occupancy = redis === null ? countLocally() : countTogether(redis, randomUUID(), log)
  const hub = new Hub({ services, occupancy, metrics: createRealtimeMetrics(metrics) })
  const { realtime } = config
  return { hub, realtime: realtime.provider === 'ably' ? await openAblyRealtime(services, realtime) : builtin() }
}

function builtin(): Realtime {
  return {
    provider: 'builtin',
    async accessFor(room, address, { number }) {
      const channels = [publicChannel(address), privateChannel(address, ticketId(room.id, number))]
      return { provider: 'builtin', url: '/realtime', channels }
    },
    async close() {},
  }
}
