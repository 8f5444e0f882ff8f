import type { Generated } from 'kysely'
import type { Nullable, NullableTime, StampedTime } from './schema-columns.ts'

/** Answers by question, each with its question as it was asked. */
export type StoredAnswers = Record<string, { label: string; answer: string }>

/** What a buyer said about an order. */
export interface OrderAnswersTable {
  reservation_id: string
  answers: Generated<StoredAnswers>
  terms_url: Nullable<string>
  terms_accepted_at: NullableTime
  marketing: Generated<boolean>
  marketing_at: NullableTime
  marketing_words: Nullable<string>
  updated_at: StampedTime
}

/** What a buyer said about each ticket. */
export interface TicketAnswersTable {
  reservation_id: string
  seat_id: string
  name: Nullable<string>
  answers: Generated<StoredAnswers>
}
