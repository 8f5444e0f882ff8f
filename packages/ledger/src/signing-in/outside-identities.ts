import { type Kysely, sql } from 'kysely'
import type { NewRow, Row, Schema } from '../engine/index.ts'
import { openVerifiedAccount } from './verified-account.ts'

/** A person as a provider knows them. */
export interface OutsideIdentity {
  readonly issuer: string
  readonly subject: string
}

/**
 * The account of a person whom a provider vouches for: the one that is linked; else the one with the address, which the
 * provider says is theirs, or a new one. Null when that account is linked to another person of this provider: pass the
 * transaction that signs in, and end it without effect then.
 */
export async function openOutsideAccount(
  db: Kysely<Schema>,
  { issuer, subject }: OutsideIdentity,
  proposed: NewRow<'users'>,
  keptSeconds: number,
): Promise<Row<'users'> | null> {
  const linked = await findLinked(db, { issuer, subject })
  if (linked !== undefined) return linked
  const account = await openVerifiedAccount(db, proposed, keptSeconds)
  const made = await db
    .insertInto('outside_identities')
    .values({ issuer, subject, user_id: account.id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (made !== undefined) return account
  // The same person signs in twice at once, or another person of the provider has the account.
  return (await findLinked(db, { issuer, subject })) ?? null
}

async function findLinked(db: Kysely<Schema>, { issuer, subject }: OutsideIdentity): Promise<Row<'users'> | undefined> {
  const link = await db
    .updateTable('outside_identities')
    .set({ used_at: sql<Date>`clock_timestamp()` })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('user_id')
    .executeTakeFirst()
  if (link === undefined) return undefined
  return await db.selectFrom('users').selectAll().where('id', '=', link.user_id).executeTakeFirst()
}

/** The role that a provider gave an account last; null when it gave none. */
export async function readOutsideRole(
  db: Kysely<Schema>,
  { issuer, subject }: OutsideIdentity,
): Promise<Row<'outside_identities'>['role']> {
  const query = db.selectFrom('outside_identities').select('role').where('issuer', '=', issuer)
  return (await query.where('subject', '=', subject).executeTakeFirst())?.role ?? null
}

export async function noteOutsideRole(
  db: Kysely<Schema>,
  { issuer, subject }: OutsideIdentity,
  role: Row<'outside_identities'>['role'],
): Promise<void> {
  await db
    .updateTable('outside_identities')
    .set({ role })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** Whether an account is linked to a person of a provider. */
export async function isOutsideAccount(db: Kysely<Schema>, userId: string): Promise<boolean> {
  const query = db.selectFrom('outside_identities').select('subject').where('user_id', '=', userId).limit(1)
  return (await query.executeTakeFirst()) !== undefined
}
