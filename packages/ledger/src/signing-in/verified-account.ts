import { type Kysely, sql } from 'kysely'
import { endSessionsOf } from '../accounts/index.ts'
import type { NewRow, Row, Schema } from '../engine/index.ts'

/**
 * The account with an address that its owner has just proven; makes it if there is none. An account whose address was
 * never proven may be a stranger's who registered it first: it loses its password and its sessions. Pass the transaction
 * that signs in.
 */
export async function openVerifiedAccount(
  db: Kysely<Schema>,
  proposed: NewRow<'users'>,
  keptSeconds: number,
): Promise<Row<'users'>> {
  const now = sql<Date>`now()`
  const made = await db
    .insertInto('users')
    .values({ ...proposed, verified_at: now })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (made !== undefined) return made
  const query = db.selectFrom('users').selectAll().where('email_key', '=', proposed.email_key)
  const found = await query.forUpdate().executeTakeFirstOrThrow()
  if (found.verified_at !== null) return found
  await endSessionsOf(db, found.id, { keptSeconds })
  // A stranger's way back in must not outlive the stranger's password.
  await db.deleteFrom('passkeys').where('user_id', '=', found.id).execute()
  await db.deleteFrom('recovery_codes').where('user_id', '=', found.id).execute()
  return await db
    .updateTable('users')
    .set({ verified_at: now, password_hash: null, updated_at: now })
    .where('id', '=', found.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
