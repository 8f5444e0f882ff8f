/**
 * The recent speed of a line, counted from its log in whole seconds over the last 15 minutes.
 *
 * A change of pace (settings, pause) invalidates earlier measurements, so measuring restarts there.
 */
export interface Throughput {
  /** Admissions a second, weighted: last batch 0.4, 1 minute 0.3, 5 minutes 0.2, 15 minutes 0.1. Null without data. */
  admissionsPerSecond: number | null
  /** The relative error of it: standard deviation over the windows ÷ mean, and more while there is little data. */
  spread: number
  /** The share of tickets that were absent when their turn came. */
  absentShare: number
  /** Chance of a waiting visitor to leave in one second. */
  leaveHazard: number
  /** How many tickets have left the floor. */
  served: number
  /**
   * Milliseconds that a ticket spends on the floor, with the same weights: the time all tickets spent there ÷ the number
   * that left. Tickets still there count with their time so far; an average of the leavers alone is far too short at first,
   * because the quick ones leave first. Null before the first ticket has left.
   */
  serviceMs: number | null
}

/** The most recent window has the largest weight. */
const WINDOWS = [
  { seconds: 10, weight: 0.4 },
  { seconds: 60, weight: 0.3 },
  { seconds: 300, weight: 0.2 },
  { seconds: 900, weight: 0.1 },
] as const

const RING_SECONDS = 901

/** With less data on a new pace, the configured limits are the better estimate. */
const LEAST_SECONDS = 5

export class ThroughputMeter {
  readonly #admitted = new Uint32Array(RING_SECONDS)
  readonly #absent = new Uint32Array(RING_SECONDS)
  readonly #left = new Uint32Array(RING_SECONDS)
  readonly #served = new Uint32Array(RING_SECONDS)
  /** Waiting tickets, summed over the seconds, for the hazard of leaving. */
  readonly #waited = new Float64Array(RING_SECONDS)
  /** The same for tickets on the floor, for the time spent there. */
  readonly #onFloor = new Float64Array(RING_SECONDS)
  #second: number
  #since: number
  /** The result of this second. Only complete seconds count, so it is the same until the next. */
  #read: { second: number; throughput: Throughput } | null = null

  constructor(nowMs: number) {
    this.#second = Math.floor(nowMs / 1000)
    this.#since = this.#second
  }

  admitted(atMs: number, count = 1): void {
    this.#add(this.#admitted, atMs, count)
  }

  absent(atMs: number, count = 1): void {
    this.#add(this.#absent, atMs, count)
  }

  left(atMs: number, count = 1): void {
    this.#add(this.#left, atMs, count)
  }

  /** A ticket left the floor, for any reason. */
  served(atMs: number, count = 1): void {
    this.#add(this.#served, atMs, count)
  }

  /** Sets how many tickets wait and how many are on the floor now; to be called about once a second. */
  counted(atMs: number, { waiting, floor }: { waiting: number; floor: number }): void {
    this.#moveTo(atMs)
    this.#waited[this.#second % RING_SECONDS] = waiting
    this.#onFloor[this.#second % RING_SECONDS] = floor
  }

  /** The pace changed: earlier measurements no longer apply. */
  paceChanged(atMs: number): void {
    this.#moveTo(atMs)
    this.#since = this.#second
    this.#read = null
  }

  read(nowMs: number): Throughput {
    this.#moveTo(nowMs)
    if (this.#read?.second !== this.#second) this.#read = { second: this.#second, throughput: this.#measure() }
    return this.#read.throughput
  }

  #measure(): Throughput {
    const measured = this.#second - this.#since
    if (measured < LEAST_SECONDS) return { admissionsPerSecond: null, spread: 0, ...this.#habits() }
    let rate = 0
    let weights = 0
    const rates: number[] = []
    for (const { seconds, weight } of WINDOWS) {
      const span = Math.min(seconds, measured)
      const windowRate = this.#sum(this.#admitted, span) / span
      rates.push(windowRate)
      rate += windowRate * weight
      weights += weight
    }
    const mean = rate / weights
    const habits = this.#habits()
    // How many visitors are slow is unknown before they have left.
    const unseen = (habits.serviceMs ?? 0) / (measured * 1000)
    return { admissionsPerSecond: mean, spread: Math.hypot(relativeSpread(rates, mean), unseen), ...habits }
  }

  /** Visitors' habits do not depend on the pace, so these use all data. */
  #habits(): Pick<Throughput, 'absentShare' | 'leaveHazard' | 'served' | 'serviceMs'> {
    const admitted = this.#sum(this.#admitted, RING_SECONDS - 1)
    const absent = this.#sum(this.#absent, RING_SECONDS - 1)
    const waited = this.#sum(this.#waited, RING_SECONDS - 1)
    const called = admitted + absent
    return {
      absentShare: called === 0 ? 0 : absent / called,
      leaveHazard: waited === 0 ? 0 : this.#sum(this.#left, RING_SECONDS - 1) / waited,
      served: this.#sum(this.#served, RING_SECONDS - 1),
      serviceMs: this.#serviceMs(),
    }
  }

  #serviceMs(): number | null {
    let leavingPerSecond = 0
    let weights = 0
    for (const { seconds, weight } of WINDOWS) {
      const onFloor = this.#sum(this.#onFloor, seconds)
      if (onFloor === 0) continue
      leavingPerSecond += (this.#sum(this.#served, seconds) / onFloor) * weight
      weights += weight
    }
    return leavingPerSecond === 0 ? null : (1_000 * weights) / leavingPerSecond
  }

  #add(ring: Uint32Array, atMs: number, count: number): void {
    this.#moveTo(atMs)
    const index = this.#second % RING_SECONDS
    ring[index] = (ring[index] ?? 0) + count
  }

  /** Sums the last complete seconds; the current one would lower every rate. */
  #sum(ring: Uint32Array | Float64Array, seconds: number): number {
    let sum = 0
    for (let back = 1; back <= seconds; back++) {
      sum += ring[(((this.#second - back) % RING_SECONDS) + RING_SECONDS) % RING_SECONDS] ?? 0
    }
    return sum
  }

  #moveTo(atMs: number): void {
    const second = Math.floor(atMs / 1000)
    const steps = Math.min(second - this.#second, RING_SECONDS)
    for (let step = 1; step <= steps; step++) {
      const index = (second - steps + step) % RING_SECONDS
      this.#admitted[index] = 0
      this.#absent[index] = 0
      this.#left[index] = 0
      this.#served[index] = 0
      // Between two reports the lengths of line and floor are assumed constant.
      const previous = (index - 1 + RING_SECONDS) % RING_SECONDS
      this.#waited[index] = this.#waited[previous] ?? 0
      this.#onFloor[index] = this.#onFloor[previous] ?? 0
    }
    if (second > this.#second) this.#second = second
  }
}

function relativeSpread(rates: readonly number[], mean: number): number {
  if (mean <= 0) return 0
  const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / rates.length
  return Math.sqrt(variance) / mean
}
