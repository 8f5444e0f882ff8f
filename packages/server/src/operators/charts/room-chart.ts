import type { Flow } from '@seatwise/ledger'

/** Points of one room, by the room's clock. Flows are counts within the step, levels are those at its end. */
export interface ChartPoint {
  /** The start of the step in milliseconds. */
  readonly at: number
  waiting: number
  floor: number
  admitted: number
  arrived: number
  noShows: number
}

export const FINE_STEP_MS = 2_000
/** One hour. */
const FINE_POINTS_MAX = 1_800
export const COARSE_STEP_MS = 60_000
/** One day. */
const COARSE_POINTS_MAX = 1_440
/** By then the ledger has followed the log, unless it is down; later entries still correct levels and counts. */
const DONE_AFTER_MS = 4_000

/**
 * The time series of a room, added up from its log alone: every server that reads the same log draws the same lines,
 * and a restarted server draws those from before its start.
 */
export class RoomChart {
  /** How far the log was added up. */
  readonly position = { epoch: 0, seq: 0 }
  #fine: ChartPoint[] = []
  #coarse: ChartPoint[] = []
  #level = { waiting: 0, floor: 0 }
  #doneUntil = 0

  get size(): number {
    return this.#fine.length + this.#coarse.length
  }

  points(stepMs: number, sinceMs: number): readonly ChartPoint[] {
    const points = stepMs === COARSE_STEP_MS ? this.#coarse : this.#fine
    return points.filter(({ at }) => at >= sinceMs)
  }

  /** Adds entries of the log, oldest first. */
  add(flows: readonly Flow[]): void {
    for (const flow of flows) {
      // A long log is condensed on the way: points older than the fine range become coarse ones.
      if (flow.at - this.#doneUntil > COARSE_STEP_MS) this.goOn(flow.at)
      this.#moveTo(flow.at)
      this.#count(flow)
      Object.assign(this.position, { epoch: flow.epoch, seq: flow.seq })
    }
  }

  /** Extends the lines until now, and condenses the minutes that cannot change any more. */
  goOn(nowMs: number): void {
    this.#moveTo(slotOf(nowMs))
    const until = slotOf(nowMs - DONE_AFTER_MS)
    for (const point of this.#fine) {
      const isDone = point.at >= this.#doneUntil && point.at < until
      if (isDone && (point.at + FINE_STEP_MS) % COARSE_STEP_MS === 0) {
        this.#condense(point.at + FINE_STEP_MS - COARSE_STEP_MS)
      }
    }
    this.#doneUntil = Math.max(this.#doneUntil, until)
  }

  /** Levels stay unchanged where nothing happens. */
  #moveTo(slot: number): void {
    const last = this.#fine.at(-1)
    const first = last === undefined ? slot : last.at + FINE_STEP_MS
    const from = Math.max(first, slot - (FINE_POINTS_MAX - 1) * FINE_STEP_MS)
    for (let at = from; at <= slot; at += FINE_STEP_MS) this.#fine.push(emptyPoint(at, this.#level))
    if (this.#fine.length > FINE_POINTS_MAX) this.#fine = this.#fine.slice(-FINE_POINTS_MAX)
  }

  #count(flow: Flow): void {
    const waiting = flow.arrived + flow.back - flow.away - flow.admitted - flow.leftLine
    const floor = flow.admitted - flow.leftFloor
    // An epoch begins with what the ledger knew; within it every change is counted.
    const base = { waiting: flow.waitingAtFirst ?? this.#level.waiting, floor: flow.floorAtFirst ?? this.#level.floor }
    const shift = {
      waiting: base.waiting + waiting - this.#level.waiting,
      floor: base.floor + floor - this.#level.floor,
    }
    this.#level = { waiting: base.waiting + waiting, floor: base.floor + floor }
    for (let index = this.#fine.length - 1; index >= 0; index--) {
      const point = this.#fine[index]
      if (point === undefined || point.at < flow.at) break
      point.waiting += shift.waiting
      point.floor += shift.floor
      if (point.at > flow.at) continue
      point.admitted += flow.admitted
      point.arrived += flow.arrived
      point.noShows += flow.noShows
    }
  }

  /** Merges older points into one for each minute. */
  #condense(minute: number): void {
    const points = this.#fine.filter(({ at }) => at >= minute && at < minute + COARSE_STEP_MS)
    const last = points.at(-1)
    if (last === undefined) return
    const sum = (key: 'admitted' | 'arrived' | 'noShows') => points.reduce((all, one) => all + one[key], 0)
    const flows = { admitted: sum('admitted'), arrived: sum('arrived'), noShows: sum('noShows') }
    this.#coarse.push({ ...last, at: minute, ...flows })
    if (this.#coarse.length > COARSE_POINTS_MAX) this.#coarse = this.#coarse.slice(-COARSE_POINTS_MAX)
  }
}

const slotOf = (ms: number): number => Math.floor(ms / FINE_STEP_MS) * FINE_STEP_MS

function emptyPoint(at: number, { waiting, floor }: { waiting: number; floor: number }): ChartPoint {
  return { at, waiting, floor, admitted: 0, arrived: 0, noShows: 0 }
}
