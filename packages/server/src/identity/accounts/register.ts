import { randomUUIDv7 } from 'node:crypto'
import { SeatwiseError } from '@seatwise/domain'
import type { Ledger, NewRow } from '@seatwise/ledger'
import type { IdentityServices } from '../identity.ts'
import { openSession, type Session } from './account.ts'
import type { Adoption } from './adoption.ts'
import { requireEmail } from './email-address.ts'
import { requireGoodPassword } from './password-rules.ts'
import { requireName } from './profile-fields.ts'
import type { Comer } from './sign-in.ts'

export interface Registration {
  readonly email: string
  readonly password: string
  readonly name: string
}

/**
 * Creates an account for a buyer and signs them in; the account gets what they owned as a guest. Throws EMAIL_TAKEN,
 * WEAK_PASSWORD or BAD_REQUEST.
 */
export async function register(
  parts: Pick<IdentityServices, 'ledger' | 'identity'> & { readonly adoption: Adoption },
  registration: Registration,
  comer: Comer,
): Promise<Session> {
  const { ledger, identity, adoption } = parts
  const email = requireEmail(registration.email)
  const name = requireName(registration.name)
  requireGoodPassword(registration.password, { email: email.address, name })

  // Checked first because it is cheap and hashing is not; the unique key decides between concurrent registrations.
  const taken = await ledger.db.selectFrom('users').select('id').where('email_key', '=', email.key).executeTakeFirst()
  if (taken !== undefined) throw new SeatwiseError('EMAIL_TAKEN')
  const row = {
    id: randomUUIDv7(),
    email: email.address,
    email_key: email.key,
    password_hash: await identity.passwords.hash(registration.password),
    name,
    role: 'buyer',
  } as const
  const { account, ...brought } = await adoption.withGuest(comer.guestToken, (db) => insertAccount(db, row))
  return { ...(await openSession(parts, account, { method: 'password', device: comer.device })), ...brought }
}

async function insertAccount(db: Ledger['db'], row: NewRow<'users'>) {
  const inserted = await db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning(['id', 'email', 'name', 'role', 'avatar', 'session_version'])
    .executeTakeFirst()
  if (inserted === undefined) throw new SeatwiseError('EMAIL_TAKEN')
  return inserted
}
