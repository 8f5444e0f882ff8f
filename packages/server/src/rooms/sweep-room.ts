import type { Line } from '@seatwise/line'
import type { Logger } from 'pino'
import { type Repeater, repeat } from '../kit/index.ts'
import type { RoomLink } from './room-link.ts'
import type { RoomMetrics } from './room-metrics.ts'

/** Tickets one step may change: a few milliseconds of the store's time. */
const BATCH_MAX = 500
/** Well below the gap after which the line takes the servers for gone. */
const SWEEP_MS = 1_000

export interface SweepParts {
  readonly line: Line
  readonly link: RoomLink
  readonly log: Logger
  /** Whether this server answers polls now: only then may the silence of visitors count (L62). */
  readonly takesHeartbeats: () => boolean
  readonly metrics: Pick<RoomMetrics, 'sweep'>
}

/** Marks absent visitors away about once a second. Any number of servers may do so; the second one finds nothing to do. */
export function sweepRoom({ line, link, log, takesHeartbeats, metrics }: SweepParts): Repeater {
  let failing = false
  async function sweep(): Promise<boolean> {
    if (!takesHeartbeats()) return false
    const reply = await link.runPatiently((at) => line.sweep(at, { batch: BATCH_MAX }))
    metrics.sweep(reply)
    if (failing) log.info('sweeping works again')
    failing = false
    return reply.more
  }
  return repeat(sweep, {
    everyMs: SWEEP_MS,
    onError(err) {
      // Without sweeps no visitor becomes absent; the operator needs one log line, not one a second.
      if (!failing) log.warn({ err }, 'absent visitors cannot be marked, trying again')
      failing = true
    },
  })
}
