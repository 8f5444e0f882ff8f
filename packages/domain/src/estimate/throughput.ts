import type { Leaving } from './leaving.ts'

/**
 * The recent movements of a line, counted from its log in whole seconds over the last 15 minutes.
 *
 * A change of pace (settings, pause) invalidates earlier admissions, so measuring them restarts there.
 */
export interface Throughput {
  /** Admissions a second, weighted: last batch 0.4, 1 minute 0.3, 5 minutes 0.2, 15 minutes 0.1. Null without data. */
  admissionsPerSecond: number | null
  /** The share of tickets that were absent when their turn came. */
  absentShare: number
  /** How visitors leave the line before their turn. */
  leaving: Leaving
  /** How many tickets have left the floor. */
  served: number
}

/** The most recent window has the largest weight. */
const WINDOWS = [
  { seconds: 10, weight: 0.4 },
  { seconds: 60, weight: 0.3 },
  { seconds: 300, weight: 0.2 },
  { seconds: 900, weight: 0.1 },
] as const

const RING_SECONDS = 901

/** With less data on a new pace there is no rate yet. */
const LEAST_SECONDS = 5
/** Over which time leavers are counted: the impatient leave first, so that an older hazard is too high. */
const LEAVING_SECONDS = 60
/** Ticket-seconds without a leaver that are assumed, so that one leaver of a short line proves little. */
const ASSUMED_WAITED = 600

export class ThroughputMeter {
  readonly #admitted = new Uint32Array(RING_SECONDS)
  readonly #absent = new Uint32Array(RING_SECONDS)
  /** Tickets that left the line, minus those that came back. */
  readonly #left = new Float64Array(RING_SECONDS)
  readonly #served = new Uint32Array(RING_SECONDS)
  /** Waiting tickets, summed over the seconds, for the hazard of leaving. */
  readonly #waited = new Float64Array(RING_SECONDS)
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

  /** Sets how many tickets wait now; to be called about once a second. */
  counted(atMs: number, waiting: number): void {
    this.#moveTo(atMs)
    this.#waited[this.#second % RING_SECONDS] = waiting
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
    return { admissionsPerSecond: measured < LEAST_SECONDS ? null : this.#rate(measured), ...this.#habits() }
  }

  #rate(measured: number): number {
    let rate = 0
    for (const { seconds, weight } of WINDOWS) {
      const span = Math.min(seconds, measured)
      rate += (this.#sum(this.#admitted, span) / span) * weight
    }
    return rate
  }

  /** Visitors' habits do not depend on the pace, so these use all data. */
  #habits(): Omit<Throughput, 'admissionsPerSecond'> {
    const admitted = this.#sum(this.#admitted, RING_SECONDS - 1)
    const absent = this.#sum(this.#absent, RING_SECONDS - 1)
    const called = admitted + absent
    const hazard =
      Math.max(0, this.#sum(this.#left, LEAVING_SECONDS)) / (this.#sum(this.#waited, LEAVING_SECONDS) + ASSUMED_WAITED)
    return {
      absentShare: called === 0 ? 0 : absent / called,
      leaving: { hazard, seconds: this.#lineSeconds() },
      served: this.#sum(this.#served, RING_SECONDS - 1),
    }
  }

  /** For how many of the last seconds there was a line. */
  #lineSeconds(): number {
    let seconds = 0
    while (seconds < RING_SECONDS - 1 && (this.#waited[this.#indexOf(seconds + 1)] ?? 0) > 0) seconds += 1
    return seconds
  }

  #add(ring: Uint32Array | Float64Array, atMs: number, count: number): void {
    this.#moveTo(atMs)
    const index = this.#second % RING_SECONDS
    ring[index] = (ring[index] ?? 0) + count
  }

  /** Sums the last complete seconds; the current one would lower every rate. */
  #sum(ring: Uint32Array | Float64Array, seconds: number): number {
    let sum = 0
    for (let back = 1; back <= seconds; back++) sum += ring[this.#indexOf(back)] ?? 0
    return sum
  }

  #indexOf(secondsBack: number): number {
    return (((this.#second - secondsBack) % RING_SECONDS) + RING_SECONDS) % RING_SECONDS
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
      // Between two reports the length of the line is assumed constant.
      this.#waited[index] = this.#waited[(index - 1 + RING_SECONDS) % RING_SECONDS] ?? 0
    }
    if (second > this.#second) this.#second = second
  }
}
