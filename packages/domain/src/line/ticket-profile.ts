/** What the ledger keeps beside a ticket. Nobody but the visitor and the operator ever sees it. */
export interface TicketProfile {
  /** Not of a guest. */
  userId?: string | undefined
  /** Not of an account. */
  guestId?: string | undefined
  name?: string | undefined
  avatar?: string | undefined
  address?: string | undefined
  userAgent?: string | undefined
  metadata?: Record<string, unknown> | undefined
}
