import {
  type EstimateReason,
  estimateWait,
  type LogEntry,
  type PaceChange,
  PaceMeter,
  type PacePreview,
  previewPace,
  type RoomPace,
  type RoomSettings,
  roomPaceOf,
  type ShownEstimate,
  showEstimate,
} from '@seatwise/domain'
import type { RoomNow } from '@seatwise/line'

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
  readonly #meter: PaceMeter
  /** Tickets on the floor: at most as many as its capacity. */
  readonly #floor = new Map<number, FloorTicket>()
  /** Promised time of the turn, in whole seconds since the first promise; 0 means none. */
  #dueSeconds = new Uint32Array(1_024)
  readonly #originMs: number
  #lastCause: { reason: EstimateReason; at: number } = { reason: 'slower', at: 0 }
  #avgServiceMs = 0
  #leavers = 0
  /** What the room allows by the last *now*. */
  #room: { readonly now: RoomNow; readonly pace: RoomPace } | null = null
  #settings: RoomSettings
  #paused: boolean
  /** The last *now*: it has all changes up to its place in the log. */
  #counted: LogPosition

  constructor(now: RoomNow) {
    this.#meter = new PaceMeter(now.now)
    this.#originMs = now.now
    this.#settings = now.settings
    this.#paused = now.paused
    this.#counted = now
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
    return this.#meter.admissionsPerSecond(nowMs)
  }

  follow(entries: readonly LogEntry[]): void {
    for (const entry of entries) this.#follow(entry)
  }

  /** Part of the log was missed: visitors may have left the floor unseen. */
  missed(): void {
    this.#floor.clear()
    this.#meter.loseSight()
  }

  /** Called about once a second, and after a change, which it may show before the log does. */
  counted(now: RoomNow): void {
    this.#meter.counted(now.now, now.waiting)
    this.#paceChanged(now.now, now.settings, now.paused)
    this.#counted = now
  }

  show(number: number, rank: number, now: RoomNow, nowMs: number): ShownEstimate {
    const estimate = estimateWait(rank, this.#meter.read(this.#roomPace(now), nowMs))
    const dueBefore = this.#dueSeconds[number] ?? 0
    const before = dueBefore === 0 ? null : { dueAt: this.#originMs + dueBefore * 1000 }
    const { view, shown } = showEstimate(estimate, nowMs, before, this.#reasonAt(nowMs))
    if (shown !== null) this.#remember(number, shown.dueAt)
    return view
  }

  preview(now: RoomNow, nowMs: number, change: PaceChange): PacePreview {
    return previewPace(now.waiting, this.#meter.read(this.#roomPace(now), nowMs), change)
  }

  /** What slowed the line down recently; without such a cause, the line is just slower than it was. */
  #reasonAt(nowMs: number): EstimateReason {
    return nowMs - this.#lastCause.at < CAUSE_MS ? this.#lastCause.reason : 'slower'
  }

  #roomPace(now: RoomNow): RoomPace {
    if (this.#room?.now !== now) this.#room = { now, pace: roomPaceOf(now) }
    return this.#room.pace
  }

  #follow({ epoch, seq, at, change }: LogEntry): void {
    switch (change.kind) {
      case 'admitted':
        this.#meter.admitted(at)
        this.#floor.set(change.number, { since: at, seats: 0 })
        return
      case 'completed':
        this.#leftFloor(change.number, at, true)
        return
      case 'grouped':
        this.#meter.leftLine(at, change.merged === null ? 0 : 1)
        return
      case 'expired':
        this.#meter.leftLine(at, change.ranks?.length ?? 0)
        for (const number of change.numbers) this.#leftFloor(number, at, false)
        return
      case 'reserved':
        for (const number of change.numbers) this.#reserved(number, change.quantity)
        return
      case 'away':
        this.#meter.wentAway(at, change.ranks)
        return
      case 'back':
        this.#meter.cameBack(at, change.ranks.length)
        this.#lastCause = { reason: 'returns', at }
        return
      case 'restored':
        this.#lastCause = { reason: 'returns', at }
        return
      case 'joined':
      case 'classed':
        if (change.class > 0) this.#lastCause = { reason: 'priority', at }
        return
      case 'changed':
        if (isNewer({ epoch, seq }, this.#counted)) this.#paceChanged(at, change.settings ?? {}, change.paused)
        return
      case 'opened':
      case 'entered':
      case 'extended':
      case 'moved':
      case 'adopted':
      case 'corrected':
      case 'attended':
      case 'codes':
      case 'prices':
      case 'draw':
      case 'sealed':
      case 'revealed':
        return
    }
  }

  #reserved(number: number, seats: number): void {
    const ticket = this.#floor.get(number)
    if (ticket !== undefined) ticket.seats = seats
  }

  #leftFloor(number: number, at: number, isDone: boolean): void {
    const ticket = this.#floor.get(number)
    if (ticket === undefined) return
    this.#floor.delete(number)
    const { since, seats } = ticket
    const kept = isDone ? seats : 0
    const demand = { claimed: Math.max(1, seats), kept, keptSquares: kept ** 2 }
    this.#meter.leftFloor(at, { count: 1, cameAtMs: since, ...demand })
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

type LogPosition = Pick<RoomNow, 'epoch' | 'seq'>

function isNewer(one: LogPosition, other: LogPosition): boolean {
  return one.epoch === other.epoch ? one.seq > other.seq : one.epoch > other.epoch
}

interface FloorTicket {
  readonly since: number
  /** Reserved now. */
  seats: number
}
