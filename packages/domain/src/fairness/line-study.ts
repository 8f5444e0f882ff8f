import { EstimateJudge } from '../estimate/estimate-judge.ts'
import type { Change, LogEntry } from '../line/log-entry.ts'
import type { RoomSettings } from '../line/room-settings.ts'
import { AdmissionRate } from './admission-rate.ts'
import { countInversions } from './count-inversions.ts'
import { NumberColumn } from './number-column.ts'

/** How fair a line was, in figures, by its log alone. */
export interface LineFairness {
  readonly joined: number
  readonly admitted: number
  /** Pairs of admitted tickets of which the one with the later place went in first. */
  readonly inversions: number
  /** Those among them of which neither visitor was ever away. */
  readonly inversionsOfPresent: number
  /** 1 − 2 × inversions ÷ pairs: 1 is exactly by place, −1 the reverse. Null with fewer than two admissions. */
  readonly kendallTau: number | null
  /** The most tickets that an admission put on the floor above the capacity. */
  readonly capacityOvershoot: number
  /** Admissions for which the rate had no token; an operator's own need none (M29). */
  readonly rateOvershoot: number
  readonly noShows: number
  /** Visitors who left by themselves. */
  readonly left: number
  /** Tickets that ended because their visitor was done: in a sale, because the visitor paid. */
  readonly completed: number
  /** The most visitors who joined within one second. */
  readonly joinsPerSecondMax: number
  /** From joining to admission. */
  readonly wait: Waits
  /** From the opening of the line, for those who had joined before it; null where there was no pre-queue. */
  readonly waitFromOpening: Waits | null
  readonly eta: {
    /** The share of the judged visitors who got an estimate. */
    readonly known: number | null
    readonly medianError: number | null
    readonly p90Coverage: number | null
  }
  /** The hash of the price list that was published last, and how many were. */
  readonly prices: { readonly hash: string; readonly lists: number } | null
}

/** In seconds; null when no visitor was admitted. */
export interface Waits {
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
}

/** Follows the log of a room, entry by entry: linear in its length, and 40 bytes for each ticket. */
export class LineStudy {
  /** How far the log was followed. */
  readonly position = { epoch: 0, seq: 0 }
  readonly #estimates = new EstimateJudge()
  readonly #joinedAt = new NumberColumn()
  readonly #admittedAt = new NumberColumn()
  readonly #wasAway = new NumberColumn()
  readonly #floor = new Set<number>()
  /** Ticket numbers in the order of their first admission. */
  readonly #admissions: number[] = []
  readonly #waitsMs: number[] = []
  readonly #waitsFromOpeningMs: number[] = []
  #settings: RoomSettings | null = null
  #opensAt = 0
  #rate: AdmissionRate | null = null
  #joined = 0
  #noShows = 0
  #left = 0
  #completed = 0
  readonly #joins = { second: 0, count: 0, countMax: 0 }
  #overCapacity = 0
  #overRate = 0
  #prices: { hash: string; lists: number } | null = null
  #hadPreQueue = false

  get admitted(): number {
    return this.#admissions.length
  }

  follow(entry: LogEntry): void {
    this.#estimates.follow(entry)
    this.#apply(entry.change, entry.at)
    this.position.epoch = entry.epoch
    this.position.seq = entry.seq
  }

