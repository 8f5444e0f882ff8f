import { SeatwiseError } from '@seatwise/domain'
import { useRecoveryCode } from '@seatwise/ledger'
import { senderOf } from '../../http/index.ts'
import { openSession, type Session } from '../accounts/account.ts'
import type { Adoption } from '../accounts/adoption.ts'
import { parseEmail } from '../accounts/email-address.ts'
import type { Comer } from '../accounts/sign-in.ts'
import type { IdentityServices } from '../identity.ts'
import { normalizeCode } from '../links/link-secrets.ts'
import type { TypedCode } from '../links/redeem-link.ts'

type Needs = Pick<IdentityServices, 'config' | 'ledger' | 'identity'> & { readonly adoption: Adoption }

/**
 * Signs in with a recovery code, which is then used up: for the owner of a lost authenticator. Throws CODE_WRONG, or
 * TOO_MANY_REQUESTS as at signing in with a password.
 */
export async function signInByRecoveryCode(
  services: Needs,
  { email, code }: TypedCode,
  comer: Comer,
): Promise<Session> {
  const { config, ledger, identity, adoption } = services
  const key = parseEmail(email)?.key ?? ''
  const attempt = config.rateLimits ? identity.throttle.attempt(senderOf(comer.address), key) : null
  if (attempt?.status === 'wait') {
    const { retryAfterSeconds } = attempt
    throw new SeatwiseError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  }
  const user = await ledger.db.selectFrom('users').selectAll().where('email_key', '=', key).executeTakeFirst()
  // The same look-ups for an unknown account.
  const userId = user?.id ?? NO_ACCOUNT
  const hashes = identity.links.hashes('recovery', `${userId} ${normalizeCode(code)}`)
  const isRight = await useRecoveryCode(ledger.db, userId, hashes)
  if (user === undefined || !isRight) throw new SeatwiseError('CODE_WRONG')
  attempt?.succeeded()
  const { account, ...brought } = await adoption.withGuest(comer.guestToken, async () => user)
  return { ...(await openSession(services, account, { method: 'recovery', device: comer.device })), ...brought }
}

const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'
