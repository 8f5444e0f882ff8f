/** What a seat cost its buyer, and how much of that are fees. */
export interface RefundableSeat {
  readonly seatId: string
  readonly paid: number
  readonly fees: number
}

export interface RefundPlan {
  /** What goes back. */
  readonly amount: number
  /** Fees of these seats that stay. */
  readonly kept: number
}

/**
 * What goes back for some seats of an order. Each seat's share is whole minor units and fixed since the order was priced, so
 * that nothing is rounded here: in whatever order seats are refunded, `amount` and `kept` of all of them together are what was
 * paid. Rule B131.
 */
export function planRefund(seats: readonly RefundableSeat[], { keepFees }: { keepFees: boolean }): RefundPlan {
  const paid = seats.reduce((sum, seat) => sum + seat.paid, 0)
  const kept = keepFees ? seats.reduce((sum, seat) => sum + seat.fees, 0) : 0
  return { amount: paid - kept, kept }
}
