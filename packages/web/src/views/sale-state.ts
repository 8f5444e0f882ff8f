import type { SaleEvent } from '@seatwise/domain'

export type SaleState = 'before' | 'open' | 'paused' | 'held' | 'sold-out' | 'ended'

/**
 * How a sale stands for somebody who looks at it. The line and the ledger decide; this only describes. Seats that are
 * all in somebody's hands may come back: whether everything is sold, the room knows.
 */
export function saleState(event: SaleEvent, now: Date, isSoldOut: boolean): SaleState {
  if (now < event.salesStartAt) return 'before'
  if (now > event.salesEndAt) return 'ended'
  if (event.remainingSeats === 0) return isSoldOut ? 'sold-out' : 'held'
  return event.room.paused ? 'paused' : 'open'
}
