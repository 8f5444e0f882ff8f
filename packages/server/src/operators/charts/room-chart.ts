import { estimateWait, ThroughputMeter } from '@seatwise/domain'
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
  waitedMs: number
  /** The wait estimate for the visitor who joined last in this step; null when there was none. */
  promisedMs: number | null
  /** The share by which admitted visitors waited longer or shorter than estimated when they joined. */
  estimateError: number | null
}

export const FINE_STEP_MS = 2_000
/** One hour. */
const FINE_POINTS_MAX = 1_800
export const COARSE_STEP_MS = 60_000
/** One day. */
const COARSE_POINTS_MAX = 1_440
/** By then the ledger has followed the log, unless it is down; later entries still correct levels and counts. */
const JUDGED_AFTER_MS = 4_000
/** Shorter waits had hardly any estimate to compare with. */
const WAIT_MS_MIN = 5_000

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
  #meter: ThroughputMeter | null = null
  #pace = { ratePerMinute: 0, capacity: 0, paused: false }
  #judgedUntil = 0
  #pending: Flow[] = []

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
      if (flow.at - this.#judgedUntil > COARSE_STEP_MS) this.goOn(flow.at)
      this.#moveTo(flow.at)
      this.#count(flow)
      this.#pending.push(flow)
      Object.assign(this.position, { epoch: flow.epoch, seq: flow.seq })
    }
  }

  /** Extends the lines until now, and judges the steps that cannot change any more. */
  goOn(nowMs: number): void {
    this.#moveTo(slotOf(nowMs))
    const until = slotOf(nowMs - JUDGED_AFTER_MS)
    for (const point of this.#fine) {
      if (point.at >= this.#judgedUntil && point.at < until) this.#judge(point)
    }
    this.#judgedUntil = Math.max(this.#judgedUntil, until)
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
      point.waitedMs += flow.waitedMs
    }
  }

  /** In the order of time, so that each step is judged by what was known before it. */
  #judge(point: ChartPoint): void {
    this.#meter ??= new ThroughputMeter(point.at)
    while (this.#pending[0] !== undefined && this.#pending[0].at <= point.at) {
      const flow = this.#pending.shift()
      if (flow !== undefined) this.#measure(flow, this.#meter)
    }
    this.#meter.counted(point.at, point)
    const estimate = estimateWait(point.waiting, {
      ...this.#pace,
      ...{ freeSlots: this.#pace.capacity - point.floor, seats: null, outlook: null },
      measured: this.#meter.read(point.at + FINE_STEP_MS),
    })
    point.promisedMs = estimate === null ? null : estimate.p50 * 1_000
    point.estimateError = this.#errorOf(point)
    if ((point.at + FINE_STEP_MS) % COARSE_STEP_MS === 0) this.#condense(point.at + FINE_STEP_MS - COARSE_STEP_MS)
  }

  #measure(flow: Flow, meter: ThroughputMeter): void {
    // After a long silence the first points begin later than the last flow.
    if (flow.at >= (this.#fine[0]?.at ?? 0)) {
      meter.admitted(flow.at, flow.admitted)
      meter.absent(flow.at, flow.away)
      meter.left(flow.at, flow.leftLine)
      meter.served(flow.at, flow.leftFloor)
    }
    const { ratePerMinute, capacity, paused } = flow
    if (ratePerMinute === null && capacity === null && paused === null) return
    meter.paceChanged(flow.at)
    this.#pace.ratePerMinute = ratePerMinute ?? this.#pace.ratePerMinute
    this.#pace.capacity = capacity ?? this.#pace.capacity
    this.#pace.paused = paused ?? this.#pace.paused
  }

  #errorOf({ at, admitted, waitedMs }: ChartPoint): number | null {
    if (admitted === 0) return null
    const waited = waitedMs / admitted
    if (waited < WAIT_MS_MIN) return null
    const joinedAt = slotOf(at - waited)
    const promised = this.#fine.find((point) => point.at === joinedAt)?.promisedMs ?? null
    return promised === null ? null : Math.abs(waited - promised) / waited
  }

  /** Merges older points into one for each minute. */
  #condense(minute: number): void {
    const points = this.#fine.filter(({ at }) => at >= minute && at < minute + COARSE_STEP_MS)
    const last = points.at(-1)
    if (last === undefined) return
    const sum = (key: 'admitted' | 'arrived' | 'noShows' | 'waitedMs') => points.reduce((all, one) => all + one[key], 0)
    const errors = points.flatMap(({ estimateError }) => (estimateError === null ? [] : [estimateError]))
    const estimateError = errors.length === 0 ? null : errors.reduce((all, one) => all + one, 0) / errors.length
    const flows = {
      admitted: sum('admitted'),
      arrived: sum('arrived'),
      noShows: sum('noShows'),
      waitedMs: sum('waitedMs'),
    }
    this.#coarse.push({ ...last, at: minute, ...flows, estimateError })
    if (this.#coarse.length > COARSE_POINTS_MAX) this.#coarse = this.#coarse.slice(-COARSE_POINTS_MAX)
  }
}

const slotOf = (ms: number): number => Math.floor(ms / FINE_STEP_MS) * FINE_STEP_MS

function emptyPoint(at: number, { waiting, floor }: { waiting: number; floor: number }): ChartPoint {
  const flows = { admitted: 0, arrived: 0, noShows: 0, waitedMs: 0 }
  return { at, waiting, floor, ...flows, promisedMs: null, estimateError: null }
}
