import type { Row } from '@seatwise/ledger'
import type { FastifyRequest } from 'fastify'
import type { IdentityServices } from '../identity.ts'
import { describeDevice } from '../sessions/device.ts'
import { openSession, type Session } from './account.ts'
import type { Adoption } from './adoption.ts'
import { checkPassword } from './check-password.ts'
import { parseEmail } from './email-address.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

type Needs = Pick<IdentityServices, 'config' | 'ledger' | 'identity'> & { readonly adoption: Adoption }

/** The sender and device of a sign-in, and the guest that the visitor was before. */
export interface Comer {
  readonly address: string
  /** In a few words, for the list of sessions. */
  readonly device: string
  readonly guestToken: string | undefined
}

export function comerOf({ ip, headers }: FastifyRequest, guestToken: string | undefined): Comer {
  return { address: ip, device: describeDevice(headers['user-agent']), guestToken }
}

/**
 * Checks the password and begins a session. The account gets what the visitor owned as a guest. Throws BAD_CREDENTIALS
 * or TOO_MANY_REQUESTS, as `checkPassword` says.
 */
export async function signIn(services: Needs, { email, password }: Credentials, comer: Comer): Promise<Session> {
  const key = parseEmail(email)?.key
  const asked = { password, address: comer.address, emailKey: key ?? '' }
  const user = await checkPassword(services, asked, async () =>
    key === undefined ? undefined : await findUser(services.ledger, key),
  )
  await strengthenHash(services, user, password)
  const { account, ...brought } = await services.adoption.withGuest(comer.guestToken, async () => user)
  return { ...(await openSession(services, account, { method: 'password', device: comer.device })), ...brought }
}

async function findUser(ledger: IdentityServices['ledger'], key: string): Promise<Row<'users'> | undefined> {
  return await ledger.db.selectFrom('users').selectAll().where('email_key', '=', key).executeTakeFirst()
}

/** The plain password is known only at sign-in, so this is when it can be hashed again at today's cost. */
async function strengthenHash({ ledger, identity }: Needs, user: Row<'users'>, password: string): Promise<void> {
  if (user.password_hash === null || !identity.passwords.isOutdated(user.password_hash)) return
  await ledger.db
    .updateTable('users')
    .set({ password_hash: await identity.passwords.hash(password) })
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .execute()
}
