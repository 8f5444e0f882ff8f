import type { SaleEvent } from '@seatwise/domain'

export type SaleState = 'before' | 'open' | 'paused' | 'held' | 'sold-out' | 'ended'

/**
 * The state of a sale as a visitor sees it. The line and the ledger decide; this only describes. Seats that are
 * all held may come back: only the room knows whether everything is sold.
 */
export function saleState(event: SaleEvent, now: Date, isSoldOut: boolean): SaleState {
  if (now < event.salesStartAt) return 'before'
  if (now > event.salesEndAt) return 'ended'
  if (event.remainingSeats === 0) return isSoldOut ? 'sold-out' : 'held'
  return event.room.paused ? 'paused' : 'open'
}
