import { percentOf } from './percent.ts'

/** What a seat cost its buyer, and how much of that are fees. */
export interface RefundableSeat {
  readonly seatId: string
  readonly paid: number
  readonly fees: number
}

/** What an organiser keeps of each seat that a buyer gives back: so much, and so many percent of what it cost. */
export interface RefundFee {
  readonly perTicket: number
  readonly percent: number
  /** The fees of the order stay, too; then the percentage is of the rest. */
  readonly keepFees: boolean
}

export interface RefundPlan {
  /** What goes back. */
  readonly amount: number
  /** What stays of these seats: their fees, the fee for refunding them, or both. */
  readonly kept: number
}

/**
 * What goes back for some seats of an order. Each seat's share is whole minor units and fixed since the order was priced, and
 * what stays of a seat follows from that seat alone, rounded once: so in whatever order seats are refunded, `amount` and `kept`
 * of all of them together are what was paid. Rules B131 and B146.
 */
export function planRefund(
  seats: readonly RefundableSeat[],
  { keepFees = false, fee = null }: { readonly keepFees?: boolean; readonly fee?: RefundFee | null },
): RefundPlan {
  const paid = seats.reduce((sum, seat) => sum + seat.paid, 0)
  const kept = seats.reduce((sum, seat) => sum + keptOf(seat, keepFees, fee), 0)
  return { amount: paid - kept, kept }
}

/** Never more than what the seat cost. */
function keptOf({ paid, fees }: RefundableSeat, keepFees: boolean, fee: RefundFee | null): number {
  const stays = keepFees || fee?.keepFees === true ? fees : 0
  if (fee === null) return stays
  return Math.min(paid, stays + fee.perTicket + percentOf(paid - stays, fee.percent))
}
