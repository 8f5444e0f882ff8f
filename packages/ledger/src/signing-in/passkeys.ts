import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/index.ts'

export interface Passkey {
  readonly id: string
  readonly userId: string
  readonly name: string
  /** COSE, base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly transports: readonly string[]
  readonly madeAt: Date
  readonly usedAt: Date | null
}

const COLUMNS = [
  'id',
  'user_id as userId',
  'name',
  'public_key as publicKey',
  'counter',
  'transports',
  'made_at as madeAt',
  'used_at as usedAt',
] as const

/** Null when an account has it already, or when the account has `max` of them. */
export async function keepPasskey(
  db: Kysely<Schema>,
  { id, userId, name, publicKey, counter, transports }: Omit<Passkey, 'madeAt' | 'usedAt'>,
  max: number,
): Promise<Passkey | null> {
  // The row of the account is locked: of two that would be one too many, one is made.
  await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  if ((await listPasskeys(db, userId)).length >= max) return null
  const made = await db
    .insertInto('passkeys')
    .values({ id, user_id: userId, name, public_key: publicKey, counter, transports: [...transports] })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
  return made ?? null
}

export async function readPasskey(db: Kysely<Schema>, id: string): Promise<Passkey | null> {
  return (await db.selectFrom('passkeys').select(COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null
}

/** The oldest first. */
export async function listPasskeys(db: Kysely<Schema>, userId: string): Promise<Passkey[]> {
  return await db.selectFrom('passkeys').select(COLUMNS).where('user_id', '=', userId).orderBy('made_at').execute()
}

/** Notes a use; false when a use with a higher counter was noted meanwhile. */
export async function notePasskeyUse(db: Kysely<Schema>, id: string, counter: number): Promise<boolean> {
  const noted = await db
    .updateTable('passkeys')
    .set({ counter, used_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where((where) => where.or([where('counter', '<', counter), where('counter', '=', 0)]))
    .returning('id')
    .executeTakeFirst()
  return noted !== undefined
}

/** False when the account has no such passkey; here and below. */
export async function renamePasskey(db: Kysely<Schema>, userId: string, id: string, name: string): Promise<boolean> {
  const query = db.updateTable('passkeys').set({ name }).where('id', '=', id).where('user_id', '=', userId)
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

export async function deletePasskey(db: Kysely<Schema>, userId: string, id: string): Promise<boolean> {
  const query = db.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId)
  return (await query.returning('id').executeTakeFirst()) !== undefined
}

/** Replaces all recovery codes of an account. Pass a transaction. */
export async function replaceRecoveryCodes(
  db: Kysely<Schema>,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

export async function countRecoveryCodes(db: Kysely<Schema>, userId: string): Promise<number> {
  return (await db.selectFrom('recovery_codes').select('code_hash').where('user_id', '=', userId).execute()).length
}

/** Uses a recovery code up; false when the account has no such code. */
export async function useRecoveryCode(db: Kysely<Schema>, userId: string, hashes: readonly string[]): Promise<boolean> {
  const query = db.deleteFrom('recovery_codes').where('user_id', '=', userId).where('code_hash', 'in', hashes)
  return (await query.returning('code_hash').execute()).length > 0
}
