/** Personal data that the ledger stores with a ticket. Only the visitor and the operator see it. */
export interface TicketProfile {
  /** Only of an account. */
  userId?: string | undefined
  /** Only of a guest. */
  guestId?: string | undefined
  name?: string | undefined
  avatar?: string | undefined
  address?: string | undefined
  userAgent?: string | undefined
  metadata?: Record<string, unknown> | undefined
}
