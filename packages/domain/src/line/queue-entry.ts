import type { EndReason, TicketState } from './ticket-state.ts'

/** A ticket, as the ledger stores it. */
export interface QueueEntry {
  roomId: string
  number: number
  identity: string
  userId: string | null
  /** 0 normal, 1 elevated, 2 VIP, 3 premium. */
  class: 0 | 1 | 2 | 3
  place: number
  state: TicketState
  reason: EndReason | null
  away: boolean
  generation: number
  epoch: number
  /** Fence of the latest admission; null before the first. */
  fence: { epoch: number; seq: number } | null
  joinedAt: Date
  admittedAt: Date | null
  enteredAt: Date | null
  deadline: Date | null
  endedAt: Date | null
  name: string | null
  avatar: string | null
  metadata: Record<string, unknown> | null
}
