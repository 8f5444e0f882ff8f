import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import type { OperationKey } from './claim.ts'
import type { StoredAnswer } from './purchase.ts'

/**
 * Keeps the answer to something that does the same however often it is done, hence need not share its transaction. What
 * was kept under the key before stays.
 */
export async function storeAnswer(
  db: Kysely<Schema>,
  { actorId, key, fingerprint }: OperationKey,
  { statusCode, body }: StoredAnswer,
): Promise<void> {
  await db
    .insertInto('operations')
    .values({ actor_id: actorId, key, fingerprint, status_code: statusCode, answer: body })
    .onConflict((conflict) => conflict.columns(['actor_id', 'key']).doNothing())
    .execute()
}
