import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'
import type { DeliveryKind } from './deliveries.ts'

const LIST_SET_ASIDE = loadStatement(import.meta.url, 'list-set-aside.sql')
const RESEND_DELIVERY = loadStatement(import.meta.url, 'resend-delivery.sql')

/** A delivery that is no longer retried. */
export interface SetAside {
  readonly id: string
  readonly kind: DeliveryKind
  /** Null for mail. */
  readonly webhookId: string | null
  readonly url: string | null
  readonly attempts: number
  readonly problem: string | null
  readonly givenUpAt: Date
  readonly newsId: string
  readonly type: string
  readonly reservationId: string | null
  readonly eventId: string | null
  readonly createdAt: Date
}

/** Deliveries that an operator must look at, the latest first. `organizationIds` and `id` null for all. */
export async function listSetAside(
  db: Kysely<Schema>,
  { organizationIds, id, max }: { organizationIds: readonly string[] | null; id: string | null; max: number },
): Promise<SetAside[]> {
  return await runStatement<SetAside>(db, LIST_SET_ASIDE, [organizationIds, id, max])
}

/**
 * Delivers it again from now on; later news of the reservation may have been delivered meanwhile. False while it is on its way, and
 * for mail that was sent.
 */
export async function resendDelivery(db: Kysely<Schema>, id: string): Promise<boolean> {
  return (await runStatement(db, RESEND_DELIVERY, [id])).length > 0
}
