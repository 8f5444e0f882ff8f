import { type FinishRefundOutcome, finishRefund, type Ledger, readRefundsOf } from '@seatwise/ledger'

/** The money of all refunds of a purchase is back; the outcome of the last one. */
export async function finishRefundsOf(ledger: Ledger, purchaseId: string): Promise<FinishRefundOutcome> {
  let outcome: FinishRefundOutcome = { status: 'unknown' }
  for (const { id } of await readRefundsOf(ledger.db, purchaseId)) outcome = await finishRefund(ledger, id)
  return outcome
}
