import type { HistoryRecord } from './records/records.ts'

/** A rule that every history must obey. It judges from the records alone. */
export interface Check {
  /** The invariant's number, such as `I13`. */
  readonly id: string
  readonly name: string
  /** The check needs client records: log and ledger alone cannot violate it. */
  readonly needsClients?: boolean
  start(): CheckRun
}

/** One run of a check over one history. */
export interface CheckRun {
  see(record: HistoryRecord): void
  finish(): Verdict
}

export type Verdict = { counts: Counts } & (
  | { status: 'held' }
  | { status: 'violated'; violations: readonly Violation[]; violationCount: number }
  /** No record could have violated the rule, so nothing was proved. */
  | { status: 'vacuous'; missing: string }
)

/** How often the events occurred that the rule is about. */
export type Counts = Readonly<Record<string, number>>

export interface Violation {
  /** What was expected and what came, in one sentence. */
  message: string
  records: readonly HistoryRecord[]
}

/** More than these are counted, not kept. */
export const VIOLATIONS_KEPT_MAX = 100

/** Collects what a check finds. */
export class Findings {
  readonly #violations: Violation[] = []
  readonly #counts: Record<string, number>
  #violationCount = 0

  /** All counts start at zero, so that a report also shows what never occurred. */
  constructor(...countNames: readonly string[]) {
    this.#counts = Object.fromEntries(countNames.map((name) => [name, 0]))
  }

  count(name: string, by = 1): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + by
  }

  /** Keeps the largest value seen. */
  atLeast(name: string, value: number): void {
    this.#counts[name] = Math.max(this.#counts[name] ?? 0, value)
  }

  violate(message: string, ...records: readonly HistoryRecord[]): void {
    this.#violationCount += 1
    if (this.#violations.length < VIOLATIONS_KEPT_MAX) this.#violations.push({ message, records })
  }

  /** The rule was tested only if `needed` was counted. */
  verdict(needed: string): Verdict {
    const counts = { ...this.#counts }
    if (this.#violationCount > 0) {
      return { status: 'violated', violations: this.#violations, violationCount: this.#violationCount, counts }
    }
    if ((counts[needed] ?? 0) === 0) return { status: 'vacuous', missing: needed, counts }
    return { status: 'held', counts }
  }
}

/** The value of a key, created if it is missing. */
export function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
