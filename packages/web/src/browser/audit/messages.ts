import type { Head, PublicLogVerdict, Receipt } from '@seatwise/checker'

/** What the page asks its worker. */
export interface AuditQuestion {
  readonly room: string
  readonly roomId: string
  readonly heads: readonly Head[]
  readonly receipts: readonly Receipt[]
}

export type AuditAnswer =
  | { readonly kind: 'progress'; readonly checked: number; readonly all: number }
  | { readonly kind: 'verdict'; readonly verdict: PublicLogVerdict }
  | { readonly kind: 'broken' }
