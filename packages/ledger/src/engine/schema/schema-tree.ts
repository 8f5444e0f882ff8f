import type { Time } from './schema-columns.ts'

export interface LogNodesTable {
  room_id: string
  level: number
  position: number
  hash: Uint8Array
}

export interface LogHeadsTable {
  room_id: string
  size: number
  root: Uint8Array
  at: Time
  kid: string
  checkpoint: string
}
