import type { Nullable } from './schema-columns.ts'

export interface HandoverCodesTable {
  room_id: string
  ticket_number: number
  code_hash: string
  identity: string
  generation: number
  owner_id: string
  is_guest: boolean
  expires_at: Date
  used_by: Nullable<string>
}

export interface SaleSessionsTable {
  session_id: string
  room_id: string
  owner_id: string
  forget_at: Date
}
