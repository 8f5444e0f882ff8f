import { SeatwiseError } from '@seatwise/domain'
import type { Row } from '@seatwise/seats'
import { senderOf } from '../access/address.ts'
import type { Services } from '../services.ts'
import { openSession, type Session } from './account.ts'
import { parseEmail } from './email-address.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

type Needs = Pick<Services, 'config' | 'ledger' | 'identity'>

/**
 * Answers BAD_CREDENTIALS for a wrong password and for an unknown account alike, after the same work, and asks to wait
 * (TOO_MANY_REQUESTS) after many wrong ones.
 */
export async function signIn(services: Needs, credentials: Credentials, address: string): Promise<Session> {
  const { config, ledger, identity } = services
  const email = parseEmail(credentials.email)
  const attempt = config.rateLimits
    ? identity.throttle.attempt(senderOf(address), email?.key ?? '')
    : ({ status: 'allowed', succeeded() {} } as const)
  if (attempt.status === 'wait') {
    const { retryAfterSeconds } = attempt
    throw new SeatwiseError('TOO_MANY_REQUESTS', {
      message: 'Too many wrong passwords; wait a little',
      retryAfterSeconds,
    })
  }

  const user = email === null ? undefined : await findUser(ledger, email.key)
  const isRight = await identity.passwords.verify(credentials.password, user?.password_hash ?? null)
  if (user === undefined || !isRight) throw new SeatwiseError('BAD_CREDENTIALS')
  attempt.succeeded()
  await strengthenHash(services, user, credentials.password)
  return openSession(identity.tokens, user)
}

async function findUser(ledger: Services['ledger'], key: string): Promise<Row<'users'> | undefined> {
  return await ledger.db.selectFrom('users').selectAll().where('email_key', '=', key).executeTakeFirst()
}

/** Only now is the password known, so only now can it be hashed at today's cost. */
async function strengthenHash({ ledger, identity }: Needs, user: Row<'users'>, password: string): Promise<void> {
  if (!identity.passwords.isOutdated(user.password_hash)) return
  await ledger.db
    .updateTable('users')
    .set({ password_hash: await identity.passwords.hash(password) })
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .execute()
}
