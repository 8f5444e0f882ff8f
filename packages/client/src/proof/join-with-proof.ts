import type { Challenge } from '../types.ts'
import { solveAside } from './solve-aside.ts'

/** How often a join is sent again with another proof: the first may come too late. */
const ATTEMPTS_MAX = 4

interface Refused {
  readonly code?: string
  readonly details?: { readonly challenge?: Challenge }
}

/** Solves the challenge that a join was refused with, and joins with the proof. Loaded when it is needed: most never are asked. */
export async function joinWithProof<Answer>(
  refused: unknown,
  join: (proof?: string) => Promise<Answer>,
  tell: (part: number) => void = () => {},
): Promise<Answer> {
  let error = refused
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
    const { code, details } = error as Refused
    const challenge = details?.challenge
    if (code !== 'CHALLENGE_FAILED' && challenge === undefined) break
    try {
      tell(0)
      return await join(challenge && (await solveAside(challenge, tell)))
    } catch (again) {
      error = again
    }
  }
  throw error
}
