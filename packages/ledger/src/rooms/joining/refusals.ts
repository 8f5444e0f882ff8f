import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../engine/index.ts'

/** How often joining one room was refused for one reason. */
export interface RefusalCount {
  readonly roomId: string
  readonly reason: string
  readonly count: number
}

export interface RefusalsOfRoom {
  readonly reason: string
  readonly count: number
  readonly firstAt: Date
  readonly lastAt: Date
}

/** Adds what a server counted since it last did; refusals of rooms that are gone are left out. */
export async function addRefusals(db: Kysely<Schema>, counts: readonly RefusalCount[]): Promise<void> {
  if (counts.length === 0) return
  await sql`
    insert into join_refusals (room_id, reason, count)
    select counted.room_id, counted.reason, counted.count
      from jsonb_to_recordset(${JSON.stringify(counts.map(toRow))}::jsonb) as counted(room_id uuid, reason text, count bigint)
      join rooms on rooms.id = counted.room_id
     order by counted.room_id, counted.reason
        on conflict (room_id, reason) do update
       set count = join_refusals.count + excluded.count, last_at = excluded.last_at
  `.execute(db)
}

/** The most frequent reason first. */
export async function readRefusals(db: Kysely<Schema>, roomId: string): Promise<RefusalsOfRoom[]> {
  return await db
    .selectFrom('join_refusals')
    .select(['reason', 'count', 'first_at as firstAt', 'last_at as lastAt'])
    .where('room_id', '=', roomId)
    .orderBy('count', 'desc')
    .orderBy('reason')
    .execute()
}

function toRow({ roomId, reason, count }: RefusalCount) {
  return { room_id: roomId, reason, count }
}
