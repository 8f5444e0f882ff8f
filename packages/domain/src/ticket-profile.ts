/** What the ledger keeps beside a ticket. Nobody but the visitor and the operator ever sees it. */
export interface TicketProfile {
  /** Null for a guest. */
  userId: string | null
  /** Null for an account. */
  guestId: string | null
  name: string | null
  avatar: string | null
  address: string | null
  userAgent: string | null
  metadata: Record<string, unknown> | null
}
