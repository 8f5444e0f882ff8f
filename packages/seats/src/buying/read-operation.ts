import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'

/** What took effect under somebody's key. The answer is null while it is not decided. */
export interface StoredOperation {
  readonly fingerprint: string
  readonly answer: { readonly statusCode: number; readonly body: Record<string, unknown> } | null
}

/** Null when nothing took effect under that key. */
export async function readOperation(db: Kysely<Schema>, actorId: string, key: string): Promise<StoredOperation | null> {
  const row = await db
    .selectFrom('operations')
    .select(['fingerprint', 'status_code', 'answer'])
    .where('actor_id', '=', actorId)
    .where('key', '=', key)
    .executeTakeFirst()
  if (row === undefined) return null
  const { fingerprint, status_code, answer } = row
  return {
    fingerprint,
    answer: status_code === null || answer === null ? null : { statusCode: status_code, body: answer },
  }
}
