import { randomUUID } from 'node:crypto'
import { inTransaction, type Primary } from '../engine/index.ts'
import { type OperationKey, type StoredAnswer, storeAnswerInside } from '../operations/index.ts'
import { type Entrance, letIn } from './door/let-in.ts'
import { type Eticket, readEticket } from './etickets.ts'

export type UsedEticket = Eticket & { readonly checkedInAt: Date }

export type CheckIn =
  | { readonly status: 'checked_in' | 'already_used'; readonly eticket: UsedEticket }
  | { readonly status: 'void'; readonly eticket: Eticket }
  | { readonly status: 'unknown' }

export interface Scanned extends Omit<Entrance, 'scan'> {
  /** What the scanner says of itself. */
  readonly scan?: { readonly id?: string | undefined; readonly door?: string | null }
  /** Stores the answer if this call checks the e-ticket in: a scanner that lost the answer can retry under the same key. */
  readonly keep?: { readonly operation: OperationKey; readonly answerOf: (eticket: UsedEticket) => StoredAnswer }
}

/**
 * Lets the holder of an e-ticket in. However many doors scan one at the same time, one of them is told that it counts; and
 * of a scan and a refund that come together, one succeeds (B61).
 */
export async function checkIn(ledger: Primary, scanned: Scanned): Promise<CheckIn> {
  const { eticketId, generation, keep } = scanned
  const { id = randomUUID(), door = null } = scanned.scan ?? {}
  const scan = { id, door, letInAt: null }
  const won = await inTransaction(ledger, async (transaction) => {
    const checkedInAt = await letIn(transaction, { ...scanned, scan })
    if (checkedInAt === null) return undefined
    const eticket = await readEticket(transaction.db, eticketId)
    if (eticket === null) throw new Error('An e-ticket that was just changed is gone')
    const used = { ...eticket, checkedInAt }
    if (keep !== undefined) await storeAnswerInside(transaction, keep.operation, keep.answerOf(used))
    return used
  })
  if (won !== undefined) return { status: 'checked_in', eticket: won }
  const eticket = await readEticket(ledger.db, eticketId)
  if (eticket === null) return { status: 'unknown' }
  const { checkedInAt } = eticket
  const isOutdated = generation !== undefined && generation !== eticket.generation
  // Void outranks used: a refunded buyer is refused, whether or not the e-ticket was used before.
  if (eticket.isVoid || isOutdated || checkedInAt === null) return { status: 'void', eticket }
  return { status: 'already_used', eticket: { ...eticket, checkedInAt } }
}
