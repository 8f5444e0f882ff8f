import { SeatwiseError } from '@seatwise/domain'
import { type Ledger, type OperationKey, readOperation, type StoredAnswer, storeAnswer } from '@seatwise/ledger'
import type { FastifyRequest } from 'fastify'
import { actorOf } from '../../http/index.ts'
import { fingerprintOf, requireKey } from './idempotency-key.ts'
import type { OperationsUnderWay } from './under-way.ts'

export interface OnceParts {
  readonly ledger: Ledger
  readonly underWay: OperationsUnderWay
}

/**
 * For idempotent operations, such as giving something back. They need no key; a client that sends one gets the first
 * final answer again, whatever has happened since. Work whose answer is not final yet keeps the key for itself, in the
 * transaction in which it begins to take effect. A crash between the operation and its answer does no harm: a retry does nothing and answers the same.
 */
export async function answerOnce(
  { ledger, underWay }: OnceParts,
  request: FastifyRequest,
  wish: { readonly operation: string; readonly about: unknown },
  work: (operation?: OperationKey) => Promise<StoredAnswer & { readonly isFinal: boolean }>,
): Promise<StoredAnswer> {
  if (request.headers['idempotency-key'] === undefined) return await work()
  const key = requireKey(request)
  const { id: actorId } = actorOf(request)
  const operation = { actorId, key, fingerprint: fingerprintOf(wish.operation, wish.about) }
  return await underWay.run(actorId, key, async () => {
    const stored = await readOperation(ledger.db, actorId, key)
    if (stored !== null && stored.fingerprint !== operation.fingerprint) throw new SeatwiseError('KEY_REUSED')
    if (stored?.answer) return stored.answer
    const answer = await work(operation)
    if (answer.isFinal) await storeAnswer(ledger, operation, answer)
    return answer
  })
}
