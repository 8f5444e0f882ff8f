import { SeatwiseError } from '@seatwise/domain'
import { noteConfirmed, noteStrong, type Row, useSignInMail } from '@seatwise/ledger'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Actor } from '../../http/index.ts'
import type { IdentityServices } from '../identity.ts'
import { findByCode } from '../links/redeem-link.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import { verifyPasskey } from '../passkeys/use-passkey.ts'
import { checkPassword } from './check-password.ts'

type Needs = Pick<IdentityServices, 'config' | 'ledger' | 'identity'>

/** How a signed-in person shows to be there still. */
export type Confirmation =
  | { readonly password: string }
  | { readonly code: string }
  | { readonly credential: AuthenticationResponseJSON; readonly party: RelyingParty }

/**
 * Confirms that the owner of the actor's session is there: acts that need a fresh sign-in are possible again for 15 minutes.
 * Throws BAD_CREDENTIALS, CODE_WRONG or TOO_MANY_REQUESTS.
 */
export async function confirmPresence(
  services: Needs,
  actor: Actor,
  shown: Confirmation,
  address: string,
): Promise<void> {
  const user = await readUser(services, actor)
  if ('password' in shown) {
    const attempt = { password: shown.password, address, emailKey: user.email_key }
    await checkPassword(services, attempt, async () => user)
  } else if ('credential' in shown) {
    const { userId } = await verifyPasskey(services, shown.credential, shown.party)
    if (userId !== actor.id) throw new SeatwiseError('BAD_CREDENTIALS')
    await noteStrong(services.ledger.db, actor.session?.id ?? '')
  } else {
    const id = await findByCode(services, { email: user.email, code: shown.code }, address)
    const mail = id === null ? null : await useSignInMail(services.ledger.db, id)
    if (mail === null) throw new SeatwiseError('CODE_WRONG')
  }
  await noteConfirmed(services.ledger.db, actor.session?.id ?? '')
}

export async function readUser({ ledger }: Pick<Needs, 'ledger'>, actor: Actor): Promise<Row<'users'>> {
  const user = await ledger.db.selectFrom('users').selectAll().where('id', '=', actor.id).executeTakeFirst()
  if (user === undefined || actor.session === undefined) {
    throw new SeatwiseError('UNAUTHORIZED', { message: 'Sign in again' })
  }
  return user
}
