import { inTransaction, type Primary, type Transaction } from '../engine/index.ts'
import type { OperationKey, StoredAnswer } from './operation.ts'
import { lockOwner } from './owner.ts'

/**
 * Stores the answer to an idempotent operation, which therefore need not share its transaction. Null stores only what the
 * key was used for, until there is an answer. An answer that was stored before stays.
 */
export async function storeAnswer(
  ledger: Primary,
  operation: OperationKey,
  answer: StoredAnswer | null,
): Promise<void> {
  await inTransaction(ledger, async (transaction) => void (await storeAnswerInside(transaction, operation, answer)))
}

/**
 * The same inside a transaction, after its seat maps are locked. Returns the owner of the key: a guest's is the account's
 * that adopted them.
 */
export async function storeAnswerInside(
  transaction: Transaction,
  { actorId, key, fingerprint }: OperationKey,
  answer: StoredAnswer | null,
): Promise<string> {
  const owner = await lockOwner(transaction, actorId)
  const kept = { status_code: answer?.statusCode ?? null, answer: answer?.body ?? null }
  await transaction.db
    .insertInto('operations')
    .values({ actor_id: owner, key, fingerprint, ...kept })
    .onConflict((conflict) =>
      conflict.columns(['actor_id', 'key']).doUpdateSet(kept).where('operations.answer', 'is', null),
    )
    .execute()
  return owner
}
