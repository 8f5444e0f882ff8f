import type { Kysely } from 'kysely'
import type { Schema } from '../../engine/index.ts'
import { type ReservationRow, readReservations } from '../read-reservations.ts'

/** What each of these tickets reserved last, whatever became of it. */
export async function readLatestReservations(
  db: Kysely<Schema>,
  roomId: string,
  ticketNumbers: readonly number[],
): Promise<ReservationRow[]> {
  if (ticketNumbers.length === 0) return []
  const rows = await db
    .selectFrom('reservations')
    .distinctOn('ticket_number')
    .select('id')
    .where('room_id', '=', roomId)
    .where('ticket_number', 'in', ticketNumbers)
    .orderBy('ticket_number')
    .orderBy('created_at', 'desc')
    .execute()
  return await readReservations(
    db,
    rows.map(({ id }) => id),
  )
}
