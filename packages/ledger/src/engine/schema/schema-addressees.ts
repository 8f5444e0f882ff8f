import type { Nullable, StampedTime } from './schema-columns.ts'

/** Who a reservation is for. */
export interface AddresseesTable {
  reservation_id: string
  email: string
  name: Nullable<string>
  language: Nullable<string>
  updated_at: StampedTime
}
