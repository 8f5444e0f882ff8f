import type { StampedTime } from './schema-columns.ts'

export interface ConnectorsTable {
  room_id: string
  kind: 'known-user-v3'
  customer_id: string
  event_id: string
  sealed_secret: string
  sealed_with: string
  created_at: StampedTime
}
