import { RecentMap } from '../../kit/index.ts'
import type { ReadActor } from './access-claims.ts'

/** About 10 MB. A client's next request is then checked by one look-up instead of a MAC and a parser. */
const VERIFIED_TOKENS_MAX = 20_000

/** Caches verified tokens. They still expire. */
export interface VerifiedTokens {
  /** The actor of a token that has not expired; `check` verifies tokens that are not cached. */
  read(token: string, nowSeconds: number): ReadActor | null
  readonly size: number
}

export function createVerifiedTokens(check: (token: string, nowSeconds: number) => ReadActor | null): VerifiedTokens {
  const verified = new RecentMap<string, ReadActor>(VERIFIED_TOKENS_MAX)
  return {
    read(token, nowSeconds) {
      const known = verified.get(token)
      const actor = known ?? check(token, nowSeconds)
      if (actor === null || actor.expiresAt <= nowSeconds) return null
      if (known === undefined) verified.set(token, actor)
      return actor
    },
    get size() {
      return verified.size
    },
  }
}
