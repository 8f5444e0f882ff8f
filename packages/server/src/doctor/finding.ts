/** What was looked at, and what was found. All but a good finding also say what to do. */
export interface Finding {
  readonly what: string
  /** `weak`: a sale can be held like this, but something is lost that need not be. `bad`: it must not be. */
  readonly verdict: 'good' | 'weak' | 'bad'
  readonly says: string
}

export function good(what: string, says: string): Finding {
  return { what, verdict: 'good', says }
}

export function weak(what: string, says: string): Finding {
  return { what, verdict: 'weak', says }
}

export function bad(what: string, says: string): Finding {
  return { what, verdict: 'bad', says }
}
