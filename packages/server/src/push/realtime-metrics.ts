import { Counter, Gauge, type Registry } from 'prom-client'
import { type BufferSizes, measureBuffers } from '../kit/index.ts'
import type { Wire } from './transport/wire.ts'

/** What `/metrics` tells about push. Without labels by room: there may be many. */
export interface RealtimeMetrics {
  opened(transport: Wire['transport']): void
  closed(transport: Wire['transport']): void
  /** A message was made; to how many it goes is not counted. */
  message(type: string): void
  /** A connection was ended by us. */
  cut(reason: string): void
  /** How full what grows with traffic is. */
  measure(sizes: BufferSizes): void
}

export function createRealtimeMetrics(registry: Registry): RealtimeMetrics {
  const registers = [registry]
  const connections = new Gauge({
    name: 'seatwise_push_connections',
    help: 'Push connections that are open, by transport',
    labelNames: ['transport'],
    registers,
  })
  const messages = new Counter({
    name: 'seatwise_push_messages_total',
    help: 'Push messages made, by type; each is written to everybody who listens',
    labelNames: ['type'],
    registers,
  })
  const cut = new Counter({
    name: 'seatwise_push_cut_total',
    help: 'Push connections that were ended by this server, by reason',
    labelNames: ['reason'],
    registers,
  })
  return {
    opened: (transport) => connections.inc({ transport }),
    closed: (transport) => connections.dec({ transport }),
    message: (type) => messages.inc({ type }),
    cut: (reason) => cut.inc({ reason }),
    measure: (sizes) => measureBuffers(registry, sizes),
  }
}
