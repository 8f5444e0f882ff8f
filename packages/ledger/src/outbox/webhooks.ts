import { type Kysely, sql } from 'kysely'
import { loadStatement, type Row, runStatement, type Schema } from '../engine/index.ts'
import { TICKET_NEWS_TYPES } from './ticket-types.ts'

const BEGIN_TICKET_NEWS = loadStatement(import.meta.url, 'begin-ticket-news.sql')

/** A subscription of an organization, or of the house's admins, to news. */
export interface Webhook {
  readonly id: string
  /** Null: it hears the news of all organizations, as long as who made it is an admin. */
  readonly organizationId: string | null
  /** The account that made it. */
  readonly ownerId: string
  readonly url: string
  /** Empty means everything but news of tickets. */
  readonly types: readonly string[]
  readonly sealedSecret: string
  readonly sealedWith: string
  /** How many deliveries in a row have failed. */
  readonly failures: number
  readonly createdAt: Date
}

export type NewWebhook = Omit<Webhook, 'failures' | 'createdAt'>

/**
 * Null when the organization, or the admin, has as many as allowed. Counted under a lock, so that concurrent requests do not
 * exceed the limit.
 */
export async function createWebhook(db: Kysely<Schema>, webhook: NewWebhook, max: number): Promise<Webhook | null> {
  return await db.transaction().execute(async (transaction) => {
    const { organizationId, ownerId } = webhook
    if (organizationId === null) await sql`select from users where id = ${ownerId} for update`.execute(transaction)
    else await sql`select from organizations where id = ${organizationId} for no key update`.execute(transaction)
    const others = transaction.selectFrom('webhooks').select('id')
    const own = await (organizationId === null
      ? others.where('organization_id', 'is', null).where('owner_id', '=', ownerId)
      : others.where('organization_id', '=', organizationId)
    ).execute()
    if (own.length >= max) return null
    const { id, url, types, sealedSecret: sealed_secret, sealedWith: sealed_with } = webhook
    const row = await transaction
      .insertInto('webhooks')
      .values({
        ...{ id, organization_id: organizationId, owner_id: ownerId, url, types: [...types] },
        ...{ sealed_secret, sealed_with },
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (TICKET_NEWS_TYPES.some((type) => types.includes(type))) await runStatement(transaction, BEGIN_TICKET_NEWS, [id])
    return toWebhook(row)
  })
}

/** The webhooks of these organizations, the oldest first; null means all there are. */
export async function listWebhooks(
  db: Kysely<Schema>,
  organizationIds: readonly string[] | null,
  max: number,
): Promise<Webhook[]> {
  let query = db.selectFrom('webhooks').selectAll()
  if (organizationIds !== null)
    query = query.where(sql<boolean>`organization_id = any (${[...organizationIds]}::uuid[])`)
  return (await query.orderBy('id').limit(max).execute()).map(toWebhook)
}

export async function readWebhook(db: Kysely<Schema>, id: string): Promise<Webhook | null> {
  const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toWebhook(row)
}

/** Whether there was one. Its pending deliveries are deleted with it. */
export async function deleteWebhook(db: Kysely<Schema>, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('webhooks').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** The webhooks with a secret encrypted under one of these keys. */
export async function listWebhooksSealedWith(
  db: Kysely<Schema>,
  keyIds: readonly string[],
  max: number,
): Promise<Webhook[]> {
  if (keyIds.length === 0) return []
  const rows = await db.selectFrom('webhooks').selectAll().where('sealed_with', 'in', keyIds).limit(max).execute()
  return rows.map(toWebhook)
}

/** Stores the secret encrypted under a newer key, unless another server has done so already. */
export async function sealWebhookAgain(
  db: Kysely<Schema>,
  webhook: Webhook,
  sealed: { readonly sealedSecret: string; readonly sealedWith: string },
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ sealed_secret: sealed.sealedSecret, sealed_with: sealed.sealedWith })
    .where('id', '=', webhook.id)
    .where('sealed_with', '=', webhook.sealedWith)
    .execute()
}

function toWebhook(row: Row<'webhooks'>): Webhook {
  const { id, url, types, failures } = row
  return {
    ...{
      id,
      organizationId: row.organization_id,
      ownerId: row.owner_id,
      url,
      types,
      failures,
      createdAt: row.created_at,
    },
    ...{ sealedSecret: row.sealed_secret, sealedWith: row.sealed_with },
  }
}
