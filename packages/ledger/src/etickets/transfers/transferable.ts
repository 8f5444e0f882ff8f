import { loadStatement, type Transaction } from '../../engine/index.ts'
import { type Eticket, readEticket } from '../etickets.ts'

const LOCK_PAID = loadStatement(import.meta.url, '../lock-paid.sql')
const READ_TRANSFER_TERMS = loadStatement(import.meta.url, 'read-transfer-terms.sql')

/** `closed`: the organiser's time for transfers is over. */
export type Untransferable =
  | { readonly status: 'unknown' }
  | { readonly status: 'used' | 'void' | 'closed'; readonly eticket: Eticket }

/**
 * Reads an e-ticket that may change hands. From here on no visitor comes in with it and it is not refunded, until the
 * transaction ends: check-in and refund take the same lock.
 */
export async function lockTransferable(
  transaction: Transaction,
  eticketId: string,
): Promise<{ readonly status: 'transferable'; readonly eticket: Eticket } | Untransferable> {
  await transaction.run(LOCK_PAID, [eticketId])
  // A statement of its own: it sees what was committed while the lock was waited for.
  const eticket = await readEticket(transaction.db, eticketId)
  if (eticket === null) return { status: 'unknown' }
  if (eticket.isVoid) return { status: 'void', eticket }
  if (eticket.checkedInAt !== null) return { status: 'used', eticket }
  const [terms] = await transaction.run<{ isClosed: boolean }>(READ_TRANSFER_TERMS, [eticket.eventId])
  return { status: terms?.isClosed === true ? 'closed' : 'transferable', eticket }
}
