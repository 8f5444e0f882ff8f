import { randomUUIDv7 } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import type { Services } from '../services.ts'
import { openSession, type Session } from './account.ts'
import { requireEmail } from './email-address.ts'
import { requireGoodPassword } from './password-rules.ts'
import { requireName } from './profile-fields.ts'

export interface Registration {
  readonly email: string
  readonly password: string
  readonly name: string
}

/** Makes an account for a buyer and signs them in. Throws EMAIL_TAKEN, WEAK_PASSWORD or BAD_REQUEST. */
export async function register(
  { ledger, identity }: Pick<Services, 'ledger' | 'identity'>,
  registration: Registration,
): Promise<Session> {
  const email = requireEmail(registration.email)
  const name = requireName(registration.name)
  requireGoodPassword(registration.password, { email: email.address, name })

  // Asked first because it is cheap and hashing is not; the unique key decides between those who ask together.
  const taken = await ledger.db.selectFrom('users').select('id').where('email_key', '=', email.key).executeTakeFirst()
  if (taken !== undefined) throw new SeatwiseError('EMAIL_TAKEN')
  const row = await ledger.db
    .insertInto('users')
    .values({
      id: randomUUIDv7(),
      email: email.address,
      email_key: email.key,
      password_hash: await identity.passwords.hash(registration.password),
      name,
      role: 'buyer',
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning(['id', 'email', 'name', 'role', 'avatar'])
    .executeTakeFirst()
  if (row === undefined) throw new SeatwiseError('EMAIL_TAKEN')
  return openSession(identity.tokens, row)
}
