import { SeatwiseError } from '@seatwise/domain'
import type { Row } from '@seatwise/ledger'
import { senderOf } from '../../http/index.ts'
import type { IdentityServices } from '../identity.ts'

export interface PasswordAttempt {
  readonly password: string
  /** Where it comes from, and which account it is for: what wrong ones are counted by. */
  readonly address: string
  readonly emailKey: string
}

/**
 * The user that is found, if the password is right. Else BAD_CREDENTIALS, for an unknown account alike and after the same work, and
 * TOO_MANY_REQUESTS after many wrong ones, before anything is looked up.
 */
export async function checkPassword(
  { config, identity }: Pick<IdentityServices, 'config' | 'identity'>,
  { password, address, emailKey }: PasswordAttempt,
  find: () => Promise<Row<'users'> | undefined>,
): Promise<Row<'users'>> {
  const attempt = config.rateLimits ? identity.throttle.attempt(senderOf(address), emailKey) : null
  if (attempt?.status === 'wait') {
    const { retryAfterSeconds } = attempt
    throw new SeatwiseError('TOO_MANY_REQUESTS', {
      message: 'Too many wrong passwords; wait a little',
      retryAfterSeconds,
    })
  }
  const user = await find()
  const isRight = await identity.passwords.verify(password, user?.password_hash ?? null)
  if (user === undefined || !isRight) throw new SeatwiseError('BAD_CREDENTIALS')
  attempt?.succeeded()
  return user
}
