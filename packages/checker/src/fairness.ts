import { getOrMake } from './check.ts'
import type { ClientRecord, HistoryRecord, LogRecord, PriorityClass } from './records/records.ts'
import { countInversions } from './replay/inversions.ts'
import { PlainFormulas } from './replay/plain-formulas.ts'
import { RoomReplay } from './replay/room-replay.ts'
import { TokenBucket } from './replay/token-bucket.ts'

/** How fair a line was, in figures. The invariants check rules; these figures describe what visitors experienced. */
export interface Fairness {
  readonly room: string
  readonly joined: number
  readonly admitted: number
  readonly noShows: number
  /** Of the tickets that had their turn, how many were no-shows. */
  readonly noShowShare: number | null
  readonly left: number
  readonly classes: readonly ClassFairness[]
  /** From joining to admission, over all classes. */
  readonly waitMs: Spread | null
  readonly estimates: EstimateQuality
  readonly overshoot: Overshoot
}

export interface ClassFairness {
  readonly class: PriorityClass
  readonly admitted: number
  /** Pairs admitted against the order of arrival, and those among them that were always present. */
  readonly inversions: number
  readonly inversionsOfPresent: number
  /** Inversions ÷ pairs: 0 is exactly first come, first served, 1 is exactly the reverse. */
  readonly kendallTau: number | null
  readonly waitMs: Spread | null
}

export interface Spread {
  readonly min: number
  readonly p10: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

export interface EstimateQuality {
  /** Estimates shown to visitors who were admitted later, after at least JUDGED_MS_MIN. */
  readonly judged: number
  /** |told − true| ÷ true. */
  readonly medianError: number | null
  readonly p90Error: number | null
  /** The share of the answers to these visitors that had an estimate: it may be unknown. */
  readonly knownShare: number | null
  /** How often the turn came before the stated P50, and before the P90. Calibrated estimates give 0.5 and 0.9. */
  readonly withinP50: number | null
  readonly withinP90: number | null
  /** The median errors of two plain formulas at the same instants: rank × average stay ÷ floor, and rank ÷ throughput. */
  readonly plainErrors: { readonly service: number | null; readonly throughput: number | null }
}

export interface Overshoot {
  /** The most by which an admission exceeded the capacity, and how many admissions had no token; an operator's need none. Both must be 0. */
  readonly capacity: number
  readonly rate: number
}

/** Shorter waits cannot be estimated to the per cent, and are not judged. */
const JUDGED_MS_MIN = 5_000
/** A difference from rounding to milliseconds is no overshoot. */
const TOKEN_ROUNDING = 1e-6

/** Collects the data for the fairness of every room, record by record. */
export class FairnessStudy {
  readonly #rooms = new Map<string, StudiedRoom>()

  see(record: HistoryRecord): void {
    if (record.record === 'log') this.#room(record.room).follow(record)
    else if (record.record === 'client' && record.room !== undefined) this.#room(record.room).hear(record)
  }

  finish(): Fairness[] {
    return [...this.#rooms.values()].map((room) => room.finish())
  }

  #room(name: string): StudiedRoom {
    return getOrMake(this.#rooms, name, () => new StudiedRoom(name))
  }
}

interface Admitted {
  readonly number: number
  readonly class: PriorityClass
  readonly waitedMs: number
  readonly wasAway: boolean
}

interface Told {
  readonly ticket: number
  readonly atMs: number
  readonly rank: number | undefined
  /** Undefined where the estimate was unknown. */
  readonly expectedMs: number | undefined
  readonly expectedMsMax: number | undefined
}

class StudiedRoom {
  readonly #room: string
  readonly #replay = new RoomReplay()
  readonly #joinedAtMs = new Map<number, number>()
  readonly #admittedAtMs = new Map<number, number>()
  readonly #wereAway = new Set<number>()
  readonly #admissions: Admitted[] = []
  readonly #told: Told[] = []
  readonly #plain = new PlainFormulas()
  #bucket: TokenBucket | undefined
  #noShows = 0
  #left = 0
  #overCapacity = 0
  #overRate = 0

  constructor(room: string) {
    this.#room = room
  }

