import { type DoctorProblem, sayFinding } from '@seatwise/web'

/** What was checked, and what was found. All but a good finding also say what to do. */
export interface Finding {
  readonly what: string
  /** `weak`: a sale can run like this, but loses something that it need not lose. `bad`: it must not run. */
  readonly verdict: 'good' | 'weak' | 'bad'
  /** In English. */
  readonly says: string
  /** The problem as a code with its values, so that a page can say it in any language. */
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
