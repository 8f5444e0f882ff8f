import { type Kysely, sql } from 'kysely'
import type { Schema, SignInMethod } from '../engine/index.ts'

/** A session of an account, as its owner sees it. */
export interface AccountSession {
  readonly id: string
  readonly method: SignInMethod
  readonly device: string
  readonly begunAt: Date
  /** A few minutes coarse. */
  readonly usedAt: Date
}

export interface NewSession {
  readonly id: string
  readonly userId: string
  readonly method: SignInMethod
  readonly device: string
  /** How long its tokens last. */
  readonly seconds: number
}

/** With these an owner shows more than a password or a mailbox, which can be stolen from afar. */
const STRONG_METHODS: readonly SignInMethod[] = ['passkey', 'openid', 'recovery']

export async function keepSession(
  db: Kysely<Schema>,
  { id, userId, method, device, seconds }: NewSession,
): Promise<void> {
  const ends_at = sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`
  const is_strong = STRONG_METHODS.includes(method)
  await db.insertInto('sessions').values({ id, user_id: userId, method, device, is_strong, ends_at }).execute()
}

/** The last used first. */
export async function listSessions(db: Kysely<Schema>, userId: string, max: number): Promise<AccountSession[]> {
  return await db
    .selectFrom('sessions')
    .select(['id', 'method', 'device', 'begun_at as begunAt', 'used_at as usedAt'])
    .where('user_id', '=', userId)
    .where('ends_at', '>', sql<Date>`clock_timestamp()`)
    .orderBy('used_at', 'desc')
    .orderBy('id')
    .limit(max)
    .execute()
}

/** Whether the session is this account's and not over. */
export async function hasSession(db: Kysely<Schema>, userId: string, id: string): Promise<boolean> {
  const query = db.selectFrom('sessions').select('id').where('id', '=', id).where('user_id', '=', userId)
  return (await query.executeTakeFirst()) !== undefined
}

/** Notes that these sessions were used just now. */
export async function noteUsedSessions(db: Kysely<Schema>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('sessions').set({ used_at: sql<Date>`clock_timestamp()` }).where('id', 'in', ids).execute()
}

/** Notes that the owner of a session confirmed again to be there. */
export async function noteConfirmed(db: Kysely<Schema>, id: string): Promise<void> {
  await db.updateTable('sessions').set({ confirmed_at: sql<Date>`clock_timestamp()` }).where('id', '=', id).execute()
}

/** Notes that the owner of a session showed a passkey. */
export async function noteStrong(db: Kysely<Schema>, id: string): Promise<void> {
  await db.updateTable('sessions').set({ is_strong: true }).where('id', '=', id).execute()
}

/** Whether the owner of a session showed more than a password or a mailbox. */
export async function isStrongSession(db: Kysely<Schema>, id: string): Promise<boolean> {
  const row = await db.selectFrom('sessions').select('is_strong').where('id', '=', id).executeTakeFirst()
  return row?.is_strong === true
}

/** How a session was begun, and whether its owner confirmed to be there in the last `seconds`; null for one that is over. */
export async function readConfirmed(
  db: Kysely<Schema>,
  id: string,
  seconds: number,
): Promise<{ readonly method: SignInMethod; readonly isFresh: boolean; readonly isNew: boolean } | null> {
  const row = await db
    .selectFrom('sessions')
    .select('method')
    .select(sql<boolean>`confirmed_at > clock_timestamp() - make_interval(secs => ${seconds})`.as('isFresh'))
    .select(sql<boolean>`begun_at > clock_timestamp() - make_interval(secs => ${seconds})`.as('isNew'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}
