import type { Admission } from '@seatwise/line'
import { Counter, Gauge, type Registry } from 'prom-client'

/** What `/metrics` tells about the rooms of this server. Without labels by room: there may be many. */
export interface RoomMetrics {
  admission(admission: Admission): void
  unfollowed(entries: number): void
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
  const unfollowed = new Gauge({
    name: 'seatwise_log_unfollowed_entries',
    help: 'Log entries that the ledger lacked when this server last looked.',
    registers,
  })
  return {
    admission(admission) {
      admitted.inc(admission.admitted.length)
      away.inc(admission.away.length)
      for (const { reason } of admission.ended) ended.inc({ reason })
    },
    unfollowed: (entries) => unfollowed.set(entries),
  }
}
