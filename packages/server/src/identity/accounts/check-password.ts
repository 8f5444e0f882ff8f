import { SeatwiseError } from '@seatwise/domain'
import type { Row } from '@seatwise/ledger'
import { senderOf } from '../../http/index.ts'
import type { IdentityServices } from '../identity.ts'

export interface PasswordAttempt {
  readonly password: string
  /** The sender and the account, by which wrong passwords are counted. */
  readonly address: string
  readonly emailKey: string
}

/**
 * Returns the user if the password is right. Otherwise throws BAD_CREDENTIALS, also for an unknown account and after
 * the same work, or TOO_MANY_REQUESTS after many wrong ones, before any look-up.
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