  /** `placeOf`: where a ticket stood, after the draw if there was one. */
  figures(placeOf: (number: number) => number): LineFairness {
    const order = this.#admissions
    const inversions = countInversions(ranksOf(order, placeOf))
    const present = order.filter((number) => this.#wasAway.get(number) === 0)
    const pairs = (order.length * (order.length - 1)) / 2
    const { knownShare, medianError, withinP90 } = this.#estimates.figures()
    return {
      ...{ joined: this.#joined, admitted: order.length, inversions },
      inversionsOfPresent: countInversions(ranksOf(present, placeOf)),
      kendallTau: pairs === 0 ? null : 1 - (2 * inversions) / pairs,
      ...{ capacityOvershoot: this.#overCapacity, rateOvershoot: this.#overRate },
      ...{ noShows: this.#noShows, left: this.#left, completed: this.#completed },
      joinsPerSecondMax: this.#joins.countMax,
      wait: spread(this.#waitsMs),
      waitFromOpening: this.#hadPreQueue ? spread(this.#waitsFromOpeningMs) : null,
      eta: { known: knownShare, medianError, p90Coverage: withinP90 },
      prices: this.#prices,
    }
  }

  #apply(change: Change, at: number): void {
    switch (change.kind) {
      case 'opened':
        this.#settings = change.rules.settings
        this.#opensAt = change.rules.opensAt
        this.#rate = new AdmissionRate(this.#settings, at)
        return
      case 'changed':
        this.#opensAt = change.opensAt ?? this.#opensAt
        if (change.settings !== undefined && this.#settings !== null) {
          this.#settings = { ...this.#settings, ...change.settings }
          this.#rate?.change(this.#settings, at)
        }
        return
      case 'joined':
      case 'restored':
        this.#wait(change, at)
        return
      case 'admitted':
        this.#admit(change, at)
        return
      case 'corrected':
        if (change.state === 'completed') this.#complete(change.number)
        else this.#floor.add(change.number)
        return
      case 'completed':
        this.#complete(change.number)
        return
      case 'expired':
        for (const number of change.numbers) this.#floor.delete(number)
        if (change.reason === 'no_show') this.#noShows += change.numbers.length
        if (change.reason === 'cancelled') this.#left += change.numbers.length
        return
      case 'away':
        for (const number of change.numbers) this.#wasAway.set(number, 1)
        return
      case 'prices':
        this.#prices = { hash: change.hash, lists: (this.#prices?.lists ?? 0) + 1 }
        return
      default:
        return
    }
  }

  #wait(change: Extract<Change, { kind: 'joined' | 'restored' }>, at: number): void {
    const { number } = change
    this.#floor.delete(number)
    if (this.#joinedAt.get(number) !== 0) return
    this.#joined += 1
    this.#joinedAt.set(number, change.kind === 'restored' ? change.joinedAt : at)
    if (at < this.#opensAt) this.#hadPreQueue = true
    if (change.kind === 'joined') this.#countJoin(Math.floor(at / 1_000))
  }

  #countJoin(second: number): void {
    const joins = this.#joins
    joins.count = joins.second === second ? joins.count + 1 : 1
    joins.second = second
    joins.countMax = Math.max(joins.countMax, joins.count)
  }

  #complete(number: number): void {
    this.#floor.delete(number)
    this.#completed += 1
  }

  #admit({ number, by }: Extract<Change, { kind: 'admitted' }>, at: number): void {
    this.#floor.add(number)
    const capacity = this.#settings?.capacity ?? Number.POSITIVE_INFINITY
    this.#overCapacity = Math.max(this.#overCapacity, this.#floor.size - capacity)
    if (by !== 'operator' && this.#rate?.take(at) === false) this.#overRate += 1
    // A ticket that a rebuild brought back is admitted again: the first admission is the one that it waited for.
    if (this.#admittedAt.get(number) !== 0) return
    this.#admittedAt.set(number, at)
    this.#admissions.push(number)
    const joinedAt = this.#joinedAt.get(number) || at
    this.#waitsMs.push(at - joinedAt)
    if (joinedAt < this.#opensAt) this.#waitsFromOpeningMs.push(Math.max(0, at - this.#opensAt))
  }
}

/** For each ticket, which one it is by place; equal places are ordered by number. */
function ranksOf(numbers: readonly number[], placeOf: (number: number) => number): Uint32Array {
  const places = Float64Array.from(numbers, placeOf)
  const byPlace = Uint32Array.from(numbers.keys()).sort(
    (a, b) => (places[a] ?? 0) - (places[b] ?? 0) || (numbers[a] ?? 0) - (numbers[b] ?? 0),
  )
  const ranks = new Uint32Array(numbers.length)
  for (const [rank, index] of byPlace.entries()) ranks[index] = rank
  return ranks
}

function spread(waitsMs: readonly number[]): Waits {
  const sorted = Float64Array.from(waitsMs).sort()
  const at = (share: number): number | null => {
    const ms = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
    return ms === undefined ? null : ms / 1_000
  }
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}
