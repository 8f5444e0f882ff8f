import type { Kysely } from 'kysely'
import type { Row, Schema } from '../../engine/index.ts'

/** Seats that are held for an entry of the returns list. */
export interface Offer {
  /** Also that of its reservation, and of the guest whose reservation it is until it is accepted. */
  readonly id: string
  readonly eventId: string
  readonly reservationId: string
  readonly expiresAt: Date
  readonly acceptedBy: string | null
}

export async function readOffer(db: Kysely<Schema>, id: string): Promise<Offer | null> {
  const row = await db.selectFrom('offers').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toOffer(row)
}

function toOffer(row: Row<'offers'>): Offer {
  const { id, event_id: eventId, reservation_id: reservationId, expires_at: expiresAt } = row
  return { id, eventId, reservationId, expiresAt, acceptedBy: row.accepted_by }
}
