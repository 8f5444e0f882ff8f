import { type Estimate, estimateWait, type Pace, rateOfFloor, rateOfSettings } from './estimate.ts'

/** A change that an operator considers. */
export interface PaceChange {
  readonly ratePerMinute?: number
  readonly capacity?: number
  readonly paused?: boolean
}

/** The wait of the last ticket in line under that change, in seconds; null where no ticket is admitted. */
export interface PacePreview {
  readonly waiting: number
  readonly before: Estimate | null
  readonly after: Estimate | null
  /** What would keep the line from moving faster. */
  readonly limitedBy: 'paused' | 'rate' | 'capacity'
}

/**
 * The effect of a change before it is made. Where the measured line is slower than its settings allow, it is assumed to stay
 * slower by the same share. So raising a limit that does not bind changes nothing.
 */
export function previewPace(waiting: number, current: Pace, change: PaceChange): PacePreview {
  // The long-run speed of the line, whether or not there is a seat for its last ticket.
  const pace: Pace = { ...current, seats: null, outlook: null }
  const changed: Pace = {
    ...pace,
    paused: change.paused ?? pace.paused,
    ratePerMinute: change.ratePerMinute ?? pace.ratePerMinute,
    capacity: change.capacity ?? pace.capacity,
    freeSlots: pace.freeSlots + (change.capacity ?? pace.capacity) - pace.capacity,
  }
  const measured = pace.measured.admissionsPerSecond
  const share = allowedRate(pace) === 0 ? 1 : allowedRate(changed) / allowedRate(pace)
  const scaled = measured === null ? null : measured * share
  const last = Math.max(0, waiting - 1)
  return {
    waiting,
    before: waiting === 0 ? null : estimateWait(last, pace),
    after:
      waiting === 0
        ? null
        : estimateWait(last, { ...changed, measured: { ...pace.measured, admissionsPerSecond: scaled } }),
    limitedBy: changed.paused ? 'paused' : rateOfFloor(changed) < rateOfSettings(changed) ? 'capacity' : 'rate',
  }
}

const allowedRate = (pace: Pace): number => Math.min(rateOfSettings(pace), rateOfFloor(pace))
