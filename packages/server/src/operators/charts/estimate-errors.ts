import { type EstimateFigures, EstimateJudge, type LogEntry } from '@seatwise/domain'
import { COARSE_STEP_MS, FINE_STEP_MS } from './room-chart.ts'

/** As many steps as the charts have of each length. */
const STEPS_MAX = 1_800

interface Errors {
  sum: number
  count: number
}

/**
 * How far the estimates at joining were off, for the visitors admitted in each step. Judged from the log by the same code as
 * `seatwise verify`, so that both give the same figures.
 */
export class EstimateErrors {
  /** How far the log was judged. */
  readonly position = { epoch: 0, seq: 0 }
  readonly #judge = new EstimateJudge()
  readonly #steps = new Map<number, Map<number, Errors>>([
    [FINE_STEP_MS, new Map()],
    [COARSE_STEP_MS, new Map()],
  ])

  follow(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      const error = this.#judge.follow(entry)
      if (error !== null) this.#add(entry.at, error)
      Object.assign(this.position, { epoch: entry.epoch, seq: entry.seq })
    }
  }

  /** The average error in the step that begins at this time; null where no visitor was judged. */
  at(stepMs: number, atMs: number): number | null {
    const errors = this.#steps.get(stepMs)?.get(atMs)
    return errors === undefined ? null : errors.sum / errors.count
  }

  figures(): EstimateFigures {
    return this.#judge.figures()
  }

  #add(atMs: number, error: number): void {
    for (const [stepMs, steps] of this.#steps) {
      const begin = Math.floor(atMs / stepMs) * stepMs
      const errors = steps.get(begin) ?? { sum: 0, count: 0 }
      steps.set(begin, { sum: errors.sum + error, count: errors.count + 1 })
      // The log is in the order of time, so the first step is the oldest.
      const [oldest] = steps.keys()
      if (steps.size > STEPS_MAX && oldest !== undefined) steps.delete(oldest)
    }
  }
}
