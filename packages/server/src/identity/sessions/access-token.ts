import type { Actor } from '../../http/index.ts'
import { ISSUED_AHEAD_SECONDS_MAX, readClaims, writeClaims } from './access-claims.ts'
import { createClaimSigner } from './signed-claims.ts'
import { createVerifiedTokens } from './verified-tokens.ts'

/** Half a day: long enough for any sale. What must end earlier is in the list of ended sessions (ended-sessions.ts). */
export const ACCESS_TOKEN_SECONDS = 12 * 60 * 60

/** How long after its issue a token can be valid on a server whose clock is as wrong as we bear. */
export const TOKEN_VALID_SECONDS_MAX = ACCESS_TOKEN_SECONDS + ISSUED_AHEAD_SECONDS_MAX

export interface IssuedToken {
  accessToken: string
  /** Seconds. */
  expiresIn: number
}

export interface AccessTokens {
  /** A token that lasts half a day; for an actor who was read from a token, as long as that one. */
  issue(actor: Actor): IssuedToken
  /** Null for whatever is not a token of ours that is valid now, or whose session ended. Never throws, never waits. */
  verify(token: string): Actor | null
  /** The same, whether or not its session ended: for finding out what became of it. */
  read(token: string): Actor | null
  /** The same token under the first secret; null when it is that already, or not valid. */
  renew(token: string): IssuedToken | null
  /** Tokens that are remembered as verified. */
  readonly size: number
}

/**
 * Access tokens: `signed-claims.ts` decides whether we signed a token, `access-claims.ts` whether what it says is valid now,
 * and `isEnded` whether its session goes on. Only the first two are remembered: whether a session ended is asked each time.
 */
export function createAccessTokens(
  secrets: readonly Buffer[],
  now: () => number,
  isEnded: (actor: Actor) => boolean = () => false,
): AccessTokens {
  const signer = createClaimSigner(secrets)
  const verified = createVerifiedTokens((token, nowSeconds) => readClaims(signer.open(token), nowSeconds))

  function issue(actor: Actor): IssuedToken {
    const issuedAt = Math.floor(now() / 1_000)
    const expiresAt = actor.expiresAt ?? issuedAt + ACCESS_TOKEN_SECONDS
    return { accessToken: signer.sign(writeClaims(actor, issuedAt, expiresAt)), expiresIn: expiresAt - issuedAt }
  }

  const read = (token: string) => verified.read(token, now() / 1_000)

  function verify(token: string): Actor | null {
    const actor = read(token)
    return actor === null || isEnded(actor) ? null : actor
  }

  return {
    issue,
    verify,
    read,
    renew(token) {
      const actor = signer.isOfFirstSecret(token) ? null : verify(token)
      return actor === null ? null : issue(actor)
    },
    get size() {
      return verified.size
    },
  }
}
