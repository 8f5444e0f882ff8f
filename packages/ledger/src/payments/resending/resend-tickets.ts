import { inTransaction, loadStatement, type Primary, type Transaction } from '../../engine/index.ts'
import { readAddressee, tell } from '../../outbox/index.ts'
import { readReservation } from '../../reservations/index.ts'
import { recordAction } from '../../trail/index.ts'
import { newsOfPurchase, readPurchase } from '../purchase.ts'

const LOCK_PURCHASE = loadStatement(import.meta.url, 'lock-purchase.sql')
const COUNT_RESENDS = loadStatement(import.meta.url, 'count-resends.sql')

/** Enough for a buyer who looks into the wrong mailbox; too few to flood one. */
export const RESENDS_MAX = 5
const RESENDS_SECONDS = 3_600

export type ResendOutcome =
  | { readonly status: 'sent' | 'unknown' | 'not_paid' | 'no_address' }
  | { readonly status: 'too_many'; readonly waitSeconds: number }

/** Tells the outbox to send the mail with the e-tickets again. `isOperator`: it was not the buyer who asked. Rule B177. */
export async function resendTickets(
  ledger: Primary,
  { purchaseId, by, isOperator }: { purchaseId: string; by: string; isOperator: boolean },
): Promise<ResendOutcome> {
  return await inTransaction(ledger, async (transaction) => {
    // A statement of its own: the next ones see what was committed while this one waited.
    await transaction.run(LOCK_PURCHASE, [purchaseId])
    const purchase = await readPurchase(transaction.db, purchaseId)
    const reservation = purchase === null ? null : await readReservation(transaction.db, purchase.reservationId)
    if (purchase === null || reservation === null) return { status: 'unknown' }
    const isPaid = reservation.status === 'PAID' && purchase.captured === purchase.amount
    if (!isPaid || purchase.status === 'REFUNDING') return { status: 'not_paid' }
    if ((await readAddressee(transaction.db, reservation.id)) === null) return { status: 'no_address' }
    const waitSeconds = await secondsToWait(transaction, purchaseId)
    if (waitSeconds > 0) return { status: 'too_many', waitSeconds }
    await transaction.db.insertInto('ticket_resends').values({ purchase_id: purchaseId, asked_by: by }).execute()
    await tell(transaction, [newsOfPurchase(purchase, reservation, 'purchase.resent')])
    const action = { actorId: by, kind: 'tickets.resent', eventId: purchase.eventId, subject: purchaseId } as const
    if (isOperator) await recordAction(transaction.db, action)
    return { status: 'sent' }
  })
}

/** 0 while one more is allowed. */
async function secondsToWait(transaction: Transaction, purchaseId: string): Promise<number> {
  type Counted = { count: number; waitSeconds: number }
  const [counted] = await transaction.run<Counted>(COUNT_RESENDS, [purchaseId, RESENDS_SECONDS])
  return (counted?.count ?? 0) < RESENDS_MAX ? 0 : Math.max(1, counted?.waitSeconds ?? 1)
}
