import type { Admission } from '@seatwise/line'
import { Counter, Gauge, type Registry } from 'prom-client'
import { type BufferSizes, measureBuffers } from '../kit/index.ts'

/** What `/metrics` tells about the rooms of this server. Without labels by room: there may be many. */
export interface RoomMetrics {
  admission(admission: Admission): void
  /** How full the rooms' queues and maps are, and how many entries of their logs the ledger lacks. */
  measure(sizes: BufferSizes, unfollowedEntries: () => number): void
}

export function createRoomMetrics(registry: Registry): RoomMetrics {
  const registers = [registry]
  const admitted = new Counter({ name: 'seatwise_admitted_total', help: 'Tickets let in by this server.', registers })
  const ended = new Counter({
    name: 'seatwise_ended_total',
    help: 'Tickets whose time was over when this server looked, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const away = new Counter({ name: 'seatwise_away_total', help: 'Tickets passed over as absent.', registers })
  return {
    admission(admission) {
      admitted.inc(admission.admitted.length)
      away.inc(admission.away.length)
      for (const { reason } of admission.ended) ended.inc({ reason })
    },
    measure(sizes, unfollowedEntries) {
      measureBuffers(registry, sizes)
      new Gauge({
        name: 'seatwise_log_unfollowed_entries',
        help: 'Log entries that the ledger lacked when this server last looked, in all rooms.',
        registers,
        collect() {
          this.set(unfollowedEntries())
        },
      })
    },
  }
}
