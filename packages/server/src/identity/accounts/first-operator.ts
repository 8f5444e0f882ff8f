import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { endSessionsOf, followRole, type Ledger, type NewRow, type Row } from '@seatwise/ledger'
import type { IdentityServices } from '../identity.ts'
import { TOKEN_VALID_SECONDS_MAX } from '../sessions/access-token.ts'
import { type EmailAddress, parseEmail } from './email-address.ts'
import { findWeakness } from './password-rules.ts'

export interface MadeUpCredentials {
  readonly email: string
  readonly password: string
}

type Needs = Pick<IdentityServices, 'config' | 'ledger' | 'identity' | 'log'>

const MADE_UP_EMAIL = 'admin@seatwise.local'
const OPERATOR_NAME = 'Operator'
/** An arbitrary lock number that must never change: servers that start together take turns. */
const FIRST_OPERATOR_LOCK = 7_328_946_232

/**
 * Makes sure that an admin account exists. With SEATWISE_ADMIN_EMAIL and SEATWISE_ADMIN_PASSWORD, that account is an
 * admin with that password after every start, which also lets an operator who forgot the password back in: the account
 * is created, or must already be an admin. An account with that address but another role is left alone, and the server
 * does not start (A36). Without the settings, and only while there is no admin at all, an admin with a random password
 * is created and returned, to be shown once.
 */
export async function ensureFirstOperator(services: Needs): Promise<MadeUpCredentials | null> {
  const { adminEmail, adminPassword } = services.config
  if (adminEmail === null || adminPassword === null) return await makeUpOperator(services)
  const email = parseEmail(adminEmail)
  if (email === null) throw new Error('SEATWISE_ADMIN_EMAIL must be an email address such as ada@example.com.')
  await setUpOperator(services, email, adminPassword)
  return null
}

async function setUpOperator({ ledger, identity, log }: Needs, email: EmailAddress, password: string): Promise<void> {
  const weakness = findWeakness(password, { email: email.address, name: OPERATOR_NAME })
  if (weakness !== null) log.warn({ weakness }, 'SEATWISE_ADMIN_PASSWORD is easy to guess')
  await ledger.db.transaction().execute(async (transaction) => {
    await takeTurn(transaction)
    const byAddress = transaction.selectFrom('users').selectAll().where('email_key', '=', email.key)
    const user = await byAddress.forUpdate().executeTakeFirst()
    if (user === undefined) return await insertSetUp(transaction, email, await identity.passwords.hash(password))
    if (user.role !== 'admin') throw new OperatorAddressTaken(user)
    if (await identity.passwords.verify(password, user.password_hash)) return
    const password_hash = await identity.passwords.hash(password)
    await transaction
      .updateTable('users')
      .set((expression) => ({ password_hash, updated_at: expression.fn<Date>('now') }))
      .where('id', '=', user.id)
      .execute()
    await endSessionsOf(transaction, user.id, { keptSeconds: TOKEN_VALID_SECONDS_MAX })
  })
  await identity.ended.refresh()
}

/** A visitor may register between the check and the write: that account must not be promoted either. */
async function insertSetUp(db: Ledger['db'], email: EmailAddress, password_hash: string): Promise<void> {
  const inserted = await db
    .insertInto('users')
    .values(operator(email, password_hash))
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) throw new OperatorAddressTaken({ email: email.address, role: 'buyer' })
  await ownTheHouse(db, inserted.id)
}

/** The house's organization belongs to the admins. */
async function ownTheHouse(db: Ledger['db'], userId: string): Promise<void> {
  await followRole(db, { userId, before: 'buyer', role: 'admin', by: userId })
}

/** Any visitor can register an address, including the one that an operator will choose later. */
class OperatorAddressTaken extends Error {
  constructor({ email, role }: Pick<Row<'users'>, 'email' | 'role'>) {
    super(
      `SEATWISE_ADMIN_EMAIL is ${email}, the address of an account that exists already and has the role ${role}. ` +
        'A registered account is never made an admin by a setting. Choose another address. ' +
        'If that account is yours, sign in as another admin and give it the role (PATCH /api/users/:id).',
    )
  }
}

async function makeUpOperator({ ledger, identity }: Needs): Promise<MadeUpCredentials | null> {
  if ((await findAdmin(ledger.db)) !== undefined) return null
  const password = randomBytes(15).toString('base64url')
  const password_hash = await identity.passwords.hash(password)
  const email = await ledger.db.transaction().execute(async (transaction) => {
    await takeTurn(transaction)
    if ((await findAdmin(transaction)) !== undefined) return null
    return await insertOperator(transaction, password_hash)
  })
  return email === null ? null : { email, password }
}

async function takeTurn(transaction: Ledger['db']): Promise<void> {
  await transaction
    .selectNoFrom(({ fn, val }) => fn('pg_advisory_xact_lock', [val(FIRST_OPERATOR_LOCK)]).as('locked'))
    .execute()
}

/** The usual address, or a random one when another account has it already. */
async function insertOperator(db: Ledger['db'], password_hash: string): Promise<string> {
  const addresses = [MADE_UP_EMAIL, `admin-${randomBytes(6).toString('hex')}@seatwise.local`]
  for (const address of addresses) {
    const inserted = await db
      .insertInto('users')
      .values(operator({ address, key: address }, password_hash))
      .onConflict((conflict) => conflict.column('email_key').doNothing())
      .returning(['id', 'email'])
      .executeTakeFirst()
    if (inserted === undefined) continue
    await ownTheHouse(db, inserted.id)
    return inserted.email
  }
  throw new Error('Could not make an account for the first operator')
}

function operator({ address, key }: EmailAddress, password_hash: string): NewRow<'users'> {
  return {
    id: randomUUIDv7(),
    email: address,
    email_key: key,
    password_hash,
    name: OPERATOR_NAME,
    role: 'admin',
    verified_at: new Date(),
  }
}

async function findAdmin(db: Ledger['db']): Promise<Pick<Row<'users'>, 'id'> | undefined> {
  return await db.selectFrom('users').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst()
}
