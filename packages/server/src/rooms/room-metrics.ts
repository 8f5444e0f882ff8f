import type { Admission, Sweep } from '@seatwise/line'
import { Counter, Gauge, type Registry } from 'prom-client'
import { type BufferSizes, measureBuffers } from '../kit/index.ts'

/** The metrics of this server's rooms. Without labels by room: there may be many. */
export interface RoomMetrics {
  admission(admission: Admission): void
  sweep(sweep: Sweep): void
  /** The sizes of the rooms' queues and maps, and how many entries of their logs the ledger lacks. */
  measure(sizes: BufferSizes, unfollowedEntries: () => number): void
  /** How many visitors wait in all rooms, as far as this server knows. */
  measureWaiting(waiting: () => number): void
}

export function createRoomMetrics(registry: Registry): RoomMetrics {
  const registers = [registry]
  const admitted = new Counter({ name: 'seatwise_admitted_total', help: 'Tickets admitted by this server.', registers })
  const ended = new Counter({
    name: 'seatwise_ended_total',
    help: 'Tickets expired by the admission steps and sweeps of this server, by reason.',
    labelNames: ['reason'],
    registers,
  })
  const away = new Counter({ name: 'seatwise_away_total', help: 'Tickets marked away by this server.', registers })
  return {
    admission(admission) {
      admitted.inc(admission.admitted.length)
      away.inc(admission.away.length)
      for (const { reason } of admission.ended) ended.inc({ reason })
    },
    sweep(sweep) {
      away.inc(sweep.away)
      if (sweep.expired > 0) ended.inc({ reason: 'no_show' }, sweep.expired)
    },
    measure(sizes, unfollowedEntries) {
      measureBuffers(registry, sizes)
      new Gauge({
        name: 'seatwise_log_unfollowed_entries',
        help: 'Log entries of all rooms that the ledger lacked at the last check of this server.',
        registers,
        collect() {
          this.set(unfollowedEntries())
        },
      })
    },
    measureWaiting(waiting) {
      new Gauge({
        name: 'seatwise_waiting_tickets',
        help: 'Tickets that wait in all rooms; every server has the same rooms, so that the largest figure counts.',
        // Workers too.
        aggregator: 'max',
        registers,
        collect() {
          this.set(waiting())
        },
      })
    },
  }
}
