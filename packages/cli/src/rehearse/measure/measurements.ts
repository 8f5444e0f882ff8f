import { Histogram } from './histogram.ts'

/** What visitors do, as the report calls it. */
export const ACTIONS = ['join', 'poll', 'enter', 'reserve', 'pay', 'leave', 'ask'] as const
export type Action = (typeof ACTIONS)[number]

/** How a visit ended. */
export type Outcome =
  | 'bought'
  | 'sold_out'
  | 'left'
  | 'vanished'
  | 'timed_out'
  | 'no_show'
  | 'refused'
  | 'unanswered'
  | 'unfinished'

/** One second of the rehearsal. */
export interface Second {
  arrivals: number
  joins: number
  admissions: number
  sold: number
  /** Good answers, and those that were no answer at all or asked to come back. */
  good: number
  failed: number
  latency: Histogram
  /** As the room's public document says it. */
  waiting: number | null
  active: number | null
  remainingSeats: number | null
  serverBytes: number | null
  driverBytes: number | null
}

/** The report draws longer rehearsals in coarser steps. */
const SECONDS_MAX = 24 * 3_600

/** Everything that is counted while visitors come and go. Times are from when something was due. */
export class Measurements {
  readonly startedAtMs: number = performance.now()
  readonly startedAt: Date = new Date()
  readonly latency: Readonly<Record<Action, Histogram>> = {
    ...{ join: new Histogram(), poll: new Histogram(), enter: new Histogram(), reserve: new Histogram() },
    ...{ pay: new Histogram(), leave: new Histogram(), ask: new Histogram() },
  }
  /** From arriving to being in line, of those who were let in at once, and of those who were asked to come again. */
  readonly inLineAtOnce: Histogram = new Histogram()
  readonly inLineLater: Histogram = new Histogram()
  /** Visitors who were asked to come again, or got no answer, at their first attempt to join. */
  askedAgain = 0
  /** From joining to standing on the floor. */
  readonly waited: Histogram = new Histogram()
  readonly seconds: Second[] = []
  readonly outcomes = new Map<Outcome, number>()
  /** Answers that were refusals, by status and code. */
  readonly refusals = new Map<string, number>()
  arrived = 0
  inside = 0
  seatsBought = 0
  repeatedJoins = 0
  /** What must never be answered: a seat without a pass, another ticket for the same visitor. */
  readonly breaches: string[] = []
  firstJoinAtMs: number | null = null
  lastJoinAtMs: number | null = null

  /** The second that runs now. */
  now(): Second {
    const index = Math.min(SECONDS_MAX, Math.floor((performance.now() - this.startedAtMs) / 1_000))
    while (this.seconds.length <= index) this.seconds.push(emptySecond())
    return this.seconds[index] ?? emptySecond()
  }

  answered(action: Action, milliseconds: number): void {
    this.latency[action].add(milliseconds)
    const second = this.now()
    second.latency.add(milliseconds)
    second.good += 1
    if (action !== 'join') return
    second.joins += 1
    this.firstJoinAtMs ??= performance.now() - milliseconds
    this.lastJoinAtMs = performance.now()
  }

  /** How an arriving visitor's joining ended; `tookMs` is null for one who is not in line. */
  tookPlace({ isAtOnce, tookMs }: { readonly isAtOnce: boolean; readonly tookMs: number | null }): void {
    if (!isAtOnce) this.askedAgain += 1
    if (tookMs !== null) (isAtOnce ? this.inLineAtOnce : this.inLineLater).add(tookMs)
  }

  refused(code: string, isFailure: boolean): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1)
    if (isFailure) this.now().failed += 1
  }

  ended(outcome: Outcome): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
    this.inside -= 1
  }

  /** Answers that no visitor may ever get; kept as text, as many as a report can show. */
  breach(sentence: string): void {
    if (this.breaches.length < BREACHES_MAX) this.breaches.push(sentence)
  }
}

const BREACHES_MAX = 100

function emptySecond(): Second {
  return {
    ...{ arrivals: 0, joins: 0, admissions: 0, sold: 0, good: 0, failed: 0, latency: new Histogram() },
    ...{ waiting: null, active: null, remainingSeats: null, serverBytes: null, driverBytes: null },
  }
}
