import type { HostFace } from '@seatwise/domain'
import type { Generated } from 'kysely'
import type { Nullable, NullableTime, StampedTime } from './schema-columns.ts'

export type PurchaseStatus = 'PROCESSING' | 'PAID' | 'DECLINED' | 'PARTLY_REFUNDED' | 'REFUNDING' | 'REFUNDED' | 'STUCK'

/** Who sells, as far as receipts need it. */
export interface OrganizationsTable {
  id: string
  name: string
  address: Generated<string>
  tax_number: Generated<string>
  receipts_issued: Generated<number>
  created_at: StampedTime
  stripe_account: Nullable<string>
  slug: Generated<string>
  about: Generated<string>
  website: Nullable<string>
  colour: Nullable<string>
  face: Generated<HostFace>
}

export interface PurchasesTable {
  id: string
  reservation_id: string
  provider: string
  provider_ref: Nullable<string>
  status: PurchaseStatus
  amount: number
  currency: string
  captured: Generated<number>
  refunded: Generated<number>
  actor_id: Nullable<string>
  operation_key: Nullable<string>
  reason: Nullable<string>
  asked_at: NullableTime
  provider_order: Nullable<unknown>
  paid_at: NullableTime
  receipt_number: Nullable<number>
  credited: Generated<number>
  kept: Generated<number>
  created_at: StampedTime
  updated_at: StampedTime
}

export interface ReceiptsTable {
  organization_id: string
  number: number
  purchase_id: string
  kind: 'receipt' | 'credit_note'
  amount: number
  currency: string
  seller: unknown
  issued_at: Date
  lines: Generated<unknown>
  tax: Generated<number>
  fees: Generated<number>
  buyer: Generated<unknown>
  event_id: Nullable<string>
  event: Generated<unknown>
  provider: Generated<string>
  refund_id: Nullable<string>
}

/** What the provider keeps of a payment; null until it says so. */
export interface ProviderChargesTable {
  purchase_id: string
  amount: Nullable<number>
  currency: Nullable<string>
  asked_at: StampedTime
  tries: Generated<number>
}
