import { SeatwiseError } from '@seatwise/domain'
import { type Purchase, readPurchase } from '@seatwise/ledger'
import { isUuid } from '../../kit/index.ts'
import type { Payments } from './payments.ts'

export async function findPurchase({ ledger }: Pick<Payments, 'ledger'>, id: string): Promise<Purchase> {
  const purchase = isUuid(id) ? await readPurchase(ledger.db, id) : null
  if (purchase === null) throw noPurchase()
  return purchase
}

export const noPurchase = () => new SeatwiseError('NOT_FOUND', { message: 'There is no such purchase' })
