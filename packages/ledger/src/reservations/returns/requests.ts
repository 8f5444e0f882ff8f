import { type Kysely, sql } from 'kysely'
import type { ReturnStatus, Row, Schema } from '../../engine/index.ts'

/** A wish for seats of a sold-out event that come back. */
export interface ReturnRequest {
  readonly id: string
  readonly eventId: string
  readonly email: string
  readonly language: string | null
  readonly seatTypeId: string | null
  readonly quantity: number
  readonly status: ReturnStatus
}

export async function readReturnRequest(db: Kysely<Schema>, id: string): Promise<ReturnRequest | null> {
  const row = await db.selectFrom('return_requests').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toRequest(row)
}

/** The holder of the address wants it: the entry counts from the time of asking on. Again: the same. */
export async function confirmReturnRequest(db: Kysely<Schema>, id: string): Promise<ReturnRequest | null> {
  await db
    .updateTable('return_requests')
    .set({ status: 'waiting', confirmed_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', 'unconfirmed')
    .execute()
  return await readReturnRequest(db, id)
}

/** Takes an entry off the list. One with an open offer stays until that ends. */
export async function leaveReturnsList(db: Kysely<Schema>, id: string): Promise<ReturnRequest | null> {
  await db
    .updateTable('return_requests')
    .set({ status: 'left' })
    .where('id', '=', id)
    .where('status', 'in', ['unconfirmed', 'waiting'])
    .execute()
  return await readReturnRequest(db, id)
}

/** Deletes addresses that were never confirmed. */
export async function forgetUnconfirmed(db: Kysely<Schema>, hoursMax: number): Promise<void> {
  await sql`delete from return_requests
             where status = 'unconfirmed' and asked_at < now() - make_interval(hours => ${hoursMax})`.execute(db)
}

function toRequest(row: Row<'return_requests'>): ReturnRequest {
  const { id, email, language, quantity, status } = row
  return { id, eventId: row.event_id, email, language, seatTypeId: row.seat_type_id, quantity, status }
}
