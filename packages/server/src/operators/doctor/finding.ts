import { type DoctorProblem, sayFinding } from '@seatwise/web'

/** What was looked at, and what was found. All but a good finding also say what to do. */
export interface Finding {
  readonly what: string
  /** `weak`: a sale can be held like this, but something is lost that need not be. `bad`: it must not be. */
  readonly verdict: 'good' | 'weak' | 'bad'
  /** In English. */
  readonly says: string
  /** What is wrong as a word, and what belongs to it, so that a page says it in any language. */
  readonly problem?: DoctorProblem
  readonly facts?: FindingFacts
}

export type FindingFacts = Readonly<Record<string, string>>

export function good(what: string, says: string): Finding {
  return { what, verdict: 'good', says }
}

export function weak(what: string, problem: DoctorProblem, facts: FindingFacts = {}): Finding {
  return { what, verdict: 'weak', says: sayFinding('en', problem, facts), problem, facts }
}

export function bad(what: string, problem: DoctorProblem, facts: FindingFacts = {}): Finding {
  return { what, verdict: 'bad', says: sayFinding('en', problem, facts), problem, facts }
}
