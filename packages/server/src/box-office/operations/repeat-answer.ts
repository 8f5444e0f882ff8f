import { SeatwiseError } from '@seatwise/domain'
import { type Ledger, readOperation, type StoredAnswer, type StoredOperation } from '@seatwise/ledger'

/** The stored answer of the operation that took effect under this key; null when none did. Rule B25. */
export async function repeatAnswer(
  { db }: Pick<Ledger, 'db'>,
  operation: { actorId: string; key: string; fingerprint: string },
): Promise<StoredAnswer | null> {
  const stored = await readOperation(db, operation.actorId, operation.key, operation.fingerprint)
  return stored === null ? null : requireSame(stored, operation.fingerprint)
}

function requireSame({ fingerprint, answer }: StoredOperation, asked: string): StoredAnswer {
  if (fingerprint !== asked) throw new SeatwiseError('KEY_REUSED')
  if (answer === null) throw new SeatwiseError('IN_PROGRESS', { retryAfterSeconds: 1 })
  return answer
}
