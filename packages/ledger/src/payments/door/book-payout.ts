import { loadStatement, type Transaction } from '../../engine/index.ts'
import type { Purchase } from '../purchase.ts'
import { DOOR_PROVIDER } from './door-sale.ts'

const BOOK_PAYOUT = loadStatement(import.meta.url, 'book-payout.sql')

/** Books what a refund gave back, where it is paid out by hand; other purchases have a provider with books of its own. */
export async function bookPayout(
  transaction: Transaction,
  { before, after, at }: { before: Purchase; after: Purchase; at: Date },
): Promise<void> {
  const amount = after.refunded - before.refunded
  if (after.provider === DOOR_PROVIDER && amount > 0) await transaction.run(BOOK_PAYOUT, [after.id, amount, at])
}
