import type { Generated } from 'kysely'
import type { Nullable, NullableTime, StampedTime } from './schema-columns.ts'

/** How often joining a room was refused, by reason. */
export interface JoinRefusalsTable {
  room_id: string
  reason: string
  count: number
  first_at: StampedTime
  last_at: StampedTime
}

/** Devices that were refused another ticket of a room, and what an operator decided. */
export interface JoinVerdictsTable {
  id: string
  room_id: string
  device: string
  ticket_number: number
  refusals: Generated<number>
  first_at: StampedTime
  last_at: StampedTime
  appealed_at: NullableTime
  stands_at: NullableTime
  decided_by: Nullable<string>
}

/** Who is invited into rooms for invited visitors: keyed hashes of codes and addresses. */
export interface RoomInvitationsTable {
  room_id: string
  kind: 'code' | 'address'
  hash: string
  holder_id: Nullable<string>
  used_at: NullableTime
  added_at: StampedTime
}
