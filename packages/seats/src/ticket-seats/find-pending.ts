import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'

/** Those of the tickets that have a pending reservation. Cheap: it tells whether the seat map must be locked at all. */
export async function findPending(
  db: Kysely<Schema>,
  roomId: string,
  ticketNumbers: readonly number[],
): Promise<number[]> {
  if (ticketNumbers.length === 0) return []
  const rows = await db
    .selectFrom('reservations')
    .select('ticket_number')
    .where('room_id', '=', roomId)
    .where('ticket_number', 'in', ticketNumbers)
    .where('status', '=', 'PENDING_PAYMENT')
    .execute()
  return rows.flatMap(({ ticket_number }) => ticket_number ?? [])
}
