import type { Generated, GeneratedAlways } from 'kysely'
import type { Json, Nullable, NullableTime, StampedTime } from './schema-columns.ts'

/** What an organiser wrote to the buyers of an event. */
export interface BuyerMailsTable {
  id: string
  event_id: string
  sent_by: string
  subject: string
  body: string
  recipients: number
  created_at: StampedTime
}

export interface OutboxTable {
  id: Generated<string>
  aggregatetype: string
  aggregateid: string
  type: string
  payload: Json<Record<string, unknown>>
  position: GeneratedAlways<number>
  created_at: StampedTime
  handed_at: NullableTime
}

export interface WebhooksTable {
  id: string
  owner_id: string
  organization_id: Nullable<string>
  url: string
  types: Generated<string[]>
  sealed_secret: string
  sealed_with: string
  failures: Generated<number>
  rests_until: StampedTime
  created_at: StampedTime
}

export interface TicketNewsTable {
  webhook_id: string
  room_id: string
  epoch: number
  seq: number
  told_at: StampedTime
}

export interface TurnMailsTable {
  id: string
  room_id: string
  number: number
  email: string
  language: string
  asked_at: StampedTime
  told_at: NullableTime
}

export interface DeliveriesTable {
  id: Generated<string>
  position: number
  kind: 'mail' | 'webhook'
  webhook_id: Nullable<string>
  aggregateid: string
  attempts: Generated<number>
  due_at: StampedTime
  delivered_at: NullableTime
  given_up_at: NullableTime
  problem: Nullable<string>
}
