import type { ColumnType, Generated } from 'kysely'
import type { Nullable, NullableTime, StampedTime, Time } from './schema-columns.ts'

export interface EticketsTable {
  id: Generated<string>
  reservation_id: string
  seat_id: string
  event_id: string
  /** Follows the reservation by itself. */
  reservation_status: ColumnType<'PAID' | 'REFUNDED', 'PAID' | undefined, never>
  issued_at: StampedTime
  checked_in_at: NullableTime
  checked_in_by: Nullable<string>
  short_code: Generated<string>
  /** From the decision to refund its seat on. */
  voided_at: NullableTime
  /** Null until it was transferred: the buyer of the reservation has it. */
  holder_id: Nullable<string>
  generation: Generated<number>
}

export type MailLinkKind = 'invitation' | 'order' | 'transfer' | 'return' | 'offer'

export interface MailLinksTable {
  token_hash: string
  kind: MailLinkKind
  subject_id: string
  created_at: StampedTime
  check_at: StampedTime
}

export interface TransfersTable {
  id: string
  eticket_id: string
  from_id: string
  email: string
  language: Nullable<string>
  status: Generated<'open' | 'accepted' | 'withdrawn'>
  accepted_by: Nullable<string>
  created_at: StampedTime
  ended_at: NullableTime
}

export type ReturnStatus = 'unconfirmed' | 'waiting' | 'offered' | 'served' | 'lapsed' | 'left'

export interface ReturnRequestsTable {
  id: string
  event_id: string
  email: string
  email_key: string
  language: Nullable<string>
  seat_type_id: Nullable<string>
  quantity: number
  status: Generated<ReturnStatus>
  asked_at: StampedTime
  confirmed_at: NullableTime
}

export interface OffersTable {
  id: string
  request_id: string
  event_id: string
  reservation_id: string
  made_at: Time
  expires_at: Time
  accepted_by: Nullable<string>
  ended_at: NullableTime
}
