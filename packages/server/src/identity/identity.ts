import type { Ledger } from '@seatwise/ledger'
import type { Base } from '../http/index.ts'
import { measureBuffers } from '../kit/index.ts'
import { createMailLimits, type MailLimits } from './accounts/mail-limits.ts'
import { createPasswordHasher, type PasswordHasher } from './accounts/password-hash.ts'
import { createSignInThrottle, type SignInThrottle } from './accounts/sign-in-throttle.ts'
import { openSigningKeys, type SigningKeys } from './keys/signing-keys.ts'
import { createLinkSecrets, type LinkSecrets } from './links/link-secrets.ts'
import { openTeams, type Teams } from './organizations/teams.ts'
import { type AccessTokens, createAccessTokens } from './sessions/access-token.ts'
import { type CurrentActors, createCurrentActors } from './sessions/current-actor.ts'
import { type EndedSessions, openEndedSessions } from './sessions/ended-sessions.ts'
import { createFreshness, type Freshness } from './sessions/fresh.ts'
import { createSessionUses, type SessionUses } from './sessions/session-uses.ts'

/** The services that identify callers, and that sign what others verify. One per server. */
export interface Identity {
  readonly tokens: AccessTokens
  readonly ended: EndedSessions
  readonly teams: Teams
  readonly actors: CurrentActors
  readonly keys: SigningKeys
  readonly passwords: PasswordHasher
  readonly throttle: SignInThrottle
  readonly links: LinkSecrets
  /** How often mail that signs in goes to one address. */
  readonly mailLimits: MailLimits
  readonly freshness: Freshness
  readonly uses: SessionUses
}

/** The services that the account routes and the folders below them use. */
export interface IdentityServices extends Base {
  /** Access tokens, passwords and signing keys. */
  readonly identity: Identity
}

export interface IdentityOptions {
  readonly ledger: Ledger
  readonly secrets: readonly Buffer[]
  readonly now: () => number
  readonly passwords?: PasswordHasher
  /** How many processes share the port, and with it what one sender may try. */
  readonly workers?: number
}

/**
 * Requires the ledger's schema: reads the ended sessions and the signing keys, and creates keys when there are none.
 */
export async function openIdentity({
  ledger,
  secrets,
  now,
  passwords,
  workers = 1,
}: IdentityOptions): Promise<Identity> {
  const ended = await openEndedSessions(ledger, now)
  return {
    ended,
    teams: await openTeams(ledger, now),
    tokens: createAccessTokens(secrets, now, ended.has),
    actors: createCurrentActors(ledger, now),
    keys: await openSigningKeys(ledger, secrets, now),
    passwords: passwords ?? createPasswordHasher(),
    throttle: createSignInThrottle(now, workers),
    links: createLinkSecrets(secrets),
    mailLimits: createMailLimits(now, workers),
    freshness: createFreshness(ledger),
    uses: createSessionUses(ledger, now),
  }
}

/** Exports the sizes of the identity tables and queues in `/metrics`. */
export function measureIdentity({ metrics, identity }: Pick<IdentityServices, 'metrics' | 'identity'>): void {
  measureBuffers(metrics, {
    verified_tokens: () => identity.tokens.size,
    ended_sessions: () => identity.ended.size,
    current_actors: () => identity.actors.size,
    members: () => identity.teams.members,
    api_keys: () => identity.teams.keys,
    sign_in_failures: () => identity.throttle.size,
    sign_in_mails: () => identity.mailLimits.size,
    session_uses: () => identity.uses.size,
    queued_passwords: () => identity.passwords.waiting,
  })
}
