import {
  type EstimateReason,
  estimateWait,
  type LogEntry,
  lookAhead,
  type Pace,
  type PaceChange,
  type PacePreview,
  previewPace,
  type RoomSettings,
  ServiceTimes,
  showEstimate,
  type Throughput,
  ThroughputMeter,
} from '@seatwise/domain'
import type { RoomNow } from '@seatwise/line'

export interface ShownEstimate {
  p50: number | null
  p90: number | null
  reason: EstimateReason | null
}

/** Visitors with a higher number get a new estimate each time; the others cost 4 bytes each. */
const REMEMBERED_MAX = 16_000_000

/** How many visitors have to leave the floor before an average stay is shown. */
const LEAVERS_MIN = 5

/** How long a change explains a later estimate. */
const CAUSE_MS = 60_000

/**
 * What this server measures of a room's pace, from its log alone, and the turn it promised to each visitor, so that no
 * estimate moves back without a reason.
 */
export class Estimates {
  readonly #meter: ThroughputMeter
  readonly #serviceTimes = new ServiceTimes()
  /** Since when each ticket is on the floor: at most as many as its capacity. */
  readonly #floor = new Map<number, number>()
  /** Promised time of the turn, in whole seconds since the first promise; 0 means none. */
  #dueSeconds = new Uint32Array(1_024)
  readonly #originMs: number
  #lastCause: { reason: EstimateReason; at: number } = { reason: 'slower', at: 0 }
  #avgServiceMs = 0
  #leavers = 0
  /** The pace computed from the last second's measurements, reused until the next. */
  #read: { metered: Throughput; pace: Pick<Pace, 'measured' | 'outlook'> } | null = null
  #settings: RoomSettings
  #paused: boolean

  constructor(now: RoomNow) {
    this.#meter = new ThroughputMeter(now.now)
    this.#originMs = now.now
    this.#settings = now.settings
    this.#paused = now.paused
  }

  /** Null while too few have left for an average: the first ones are the quickest. */
  get avgServiceMs(): number | null {
    return this.#leavers < Math.min(LEAVERS_MIN, this.#settings.capacity) ? null : this.#avgServiceMs
  }

  /** The capacity for promised turns. */
  get remembered(): number {
    return this.#dueSeconds.length
  }

  admissionsPerSecond(nowMs: number): number {
    return this.#meter.read(nowMs).admissionsPerSecond ?? 0
  }

  follow(entries: readonly LogEntry[]): void {
    for (const entry of entries) this.#follow(entry)
  }

  /** Part of the log was missed: visitors may have left the floor unseen. */
  missed(): void {
    this.#floor.clear()
    this.#serviceTimes.loseSight()
  }

  /** Called about once a second. */
  counted(now: RoomNow): void {
    this.#meter.counted(now.now, now)
    this.#settings = now.settings
    this.#paused = now.paused
  }

