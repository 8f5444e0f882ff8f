import type { Kysely } from 'kysely'
import type { Schema } from '../../engine/index.ts'

/** Under this name purchases stand that were paid at the door: no provider of payments knows them. */
export const DOOR_PROVIDER = 'door'

export const DOOR_METHODS = ['cash', 'terminal', 'complimentary'] as const
export type DoorMethod = (typeof DOOR_METHODS)[number]

/** What the till says of a purchase. */
export interface DoorSale {
  readonly eventId: string
  readonly sellerId: string
  readonly method: DoorMethod
}

/** Null when the purchase was not made at the door. */
export async function readDoorSale(db: Kysely<Schema>, purchaseId: string): Promise<DoorSale | null> {
  const sale = await db
    .selectFrom('door_sales')
    .select(['event_id as eventId', 'seller_id as sellerId', 'method'])
    .where('purchase_id', '=', purchaseId)
    .executeTakeFirst()
  return sale ?? null
}
