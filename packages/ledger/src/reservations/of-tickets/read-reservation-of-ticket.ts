import type { Kysely } from 'kysely'
import type { Schema } from '../../engine/index.ts'
import { type ReservationRow, readReservation } from '../read-reservations.ts'

/** What a ticket has reserved or bought, if it has: the latest that is neither cancelled nor expired. */
export async function readReservationOfTicket(
  db: Kysely<Schema>,
  roomId: string,
  ticketNumber: number,
): Promise<ReservationRow | null> {
  const row = await db
    .selectFrom('reservations')
    .select('id')
    .where('room_id', '=', roomId)
    .where('ticket_number', '=', ticketNumber)
    .where('status', 'in', ['PENDING_PAYMENT', 'PAID'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : await readReservation(db, row.id)
}
