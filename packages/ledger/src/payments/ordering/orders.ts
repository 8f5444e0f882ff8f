import type { PriceLine } from '@seatwise/domain'
import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../../engine/index.ts'

const READ_ORDER_FACTS = loadStatement(import.meta.url, 'read-order-facts.sql')
const KEEP_ORDER = loadStatement(import.meta.url, 'keep-order.sql')

/** What a payment provider's page says about a reservation. */
export interface OrderFacts {
  readonly eventName: string
  /** Of who the reservation is for, else of the account; null when there is neither. */
  readonly email: string | null
  readonly lines: readonly PriceLine[]
  /** Of the organization that sells; null for the house's own. */
  readonly stripeAccount: string | null
}

export async function readOrderFacts(db: Kysely<Schema>, reservationId: string): Promise<OrderFacts> {
  const [facts] = await runStatement<OrderFacts>(db, READ_ORDER_FACTS, [reservationId])
  if (facts === undefined) throw new Error(`There is no reservation ${reservationId}`)
  return facts
}

/**
 * Stores what a provider is about to be asked for, and returns what to send: the order of an earlier attempt, if there
 * was one. Null when the payment has a reference or was decided, and nothing may be sent. Storing the reference or
 * deciding the payment clears the order.
 */
export async function keepOrder<Order extends object>(
  db: Kysely<Schema>,
  purchaseId: string,
  order: Order,
): Promise<Order | null> {
  const parameters = [purchaseId, JSON.stringify(order)]
  const [row] = await runStatement<{ providerOrder: Order }>(db, KEEP_ORDER, parameters)
  return row?.providerOrder ?? null
}
