import type { GeneratedAlways } from 'kysely'
import type { Nullable, StampedTime, Time } from './schema-columns.ts'

/** What the till says of a purchase. */
export interface DoorSalesTable {
  purchase_id: string
  event_id: string
  seller_id: string
  method: 'cash' | 'terminal' | 'complimentary'
  amount: number
  currency: string
  seats: number
  sold_at: Time
}

export interface DoorPayoutsTable {
  id: GeneratedAlways<number>
  purchase_id: string
  amount: number
  paid_by: Nullable<string>
  paid_at: Time
}

export interface TicketResendsTable {
  id: GeneratedAlways<number>
  purchase_id: string
  asked_by: string
  asked_at: StampedTime
}
