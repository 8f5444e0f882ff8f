import type { Generated } from 'kysely'
import type { Nullable, NullableTime, StampedTime } from './schema-columns.ts'

export type RefundProgress = 'PENDING' | 'DONE'

export interface RefundsTable {
  id: string
  purchase_id: string
  number: number
  seat_ids: string[]
  amount: number
  kept: Generated<number>
  state: Generated<RefundProgress>
  reason: string
  refused: Nullable<string>
  actor_id: Nullable<string>
  operation_key: Nullable<string>
  credit_number: Nullable<number>
  asked_at: NullableTime
  created_at: StampedTime
  done_at: NullableTime
}

/** What the sandbox sent back, in its own books. */
export interface SandboxRefundsTable {
  key: string
  ref: string
  amount: number
  created_at: StampedTime
}

export interface CancellationsTable {
  event_id: string
  operation: string
  message: string
  cancelled_by: string
  state: Generated<'RUNNING' | 'DONE'>
  line_told_at: NullableTime
  leased_until: StampedTime
  differences: Nullable<number>
  created_at: StampedTime
  done_at: NullableTime
}

export interface CancelledOrdersTable {
  purchase_id: string
  event_id: string
  state: Generated<'WAITING' | 'REFUNDED' | 'FAILED'>
  attempts: Generated<number>
  due_at: StampedTime
  problem: Nullable<string>
  told_at: NullableTime
}
