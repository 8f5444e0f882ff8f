import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../engine/index.ts'

/** Clocks differ by less: what ends within this time ends by its own deadline, and not a moment before it. */
const ENDING_SECONDS = 2

/**
 * The tickets with a reservation that the server must cancel, because its deadline is still ahead. Cheap: it tells
 * whether the seat map must be locked at all.
 */
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
    .where(sql<boolean>`ticket_number = any (${[...ticketNumbers]}::bigint[])`)
    .where('status', '=', 'PENDING_PAYMENT')
    .where('expires_at', '>', sql<Date>`now() + make_interval(secs => ${sql.lit(ENDING_SECONDS)})`)
    .execute()
  return rows.flatMap(({ ticket_number }) => ticket_number ?? [])
}
