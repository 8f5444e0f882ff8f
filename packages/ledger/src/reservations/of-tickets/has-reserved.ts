import type { Kysely } from 'kysely'
import type { Schema } from '../../engine/index.ts'

/** Whether a ticket ever reserved anything, whatever became of it. */
export async function hasReserved(db: Kysely<Schema>, roomId: string, ticketNumber: number): Promise<boolean> {
  const row = await db
    .selectFrom('reservations')
    .select('id')
    .where('room_id', '=', roomId)
    .where('ticket_number', '=', ticketNumber)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
