import type { Nullable, StampedTime } from './schema-columns.ts'

/** The secrets of draws, and what became known of them. */
export interface RoomDrawsTable {
  room_id: string
  commitment: string
  sealed_secret: string
  sealed_with: string
  tree_size: Nullable<number>
  tree_root: Nullable<string>
  signature: Nullable<string>
  created_at: StampedTime
}

/** The final fairness reports of sales, as they were signed. */
export interface FairnessReportsTable {
  room_id: string
  at: StampedTime
  text: string
  kid: string
  note: string
}
