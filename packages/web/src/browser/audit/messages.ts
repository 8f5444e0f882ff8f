import type { DrawVerdict, Head, PublicLogVerdict, Receipt } from '@seatwise/checker'

/** What the page asks its worker. */
export interface AuditQuestion {
  readonly room: string
  readonly roomId: string
  readonly heads: readonly Head[]
  readonly receipts: readonly Receipt[]
}

/** What the worker found; functions do not pass between threads. */
export interface AuditVerdict extends Omit<PublicLogVerdict, 'draw'> {
  /** `place`: the one that the visitor drew. */
  readonly draw: (Omit<DrawVerdict, 'placeOf'> & { readonly place: number | null }) | null
}

export type AuditAnswer =
  | { readonly kind: 'progress'; readonly checked: number; readonly all: number }
  | { readonly kind: 'verdict'; readonly verdict: AuditVerdict }
  | { readonly kind: 'broken' }
