import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../engine/index.ts'

export interface TicketOwner {
  readonly number: number
  readonly identity: string
  readonly generation: number
  /** The account, or the guest; null for a ticket that came back from a lost epoch, of which only the holder knows. */
  readonly buyerId: string | null
  readonly isGuest: boolean
}

/** The owners of the tickets; tickets that the ledger has not seen yet are left out. */
export async function readTicketOwners(
  db: Kysely<Schema>,
  roomId: string,
  ticketNumbers: readonly number[],
): Promise<TicketOwner[]> {
  if (ticketNumbers.length === 0) return []
  const rows = await db
    .selectFrom('queue_entries')
    .select(['number', 'identity', 'generation', 'user_id', 'guest_id'])
    .where('room_id', '=', roomId)
    .where(sql<boolean>`number = any (${[...ticketNumbers]}::bigint[])`)
    .execute()
  return rows.map(({ number, identity, generation, user_id, guest_id }) => ({
    ...{ number, identity, generation },
    buyerId: user_id ?? guest_id,
    isGuest: user_id === null,
  }))
}
