import type { Ledger } from '@seatwise/seats'
import { type CurrentActors, createCurrentActors } from '../access/current-actor.ts'
import { openSigningKeys, type SigningKeys } from '../keys/signing-keys.ts'
import { type AccessTokens, createAccessTokens } from '../tokens/access-token.ts'
import { createPasswordHasher, type PasswordHasher } from './password-hash.ts'
import { createSignInThrottle, type SignInThrottle } from './sign-in-throttle.ts'

/** Everything that tells who somebody is, or lets others check what we said. One per server. */
export interface Identity {
  readonly tokens: AccessTokens
  readonly actors: CurrentActors
  readonly keys: SigningKeys
  readonly passwords: PasswordHasher
  readonly throttle: SignInThrottle
}

export interface IdentityOptions {
  readonly ledger: Ledger
  readonly secrets: readonly Buffer[]
  readonly now: () => number
  readonly passwords?: PasswordHasher
}

/** The ledger's schema must be up: the signing keys are read, and made when there are none. */
export async function openIdentity({ ledger, secrets, now, passwords }: IdentityOptions): Promise<Identity> {
  return {
    tokens: createAccessTokens(secrets, now),
    actors: createCurrentActors(ledger, now),
    keys: await openSigningKeys(ledger, secrets, now),
    passwords: passwords ?? createPasswordHasher(),
    throttle: createSignInThrottle(now),
  }
}
