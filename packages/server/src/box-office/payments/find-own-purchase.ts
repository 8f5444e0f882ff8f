import { SeatwiseError } from '@seatwise/domain'
import { type Purchase, readPurchase } from '@seatwise/ledger'
import type { Actor } from '../../http/index.ts'
import { isUuid } from '../../kit/index.ts'
import { requireOwnEvent } from '../events/require-own-event.ts'
import type { Payments } from './payments.ts'

/** A purchase of an event of this organiser; of any for admins. */
export async function findOwnPurchase(payments: Payments, id: string, actor: Actor): Promise<Purchase> {
  const purchase = await findPurchase(payments, id)
  await requireOwnEvent(payments.ledger, purchase.eventId, actor)
  return purchase
}

export async function findPurchase({ ledger }: Payments, id: string): Promise<Purchase> {
  const purchase = isUuid(id) ? await readPurchase(ledger.db, id) : null
  if (purchase === null) throw noPurchase()
  return purchase
}

export const noPurchase = () => new SeatwiseError('NOT_FOUND', { message: 'There is no such purchase' })