  show(number: number, rank: number, now: RoomNow, nowMs: number): ShownEstimate {
    const estimate = estimateWait(rank, this.#pace(now, nowMs))
    const dueBefore = this.#dueSeconds[number] ?? 0
    const before = dueBefore === 0 ? null : { dueAt: this.#originMs + dueBefore * 1000 }
    const { p50, p90, reason, shown } = showEstimate(estimate, nowMs, before, this.#reasonAt(nowMs))
    if (shown !== null) this.#remember(number, shown.dueAt)
    return { p50, p90, reason }
  }

  preview(now: RoomNow, nowMs: number, change: PaceChange): PacePreview {
    return previewPace(now.waiting, this.#pace(now, nowMs), change)
  }

  /** What slowed the line down recently; without such a cause, the line is just slower than it was. */
  #reasonAt(nowMs: number): EstimateReason {
    return nowMs - this.#lastCause.at < CAUSE_MS ? this.#lastCause.reason : 'slower'
  }

  #pace(now: RoomNow, nowMs: number): Pace {
    return {
      paused: now.paused || now.held !== null,
      ratePerMinute: now.settings.ratePerMinute,
      capacity: now.settings.capacity,
      freeSlots: now.settings.capacity - now.floor,
      seats: now.stock === null || !now.settings.stockAware ? null : now.stock - now.taken - now.promised,
      ...this.#readPace(now, nowMs),
    }
  }

  #readPace(now: RoomNow, nowMs: number): Pick<Pace, 'measured' | 'outlook'> {
    const metered = this.#meter.read(nowMs)
    if (this.#read?.metered !== metered) this.#read = { metered, pace: this.#paceFrom(metered, now, nowMs) }
    return this.#read.pace
  }

  #paceFrom(metered: Throughput, now: RoomNow, nowMs: number): Pick<Pace, 'measured' | 'outlook'> {
    const { capacity, ratePerMinute, sessionSeconds, reservationSeconds } = now.settings
    const stays = this.#serviceTimes.read(secondOf(nowMs), Math.min(sessionSeconds, reservationSeconds))
    if (stays === null) return { measured: metered, outlook: null }
    const { leaveHazard } = metered
    return {
      measured: { ...metered, serviceMs: stays.mean * 1_000 },
      outlook: lookAhead({ capacity, floor: now.floor, ratePerSecond: ratePerMinute / 60, leaveHazard }, stays),
    }
  }

  #follow({ at, change }: LogEntry): void {
    switch (change.kind) {
      case 'admitted':
        this.#meter.admitted(at)
        this.#serviceTimes.came(secondOf(at))
        this.#floor.set(change.number, at)
        return
      case 'completed':
        this.#leftFloor(change.number, at)
        return
      case 'expired':
        if (change.rank !== null) this.#meter.left(at)
        this.#leftFloor(change.number, at)
        return
      case 'away':
        this.#meter.absent(at)
        return
      case 'back':
      case 'restored':
        this.#lastCause = { reason: 'returns', at }
        return
      case 'joined':
        if (change.class > 0) this.#lastCause = { reason: 'priority', at }
        return
      case 'changed':
        this.#paceChanged(at, change.settings ?? {}, change.paused)
        return
      case 'opened':
      case 'entered':
      case 'extended':
      case 'moved':
      case 'adopted':
      case 'reserved':
      case 'corrected':
        return
    }
  }

  #leftFloor(number: number, at: number): void {
    const since = this.#floor.get(number)
    if (since === undefined) return
    this.#floor.delete(number)
    this.#meter.served(at)
    this.#serviceTimes.left(secondOf(since), secondOf(at))
    this.#leavers += 1
    // A rolling average; the first values are averaged equally.
    this.#avgServiceMs += (at - since - this.#avgServiceMs) * Math.max(0.1, 1 / this.#leavers)
  }

  #paceChanged(at: number, settings: Partial<RoomSettings>, paused: boolean | undefined): void {
    const { ratePerMinute, capacity } = { ...this.#settings, ...settings }
    const pause = paused ?? this.#paused
    if (ratePerMinute < this.#settings.ratePerMinute) this.#lastCause = { reason: 'rate_lowered', at }
    else if (capacity < this.#settings.capacity) this.#lastCause = { reason: 'capacity_lowered', at }
    else if (pause && !this.#paused) this.#lastCause = { reason: 'paused', at }
    const changed = ratePerMinute !== this.#settings.ratePerMinute || capacity !== this.#settings.capacity
    if (changed || pause !== this.#paused) this.#meter.paceChanged(at)
    this.#settings = { ...this.#settings, ...settings }
    this.#paused = pause
  }

  #remember(number: number, dueAt: number): void {
    if (number >= REMEMBERED_MAX) return
    if (number >= this.#dueSeconds.length) {
      const larger = new Uint32Array(Math.min(REMEMBERED_MAX, Math.max(number + 1, this.#dueSeconds.length * 2)))
      larger.set(this.#dueSeconds)
      this.#dueSeconds = larger
    }
    this.#dueSeconds[number] = Math.max(1, Math.ceil((dueAt - this.#originMs) / 1000))
  }
}

const secondOf = (ms: number): number => Math.floor(ms / 1_000)
