import { Counter, Gauge, type Registry } from 'prom-client'
import { type BufferSizes, measureBuffers } from '../kit/index.ts'
import type { Wire } from './transport/wire.ts'

/** What `/metrics` tells about push. Without labels by room: there may be many. */
export interface RealtimeMetrics {
  opened(transport: Wire['transport']): void
  closed(transport: Wire['transport']): void
  /** A message was made; its recipients are not counted. */
  message(type: string): void
  /** This server closed a connection. */
  cut(reason: string): void
  /** How full the buffers are that grow with traffic. */
  measure(sizes: BufferSizes): void
}

export function createRealtimeMetrics(registry: Registry): RealtimeMetrics {
  const registers = [registry]
  const connections = new Gauge({
    name: 'seatwise_push_connections',
    help: 'Open push connections, by transport',
    labelNames: ['transport'],
    registers,
  })
  const messages = new Counter({
    name: 'seatwise_push_messages_total',
    help: 'Push messages created, by type; each is written to every listener',
    labelNames: ['type'],
    registers,
  })
  const cut = new Counter({
    name: 'seatwise_push_cut_total',
    help: 'Push connections closed by this server, by reason',
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
