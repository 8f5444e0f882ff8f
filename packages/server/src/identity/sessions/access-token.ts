import type { Actor } from '../../http/index.ts'
import { ISSUED_AHEAD_SECONDS_MAX, readClaims, writeClaims } from './access-claims.ts'
import { createClaimSigner } from './signed-claims.ts'
import { createVerifiedTokens } from './verified-tokens.ts'

/**
 * Half a day: long enough for any sale. Sessions that end earlier are in the list of ended sessions
 * (ended-sessions.ts).
 */
export const ACCESS_TOKEN_SECONDS = 12 * 60 * 60

/** How long after its issue a token can be valid on a server with the largest clock error that we tolerate. */
export const TOKEN_VALID_SECONDS_MAX = ACCESS_TOKEN_SECONDS + ISSUED_AHEAD_SECONDS_MAX

export interface IssuedToken {
  accessToken: string
  /** Seconds. */
  expiresIn: number
}

export interface AccessTokens {
  /** Issues a token that lasts half a day; for an actor that was read from a token, until that token expires. */
  issue(actor: Actor): IssuedToken
  /** Null unless the token is ours, valid now, and of a session that has not ended. Never throws, never waits. */
  verify(token: string): Actor | null
  /** The same without checking whether the session ended: for finding out what became of it. */
  read(token: string): Actor | null
  /** The same token signed with the first secret; null when it already is, or when it is not valid. */
  renew(token: string): IssuedToken | null
  /** The number of cached verified tokens. */
  readonly size: number
}

/**
 * Access tokens: `signed-claims.ts` verifies the signature, `access-claims.ts` whether the claims are valid now, and
 * `isEnded` whether the session has ended. Only the first two results are cached: `isEnded` is called each time.
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
