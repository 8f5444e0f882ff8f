import type { Generated } from 'kysely'
import type { Nullable, NullableTime, StampedTime } from './schema-columns.ts'

/** Discounts, and access to what is not public. */
export interface CodesTable {
  id: string
  event_id: string
  code: string
  code_key: string
  percent: Nullable<number>
  amount_off: Nullable<number>
  price: Nullable<number>
  access: Generated<boolean>
  seat_type_ids: Nullable<string[]>
  uses_max: Nullable<number>
  per_buyer_max: Nullable<number>
  valid_from: NullableTime
  valid_until: NullableTime
  ended_at: NullableTime
  /** Follows the reservations by itself. */
  uses: Generated<number>
  created_at: StampedTime
}
