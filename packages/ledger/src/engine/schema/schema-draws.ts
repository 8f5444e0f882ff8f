import type { StampedTime } from './schema-columns.ts'

/** The secrets of draws, and what became known of them. */
export interface RoomDrawsTable {
  room_id: string
  commitment: string
  sealed_secret: string
  sealed_with: string
  tree_size: number | null
  tree_root: string | null
  signature: string | null
  created_at: StampedTime
}
