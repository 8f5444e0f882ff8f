import { type Kysely, sql } from 'kysely'
import type { Schema } from '../engine/index.ts'
import type { SeatCounts } from './seat-map.ts'

export interface CountedEvent {
  readonly eventId: string
  readonly version: number
  readonly counts: SeatCounts
  readonly offered: number
}

/** How many seats of some events are in which state; those that do not exist are left out. */
export async function readSeatCounts(db: Kysely<Schema>, eventIds: readonly string[]): Promise<CountedEvent[]> {
  if (eventIds.length === 0) return []
  const rows = await db
    .selectFrom('seat_maps')
    .select(['event_id', 'version', 'available', 'held', 'sold', 'blocked', 'offered'])
    .where(sql<boolean>`event_id = any (${[...eventIds]}::uuid[])`)
    .execute()
  return rows.map(({ event_id, version, offered, ...counts }) => ({ eventId: event_id, version, counts, offered }))
}
