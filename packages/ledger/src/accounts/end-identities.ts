import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/index.ts'

/**
 * Ends one session: every server refuses its tokens within two seconds. `keptSeconds` is how long a token of it may
 * still be valid; the same holds for the other functions here.
 */
export async function endSession(db: Kysely<Schema>, sessionId: string, keptSeconds: number): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
  await writeEnded(db, { kind: 'session', subject: sessionId, keptSeconds })
}

/**
 * Ends a guest identity: every server refuses its tokens within two seconds. Pass the transaction that moves what the
 * guest owned: both happen or neither does.
 */
export async function endGuest(db: Kysely<Schema>, guestId: string, keptSeconds: number): Promise<void> {
  await writeEnded(db, { kind: 'guest', subject: guestId, keptSeconds })
}

/**
 * Ends all sessions that an account has now, but for one if it is named. Returns the version that new sessions have, or
 * null when there is no such account. Pass the transaction that changes the password or the role: both happen or neither does.
 */
export async function endSessionsOf(
  db: Kysely<Schema>,
  accountId: string,
  { keptSeconds, exceptSession = null }: { readonly keptSeconds: number; readonly exceptSession?: string | null },
): Promise<number | null> {
  // The row of the account is locked from here on: concurrent calls raise the version one after the other.
  const row = await db
    .updateTable('users')
    .set((expression) => ({ session_version: expression('session_version', '+', 1) }))
    .where('id', '=', accountId)
    .returning('session_version')
    .executeTakeFirst()
  if (row === undefined) return null
  const belowVersion = row.session_version
  const rows = db.deleteFrom('sessions').where('user_id', '=', accountId)
  await (exceptSession === null ? rows : rows.where('id', '<>', exceptSession)).execute()
  await writeEnded(db, { kind: 'account', subject: accountId, belowVersion, exceptSession, keptSeconds })
  return belowVersion
}

/** Forgets what no valid token can be about any more. */
export async function forgetEnded(db: Kysely<Schema>): Promise<void> {
  await sql`delete from ended_identities where forget_at < now()`.execute(db)
  await sql`delete from sale_sessions where forget_at < now()`.execute(db)
  await sql`delete from sessions where ends_at < now()`.execute(db)
  await sql`delete from sign_in_challenges where expires_at < now()`.execute(db)
  await sql`delete from sign_in_codes where expires_at < now()`.execute(db)
}

interface Ended {
  readonly kind: 'session' | 'account' | 'guest'
  readonly subject: string
  readonly belowVersion?: number
  readonly exceptSession?: string | null
  readonly keptSeconds: number
}

async function writeEnded(db: Kysely<Schema>, ended: Ended): Promise<void> {
  const { kind, subject, belowVersion = null, exceptSession = null, keptSeconds } = ended
  await sql`
    insert into ended_identities (kind, subject, below_version, except_session, forget_at)
    values (${kind}, ${subject}, ${belowVersion}, ${exceptSession}, now() + make_interval(secs => ${keptSeconds}))
    on conflict (kind, subject) do update
       set below_version = excluded.below_version, except_session = excluded.except_session,
           ended_at = excluded.ended_at, forget_at = greatest(ended_identities.forget_at, excluded.forget_at),
           written_by = excluded.written_by
  `.execute(db)
}
