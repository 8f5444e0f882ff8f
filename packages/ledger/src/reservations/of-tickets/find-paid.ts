import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../engine/index.ts'

/** Those of the tickets that have paid for seats. */
export async function findPaid(
  db: Kysely<Schema>,
  roomId: string,
  ticketNumbers: readonly number[],
): Promise<number[]> {
  if (ticketNumbers.length === 0) return []
  const rows = await db
    .selectFrom('reservations')
    .select('ticket_number')
    .where('room_id', '=', roomId)
    .where(sql<boolean>`ticket_number = any (${[...ticketNumbers]}::bigint[])`)
    .where('status', '=', 'PAID')
    .execute()
  return rows.flatMap(({ ticket_number }) => ticket_number ?? [])
}
