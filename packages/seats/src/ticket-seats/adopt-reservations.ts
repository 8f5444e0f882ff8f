import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'

/** Gives what a guest reserved with a ticket to the account that the ticket belongs to now. */
export async function adoptReservations(
  db: Kysely<Schema>,
  adoption: { roomId: string; ticketNumber: number; guestId: string; userId: string },
): Promise<void> {
  await db
    .updateTable('reservations')
    .set({ buyer_id: adoption.userId })
    .where('room_id', '=', adoption.roomId)
    .where('ticket_number', '=', adoption.ticketNumber)
    .where('buyer_id', '=', adoption.guestId)
    .execute()
}
