import { type Estimate, estimateWait } from './estimate.ts'
import { lookAhead } from './outlook.ts'
import type { Pace, RoomPace } from './pace-meter.ts'

/** A change that an operator considers. */
export interface PaceChange {
  readonly ratePerMinute?: number
  readonly capacity?: number
  readonly paused?: boolean
}

/** The wait of the last ticket in line under that change, in seconds; null where no ticket is admitted. */
export interface PacePreview {
  readonly waiting: number
  readonly before: LastWait | null
  readonly after: LastWait | null
  /** What would keep the line from moving faster. */
  readonly limitedBy: 'paused' | 'rate' | 'capacity'
}

export interface LastWait {
  readonly p50: number
  readonly p90: number
}

/**
 * The effect of a change before it is made, by the model that estimates the waits. So raising a limit that does not bind
 * changes nothing.
 */
export function previewPace(waiting: number, current: Pace, change: PaceChange): PacePreview {
  // The speed of the line, whether or not there is a seat for its last ticket.
  const before = withRoom(current, { seats: null })
  const isPaused = change.paused ?? current.room.closed === 'paused'
  const after = withRoom(current, {
    seats: null,
    closed: isPaused ? 'paused' : current.room.closed === 'not_open' ? 'not_open' : null,
    capacity: change.capacity ?? current.room.capacity,
    ratePerSecond: change.ratePerMinute === undefined ? current.room.ratePerSecond : change.ratePerMinute / 60,
  })
  const { capacity, ratePerSecond } = after.room
  return {
    waiting,
    before: lastWait(waiting, before),
    after: lastWait(waiting, after),
    limitedBy: isPaused ? 'paused' : capacity / current.stays.mean < ratePerSecond ? 'capacity' : 'rate',
  }
}

function withRoom(pace: Pace, change: Partial<RoomPace>): Pace {
  const room = { ...pace.room, ...change }
  return { ...pace, room, outlook: lookAhead(room, pace) }
}

function lastWait(waiting: number, pace: Pace): LastWait | null {
  if (waiting === 0) return null
  const estimate: Estimate = estimateWait(waiting - 1, pace)
  return estimate.p50 === null ? null : { p50: estimate.p50, p90: estimate.p90 }
}
