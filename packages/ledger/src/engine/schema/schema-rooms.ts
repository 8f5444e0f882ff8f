import type { EndReason, RoomSettings, TicketState } from '@seatwise/domain'
import type { Generated } from 'kysely'
import type { Json, Nullable, NullableTime, StampedTime, Time } from './schema-columns.ts'

export interface RoomsTable {
  id: string
  event_id: Nullable<string>
  owner_id: Nullable<string>
  /** Null for a room with an event, which has the event's. */
  organization_id: Nullable<string>
  name: string
  target: Nullable<string>
  settings: Json<RoomSettings>
  paused: Generated<boolean>
  message: Nullable<string>
  epoch: Generated<number>
  seq: Generated<number>
  chain: Generated<string>
  first_index: Generated<number>
  tree_size: Generated<number>
  tree_peaks: Generated<Uint8Array>
  log_host: Nullable<string>
  archived_at: NullableTime
  created_at: StampedTime
  updated_at: StampedTime
  opens_at: NullableTime
  closes_at: NullableTime
}

export interface RoomLogTable {
  room_id: string
  epoch: number
  seq: number
  at: Time
  operation: string
  kind: string
  body: Json<Record<string, unknown>>
  hash: string
  copied_at: Generated<Date | null>
}

export interface RoomEpochsTable {
  room_id: string
  epoch: number
  reason: string
  began_at: StampedTime
  first_number: number
  first_index: Generated<number>
  mark: Nullable<number>
}

export interface QueueEntriesTable {
  room_id: string
  number: number
  identity: string
  user_id: Nullable<string>
  guest_id: Nullable<string>
  class: Generated<number>
  place: number
  state: TicketState
  reason: Nullable<EndReason>
  away: Generated<boolean>
  generation: Generated<number>
  epoch: number
  fence: Nullable<number>
  extended: Generated<boolean>
  reserved_seats: Generated<number>
  code: Nullable<string>
  earlier_codes: Nullable<string[]>
  limit_key: Nullable<string>
  shown: Nullable<{ name: string; avatar: string | null }>
  joined_at: Time
  admitted_at: NullableTime
  entered_at: NullableTime
  deadline: NullableTime
  session_end: NullableTime
  ended_at: NullableTime
  name: Nullable<string>
  avatar: Nullable<string>
  address: Nullable<string>
  user_agent: Nullable<string>
  metadata: Nullable<Record<string, unknown>>
  drawn_seq: Nullable<number>
  stands_with: Nullable<number>
  left_identity: Nullable<string>
}

export interface BrandsTable {
  room_id: string
  colour: Nullable<string>
  logo: Nullable<string>
  text: Nullable<string>
  updated_at: StampedTime
}
