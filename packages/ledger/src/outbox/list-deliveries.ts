import type { Kysely } from 'kysely'
import { loadStatement, runStatement, type Schema } from '../engine/index.ts'

const LIST_DELIVERIES = loadStatement(import.meta.url, 'list-deliveries.sql')

/** A call of a webhook, and how far it got. */
export interface WebhookDelivery {
  readonly id: string
  readonly webhookId: string
  /** Of the webhook. */
  readonly organizationId: string | null
  readonly position: number
  readonly newsId: string
  readonly type: string
  readonly createdAt: Date
  readonly attempts: number
  /** Why the last attempt failed; null when none has, or when a later one succeeded. */
  readonly problem: string | null
  readonly deliveredAt: Date | null
  readonly givenUpAt: Date | null
  /** When it is tried (again); null when it is over. */
  readonly dueAt: Date | null
}

/** The calls of one webhook, the latest first; `before` is the position of the last one on the page before. */
export async function listDeliveries(
  db: Kysely<Schema>,
  { webhookId, before, max }: { readonly webhookId: string; readonly before: number | null; readonly max: number },
): Promise<WebhookDelivery[]> {
  return await runStatement<WebhookDelivery>(db, LIST_DELIVERIES, [webhookId, null, before, max])
}

export async function readDelivery(db: Kysely<Schema>, id: string): Promise<WebhookDelivery | null> {
  return (await runStatement<WebhookDelivery>(db, LIST_DELIVERIES, [null, id, null, 1]))[0] ?? null
}
