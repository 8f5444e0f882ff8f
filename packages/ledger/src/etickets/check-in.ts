import { inTransaction, loadStatement, type Primary } from '../engine/index.ts'
import { type OperationKey, type StoredAnswer, storeAnswerInside } from '../operations/index.ts'
import { recordAction } from '../trail/index.ts'
import { type Eticket, readEticket } from './etickets.ts'

const LOCK_PAID = loadStatement(import.meta.url, 'lock-paid.sql')
const CHECK_IN = loadStatement(import.meta.url, 'check-in.sql')

export type UsedEticket = Eticket & { readonly checkedInAt: Date }

export type CheckIn =
  | { readonly status: 'checked_in' | 'already_used'; readonly eticket: UsedEticket }
  | { readonly status: 'void'; readonly eticket: Eticket }
  | { readonly status: 'unknown' }

export interface Scanned {
  readonly eticketId: string
  readonly by: string
  /** Of the code that was shown; codes from before a transfer are void. Left out, the current one. */
  readonly generation?: number | undefined
  /** Stores the answer if this call checks the e-ticket in: a scanner that lost the answer can retry under the same key. */
  readonly keep?: { readonly operation: OperationKey; readonly answerOf: (eticket: UsedEticket) => StoredAnswer }
}

/**
 * Lets the holder of an e-ticket in. However many doors scan one at the same time, one of them is told that it counts; and
 * of a scan and a refund that come together, one succeeds (B61).
 */
export async function checkIn(ledger: Primary, { eticketId, by, generation, keep }: Scanned): Promise<CheckIn> {
  const won = await inTransaction(ledger, async (transaction) => {
    const [, [row]] = await transaction.together<[[], { checkedInAt: Date; eventId: string }[]]>([
      { statement: LOCK_PAID, parameters: [eticketId] },
      { statement: CHECK_IN, parameters: [eticketId, by, generation ?? null] },
    ])
    if (row === undefined) return undefined
    const { eventId, checkedInAt } = row
    await recordAction(transaction.db, { actorId: by, kind: 'eticket.checked_in', eventId, subject: eticketId })
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
