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

/** Who was let in through which door, and what devices decided that had no connection. */
export interface DoorScansTable {
  id: string
  event_id: string
  eticket_id: string
  door: Nullable<string>
  scanned_by: string
  scanned_at: Time
  received_at: StampedTime
  outcome: 'in' | 'conflict' | 'void'
}
