import { SeatwiseError } from '@seatwise/domain'
import { endSessionsOf } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import type { IdentityServices } from '../identity.ts'
import { TOKEN_VALID_SECONDS_MAX } from '../sessions/access-token.ts'
import { checkPassword } from './check-password.ts'
import { readUser } from './confirm.ts'
import { requireGoodPassword } from './password-rules.ts'

export interface PasswordChange {
  readonly password: string
  /** Not needed soon after signing in by link. */
  readonly current?: string | undefined
}

/**
 * Replaces the actor's own password, or sets the first one, and ends every other session: a thief who knew the old
 * password is signed out. A wrong current password gets BAD_CREDENTIALS and is throttled like a failed sign-in: a stolen
 * token must not help to guess it. Without it the session must have been begun by link a moment ago: FRESH_SIGN_IN_NEEDED.
 */
export async function replacePassword(
  services: Pick<IdentityServices, 'config' | 'ledger' | 'identity'>,
  actor: Actor,
  { password, current }: PasswordChange,
  address: string,
): Promise<void> {
  const { ledger, identity } = services
  const user = await readUser(services, actor)
  if (current !== undefined) {
    await checkPassword(services, { password: current, address, emailKey: user.email_key }, async () => user)
  } else if (!(await identity.freshness.cameByLink(actor))) {
    throw new SeatwiseError('FRESH_SIGN_IN_NEEDED', {
      message: 'Send the current password, or sign in by link first',
    })
  }
  requireGoodPassword(password, { email: user.email, name: user.name })
  const password_hash = await identity.passwords.hash(password)
  await ledger.db.transaction().execute(async (transaction) => {
    const replaced = await transaction
      .updateTable('users')
      .set((expression) => ({ password_hash, updated_at: expression.fn<Date>('now') }))
      .where('id', '=', actor.id)
      // Of two concurrent changes, the later one no longer has the current password.
      .where('password_hash', 'is not distinct from', user.password_hash)
      .returning('id')
      .executeTakeFirst()
    if (replaced === undefined) throw new SeatwiseError('BAD_CREDENTIALS')
    const exceptSession = actor.session?.id ?? null
    await endSessionsOf(transaction, actor.id, { keptSeconds: TOKEN_VALID_SECONDS_MAX, exceptSession })
  })
  await identity.ended.refresh()
}
