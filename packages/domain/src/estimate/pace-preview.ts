import { type Estimate, estimateWait, type Pace, rateOfFloor, rateOfSettings } from './estimate.ts'

/** What an operator thinks of changing. */
export interface PaceChange {
  readonly ratePerMinute?: number
  readonly capacity?: number
  readonly paused?: boolean
}

/** What that would mean for whoever stands last, in seconds; null where nobody is let in. */
export interface PacePreview {
  readonly waiting: number
  readonly before: Estimate | null
  readonly after: Estimate | null
  /** What would keep the line from moving faster. */
  readonly limitedBy: 'paused' | 'rate' | 'capacity'
}

/**
 * The effect of a change before it is made. What was measured counts: where the line moves more slowly than its settings
 * allow, it is taken to do so by the same share afterwards. So raising a limit that does not bind changes nothing.
 */
export function previewPace(waiting: number, current: Pace, change: PaceChange): PacePreview {
  // How fast the line moves in the long run, whether or not there is a seat for its last.
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
