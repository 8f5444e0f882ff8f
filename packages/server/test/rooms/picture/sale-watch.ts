import { pollAfterMs, pollPolicy } from '@seatwise/domain'
import type { RoomNow } from '@seatwise/line'
import type { Estimates } from '../../../src/rooms/picture/estimates.ts'
import type { SimulatedVisitor } from './simulated-sale.ts'

/** What a waiting visitor was told, and what two simpler formulas would have said at that instant. */
export interface Answer {
  readonly visitor: SimulatedVisitor
  readonly atMs: number
  readonly rank: number
  readonly p50: number | null
  readonly p90: number | null
  readonly basis: 'measured' | 'configured'
  readonly reason: string | null
  /** rank × average time on the floor ÷ size of the floor. */
  readonly bySeed000: number | null
  /** rank ÷ admissions a second, of the last 10 s, minute, 5 and 15 minutes, weighted 0.4, 0.3, 0.2 and 0.1. */
  readonly bySeed003: number | null
}

const WINDOWS = [
  { seconds: 10, weight: 0.4 },
  { seconds: 60, weight: 0.3 },
  { seconds: 300, weight: 0.2 },
  { seconds: 900, weight: 0.1 },
] as const

/** Answers visitors as a server does, and writes the answers down. */
export class SaleWatch {
  readonly answers: Answer[] = []
  readonly #estimates: Estimates
  readonly #startedAt: number
  readonly #admittedAt: number[] = []
  #now: RoomNow | null = null
  #averageStayMs: number | null = null
  #lastPolled = new Map<number, number>()

  constructor(estimates: Estimates, startedAt: number) {
    this.#estimates = estimates
    this.#startedAt = startedAt
  }

  counted(now: RoomNow): void {
    this.#now = now
    this.#estimates.counted(now)
  }

  admitted(at: number): void {
    this.#admittedAt.push(at)
  }

  left(stayMs: number): void {
    this.#averageStayMs = this.#averageStayMs === null ? stayMs : this.#averageStayMs * 0.9 + stayMs * 0.1
  }

  tell(visitor: SimulatedVisitor, rank: number, nowMs: number): void {
    if (this.#now === null) return
    const told = this.#estimates.show(visitor.number, rank, this.#now, nowMs)
    const { capacity } = this.#now.settings
    const rate = WINDOWS.reduce((sum, { seconds, weight }) => sum + weight * this.#rate(nowMs, seconds), 0)
    this.#lastPolled.set(visitor.number, told.p50 ?? -1)
    this.answers.push({
      ...{ visitor, atMs: nowMs, rank, ...told },
      bySeed000: this.#averageStayMs === null ? null : (rank * this.#averageStayMs) / 1_000 / capacity,
      bySeed003: rate === 0 ? null : rank / rate,
    })
  }

  pollAfterMs(number: number, rank: number | null, random: number): number {
    if (this.#now === null) return 1_000
    const { heartbeatTimeoutSeconds, ratePerMinute } = this.#now.settings
    const wait = this.#lastPolled.get(number) ?? -1
    return pollAfterMs(pollPolicy(heartbeatTimeoutSeconds, 100, ratePerMinute), rank, wait < 0 ? null : wait, random)
  }

  #rate(nowMs: number, seconds: number): number {
    const span = Math.min(seconds, Math.max(1, (nowMs - this.#startedAt) / 1_000))
    const since = nowMs - span * 1_000
    let [low, high] = [0, this.#admittedAt.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#admittedAt[middle] ?? 0) < since) low = middle + 1
      else high = middle
    }
    return (this.#admittedAt.length - low) / span
  }
}

export interface Quality {
  readonly judged: number
  readonly known: number
  readonly medianError: number
  readonly withinP90: number
  readonly seed000: number
  readonly seed003: number
}

/** Judges answers as `seatwise verify` does: those to visitors who were admitted at least 5 s later. */
export function judge(answers: readonly Answer[]): Quality {
  const judged = answers.filter(({ visitor, atMs }) => (visitor.admittedAt ?? 0) - atMs >= 5_000)
  const actual = ({ visitor, atMs }: Answer): number => ((visitor.admittedAt ?? 0) - atMs) / 1_000
  const known = judged.filter(({ p50 }) => p50 !== null)
  const errorOf = (field: 'p50' | 'bySeed000' | 'bySeed003'): number =>
    median(
      judged.flatMap((answer) => {
        const told = answer[field]
        return told === null ? [] : [Math.abs(told - actual(answer)) / actual(answer)]
      }),
    )
  return {
    judged: judged.length,
    known: known.length / judged.length,
    medianError: errorOf('p50'),
    withinP90: known.filter((answer) => actual(answer) <= (answer.p90 ?? 0)).length / known.length,
    seed000: errorOf('bySeed000'),
    seed003: errorOf('bySeed003'),
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
