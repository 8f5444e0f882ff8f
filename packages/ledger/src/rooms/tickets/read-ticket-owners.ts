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

/**
 * The owners of the tickets; tickets that the ledger has not seen yet are left out. Of a group's ticket that its own visitor has
 * left, the owner is the first of those who stand with it.
 */
export async function readTicketOwners(
  db: Kysely<Schema>,
  roomId: string,
  ticketNumbers: readonly number[],
): Promise<TicketOwner[]> {
  if (ticketNumbers.length === 0) return []
  const rows = await db
    .selectFrom('queue_entries')
    .select(['number', 'identity', 'generation', 'user_id', 'guest_id'])
    .select((eb) =>
      eb
        .selectFrom('queue_entries as member')
        .select(
          sql<{
            userId: string | null
            guestId: string | null
          }>`json_build_object('userId', member.user_id, 'guestId', member.guest_id)`.as('first'),
        )
        .whereRef('member.room_id', '=', 'queue_entries.room_id')
        .whereRef('member.stands_with', '=', 'queue_entries.number')
        .where('queue_entries.left_identity', 'is not', null)
        .orderBy('member.number')
        .limit(1)
        .as('first'),
    )
    .where('room_id', '=', roomId)
    .where(sql<boolean>`number = any (${[...ticketNumbers]}::bigint[])`)
    .execute()
  return rows.map(({ number, identity, generation, user_id, guest_id, first }) => ({
    ...{ number, identity, generation },
    buyerId: user_id ?? guest_id ?? first?.userId ?? first?.guestId ?? null,
    isGuest: (user_id ?? first?.userId ?? null) === null,
  }))
}