  follow(record: LogRecord): void {
    if (!this.#replay.apply(record)) return
    this.#plain.begin(record.atMs)
    if (ENDS.has(record.kind) && 'ticket' in record) this.#plain.left(record.ticket, record.atMs)
    if (record.kind === 'join' || record.kind === 'return') {
      if (!this.#joinedAtMs.has(record.ticket)) this.#joinedAtMs.set(record.ticket, record.atMs)
    } else if (record.kind === 'admit') this.#admit(record)
    else if (record.kind === 'away') this.#wereAway.add(record.ticket)
    else if (record.kind === 'leave') this.#left += 1
    else if (record.kind === 'expire' && record.reason === 'no_show') this.#noShows += 1
    else if (record.kind === 'epoch') this.#bucket = new TokenBucket(record, record.tokens ?? 0, record.atMs)
    else if (record.kind === 'settings') this.#bucket?.change(record, record.atMs)
  }

  hear({ phase, ticket, atMs, state, rank, expectedMs, expectedMsMax }: ClientRecord): void {
    if (phase !== 'ok' || ticket === undefined || atMs === undefined) return
    if (expectedMs === undefined && state !== 'waiting') return
    this.#told.push({ ticket, atMs, rank, expectedMs, expectedMsMax })
  }

  finish(): Fairness {
    const admitted = this.#admissions
    const called = admitted.length + this.#noShows
    return {
      room: this.#room,
      ...{ joined: this.#joinedAtMs.size, admitted: admitted.length, noShows: this.#noShows, left: this.#left },
      noShowShare: called === 0 ? null : this.#noShows / called,
      classes: ([0, 1, 2, 3] as const).flatMap((each) => this.#classFairness(each)),
      waitMs: spreadOf(admitted.map(({ waitedMs }) => waitedMs)),
      estimates: this.#estimates(),
      overshoot: { capacity: this.#overCapacity, rate: this.#overRate },
    }
  }

  #admit({ ticket: number, atMs, by }: Extract<LogRecord, { kind: 'admit' }>): void {
    const { limits, floor, tickets } = this.#replay
    this.#overCapacity = Math.max(this.#overCapacity, floor.size - (limits?.capacity ?? Number.POSITIVE_INFINITY))
    if (by !== 'operator' && this.#bucket !== undefined && this.#bucket.take(atMs) < -TOKEN_ROUNDING)
      this.#overRate += 1
    if (this.#admittedAtMs.has(number)) return
    this.#admittedAtMs.set(number, atMs)
    this.#plain.admitted(number, atMs)
    const waitedMs = atMs - (this.#joinedAtMs.get(number) ?? atMs)
    const ticketClass = tickets.get(number)?.class ?? 0
    this.#admissions.push({ number, class: ticketClass, waitedMs, wasAway: this.#wereAway.has(number) })
  }

  #classFairness(ticketClass: PriorityClass): ClassFairness[] {
    const admitted = this.#admissions.filter((admission) => admission.class === ticketClass)
    if (admitted.length === 0) return []
    const inversions = countInversions(admitted.map(({ number }) => number))
    const present = admitted.filter(({ wasAway }) => !wasAway).map(({ number }) => number)
    const pairs = (admitted.length * (admitted.length - 1)) / 2
    return [
      {
        ...{ class: ticketClass, admitted: admitted.length, inversions },
        inversionsOfPresent: countInversions(present),
        kendallTau: pairs === 0 ? null : inversions / pairs,
        waitMs: spreadOf(admitted.map(({ waitedMs }) => waitedMs)),
      },
    ]
  }

  #estimates(): EstimateQuality {
    const errors: number[] = []
    const plain: { service: number[]; throughput: number[] } = { service: [], throughput: [] }
    const capacity = this.#replay.limits?.capacity ?? 1
    let [withinP50, withinP90, unknown] = [0, 0, 0]
    for (const { ticket, atMs, rank, expectedMs, expectedMsMax } of this.#told) {
      const trueMs = (this.#admittedAtMs.get(ticket) ?? Number.NaN) - atMs
      // Also tickets that were never admitted, with an unknown wait.
      if (!(trueMs >= JUDGED_MS_MIN)) continue
      if (rank !== undefined) {
        const byService = this.#plain.byService(rank, capacity, atMs)
        const byThroughput = this.#plain.byThroughput(rank, atMs)
        if (byService !== null) plain.service.push(Math.abs(byService - trueMs) / trueMs)
        if (byThroughput !== null) plain.throughput.push(Math.abs(byThroughput - trueMs) / trueMs)
      }
      if (expectedMs === undefined || expectedMsMax === undefined) {
        unknown += 1
        continue
      }
      errors.push(Math.abs(expectedMs - trueMs) / trueMs)
      withinP50 += Number(trueMs <= expectedMs)
      withinP90 += Number(trueMs <= expectedMsMax)
    }
    errors.sort((a, b) => a - b)
    const share = (count: number): number | null => (errors.length === 0 ? null : count / errors.length)
    return {
      judged: errors.length,
      medianError: at(errors, 0.5) ?? null,
      p90Error: at(errors, 0.9) ?? null,
      knownShare: errors.length + unknown === 0 ? null : errors.length / (errors.length + unknown),
      withinP50: share(withinP50),
      withinP90: share(withinP90),
      plainErrors: { service: medianOf(plain.service), throughput: medianOf(plain.throughput) },
    }
  }
}

/** What ends a ticket. */
const ENDS: ReadonlySet<LogRecord['kind']> = new Set([
  ...(['complete', 'expire', 'leave', 'terminate', 'merged'] as const),
])

function medianOf(errors: readonly number[]): number | null {
  return at(Float64Array.from(errors).sort(), 0.5) ?? null
}

function spreadOf(values: readonly number[]): Spread | null {
  const sorted = Float64Array.from(values).sort()
  const p = (share: number): number => at(sorted, share) ?? 0
  return sorted.length === 0 ? null : { min: p(0), p10: p(0.1), p50: p(0.5), p90: p(0.9), p99: p(0.99), max: p(1) }
}

function at(sorted: ArrayLike<number>, share: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
}
