import type { Ledger } from '@seatwise/ledger'
import type { OpenidSettings } from '../config/index.ts'
import type { Base } from '../http/index.ts'
import { measureBuffers } from '../kit/index.ts'
import { createMailLimits, type MailLimits } from './accounts/mail-limits.ts'
import { createPasswordHasher, type PasswordHasher } from './accounts/password-hash.ts'
import { createSignInThrottle, type SignInThrottle } from './accounts/sign-in-throttle.ts'
import { openSigningKeys, type SigningKeys } from './keys/signing-keys.ts'
import { createLinkSecrets, type LinkSecrets } from './links/link-secrets.ts'
import { createProvider, type Provider } from './openid/provider.ts'
import { openTeams, type Teams } from './organizations/teams.ts'
import { type AccessTokens, createAccessTokens } from './sessions/access-token.ts'
import { type CurrentActors, createCurrentActors } from './sessions/current-actor.ts'
import { type EndedSessions, openEndedSessions } from './sessions/ended-sessions.ts'
import { createFreshness, type Freshness } from './sessions/fresh.ts'
import { createSessionUses, type SessionUses } from './sessions/session-uses.ts'
import { ASKS_NOBODY, createStrength, type Strength } from './sessions/strength.ts'

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
  readonly strength: Strength
  /** The house's own provider; null without one. */
  readonly provider: Provider | null
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
  /** Whether the house asks managers and admins for more than a password or a mail. */
  readonly strongSignIn?: boolean
  readonly openid?: OpenidSettings | null
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
  strongSignIn = false,
  openid = null,
}: IdentityOptions): Promise<Identity> {
  const ended = await openEndedSessions(ledger, now)
  const teams = await openTeams(ledger, now)
  return {
    ended,
    teams,
    tokens: createAccessTokens(secrets, now, ended.has),
    actors: createCurrentActors(ledger, now),
    keys: await openSigningKeys(ledger, secrets, now),
    passwords: passwords ?? createPasswordHasher(),
    throttle: createSignInThrottle(now, workers),
    links: createLinkSecrets(secrets),
    mailLimits: createMailLimits(now, workers),
    freshness: createFreshness(ledger),
    strength: strongSignIn ? createStrength(ledger, teams) : ASKS_NOBODY,
    provider: openid === null ? null : createProvider(openid, now),
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
    strong_sessions: () => identity.strength.size,
    queued_passwords: () => identity.passwords.waiting,
  })
}
