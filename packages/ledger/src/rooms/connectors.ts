import type { Kysely } from 'kysely'
import type { Row, Schema } from '../engine/index.ts'

/** Makes a room compatible with a site that was integrated with another waiting room. */
export interface Connector {
  readonly roomId: string
  readonly kind: 'known-user-v3'
  readonly customerId: string
  readonly eventId: string
  readonly sealedSecret: string
  readonly sealedWith: string
}

/** Sets the connector of a room, replacing an earlier one. `false` when another room uses these names. */
export async function saveConnector(db: Kysely<Schema>, connector: Connector): Promise<boolean> {
  const { roomId: room_id, kind, customerId: customer_id, eventId: event_id } = connector
  const { sealedSecret: sealed_secret, sealedWith: sealed_with } = connector
  return await db.transaction().execute(async (transaction) => {
    const namesake = await transaction
      .selectFrom('connectors')
      .select('room_id')
      .where('customer_id', '=', customer_id)
      .where('event_id', '=', event_id)
      .where('room_id', '<>', room_id)
      .executeTakeFirst()
    if (namesake !== undefined) return false
    const values = { kind, customer_id, event_id, sealed_secret, sealed_with }
    // Two rooms that take a name at the same instant: the constraint refuses the second.
    await transaction
      .insertInto('connectors')
      .values({ room_id, ...values })
      .onConflict((conflict) => conflict.column('room_id').doUpdateSet(values))
      .execute()
    return true
  })
}

export async function readConnector(
  db: Kysely<Schema>,
  by: { readonly roomId: string } | { readonly customerId: string; readonly eventId: string },
): Promise<Connector | null> {
  const query = db.selectFrom('connectors').selectAll()
  const found =
    'roomId' in by
      ? query.where('room_id', '=', by.roomId)
      : query.where('customer_id', '=', by.customerId).where('event_id', '=', by.eventId)
  const row = await found.executeTakeFirst()
  return row === undefined ? null : toConnector(row)
}

/** Whether there was one. */
export async function deleteConnector(db: Kysely<Schema>, roomId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('connectors').where('room_id', '=', roomId).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Connectors with a secret encrypted under one of these keys. */
export async function listConnectorsSealedWith(
  db: Kysely<Schema>,
  keyIds: readonly string[],
  max: number,
): Promise<Connector[]> {
  if (keyIds.length === 0) return []
  const rows = await db.selectFrom('connectors').selectAll().where('sealed_with', 'in', keyIds).limit(max).execute()
  return rows.map(toConnector)
}

/** Stores the secret encrypted under a newer key, unless another server has done so already. */
export async function sealConnectorAgain(
  db: Kysely<Schema>,
  connector: Connector,
  sealed: { readonly sealedSecret: string; readonly sealedWith: string },
): Promise<void> {
  await db
    .updateTable('connectors')
    .set({ sealed_secret: sealed.sealedSecret, sealed_with: sealed.sealedWith })
    .where('room_id', '=', connector.roomId)
    .where('sealed_secret', '=', connector.sealedSecret)
    .execute()
}

function toConnector(row: Row<'connectors'>): Connector {
  return {
    roomId: row.room_id,
    kind: row.kind,
    customerId: row.customer_id,
    eventId: row.event_id,
    sealedSecret: row.sealed_secret,
    sealedWith: row.sealed_with,
  }
}
