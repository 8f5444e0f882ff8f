import { randomUUIDv7 } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import { openOutsideAccount } from '@seatwise/ledger'
import type { IDToken } from 'openid-client'
import { openSession, type Session } from '../accounts/account.ts'
import type { Adoption } from '../accounts/adoption.ts'
import { type EmailAddress, parseEmail } from '../accounts/email-address.ts'
import { nameFromAddress, requireName } from '../accounts/profile-fields.ts'
import type { Comer } from '../accounts/sign-in.ts'
import type { IdentityServices } from '../identity.ts'
import { TOKEN_VALID_SECONDS_MAX } from '../sessions/access-token.ts'
import type { Flow } from './begin-sign-in.ts'
import { followProviderRole } from './follow-provider-role.ts'
import { isProviderAway, type Provider } from './provider.ts'

type Needs = Pick<IdentityServices, 'config' | 'ledger' | 'identity' | 'log'> & { readonly adoption: Adoption }

export type SignInByProvider =
  | { readonly status: 'signed_in'; readonly session: Session }
  /** The person cancelled, or the answer is not one to a question of this browser. */
  | { readonly status: 'refused' }
  /** The provider does not say that the address is verified, or it is of no domain that the house allows. */
  | { readonly status: 'not_allowed' }
  /** The account with this address is linked to another person of the provider. */
  | { readonly status: 'of_another' }
  | { readonly status: 'away' }

/**
 * Signs in the person whom the provider's answer names: makes or links the account, and gives it what the visitor owned as a
 * guest. `answer` is the address that the provider led the browser to.
 */
export async function finishSignIn(
  services: Needs,
  provider: Provider,
  { answer, flow, comer }: { readonly answer: URL; readonly flow: Flow; readonly comer: Comer },
): Promise<SignInByProvider> {
  const claims = await readAnswer(services, provider, answer, flow)
  if (typeof claims === 'string') return { status: claims }
  const email = allowedAddress(claims, provider)
  if (email === null) return { status: 'not_allowed' }
  const identity = { issuer: claims.iss, subject: claims.sub }
  const proposed = {
    ...{ id: randomUUIDv7(), email: email.address, email_key: email.key, password_hash: null },
    ...{ name: nameOf(claims, email), role: 'buyer' as const },
  }
  const opened = await services.adoption
    .withGuest(comer.guestToken, async (db) => {
      const account = await openOutsideAccount(db, identity, proposed, TOKEN_VALID_SECONDS_MAX)
      if (account === null) throw new OfAnother()
      return account
    })
    .catch(unlessOfAnother)
  if (opened === null) return { status: 'of_another' }
  const { account: found, ...brought } = opened
  // A first proof of the address, or another role, may have ended older sessions: they are refused here from now on.
  const account = await followProviderRole(services, found, { identity, claims, settings: provider.settings })
  await services.identity.ended.refresh()
  const session = await openSession(services, account, { method: 'openid', device: comer.device })
  return { status: 'signed_in', session: { ...session, ...brought } }
}

/** The claims about the person, checked: signature, issuer, audience, times, state, nonce and the proof of the code. */
async function readAnswer(
  { log }: Needs,
  provider: Provider,
  answer: URL,
  { state, nonce, verifier }: Flow,
): Promise<IDToken | 'away' | 'refused'> {
  const connected = await provider.connect().catch((error: unknown) => {
    log.warn({ err: error }, 'the OpenID provider is away')
    return null
  })
  if (connected === null) return 'away'
  const { client, configuration } = connected
  try {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
    const tokens = await client.authorizationCodeGrant(configuration, answer, checks)
    return tokens.claims() ?? 'refused'
  } catch (error) {
    const isAway = isProviderAway(error, client)
    log.warn({ err: error }, isAway ? 'the OpenID provider is away' : 'a sign-in by the OpenID provider was refused')
    return isAway ? 'away' : 'refused'
  }
}

function allowedAddress({ email, email_verified }: IDToken, { settings }: Provider): EmailAddress | null {
  if (email_verified !== true || typeof email !== 'string') return null
  const parsed = parseEmail(email)
  const domain = parsed?.key.slice(parsed.key.lastIndexOf('@') + 1) ?? ''
  return settings.domains.includes(domain) ? parsed : null
}

function nameOf({ name }: IDToken, { address }: EmailAddress): string {
  try {
    return requireName(typeof name === 'string' ? name : '')
  } catch (error) {
    if (error instanceof SeatwiseError) return nameFromAddress(address)
    throw error
  }
}

/** Ends the transaction without effect. */
class OfAnother extends Error {
  override readonly name = 'OfAnother'
}

function unlessOfAnother(error: unknown): null {
  if (error instanceof OfAnother) return null
  throw error
}
