import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/index.ts'

export interface Challenge {
  readonly challenge: string
  /** For whom a passkey is being made; null for signing in. */
  readonly userId: string | null
}

export async function keepChallenge(db: Kysely<Schema>, { challenge, userId }: Challenge): Promise<void> {
  await db.insertInto('sign_in_challenges').values({ challenge, user_id: userId }).execute()
}

/** A challenge that the browser brings back, once; null when it is unknown, over or was used. */
export async function useChallenge(db: Kysely<Schema>, challenge: string): Promise<Challenge | null> {
  const used = await db
    .deleteFrom('sign_in_challenges')
    .where('challenge', '=', challenge)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .returning(['challenge', 'user_id as userId'])
    .executeTakeFirst()
  return used ?? null
}
