import type { SaleEvent } from '@seatwise/domain'

export type SaleState = 'before' | 'open' | 'paused' | 'sold-out' | 'ended'

/** How a sale stands for somebody who looks at it. The line and the ledger decide; this only describes. */
export function saleState(event: SaleEvent, now: Date): SaleState {
  if (now < event.salesStartAt) return 'before'
  if (now > event.salesEndAt) return 'ended'
  if (event.remainingSeats === 0) return 'sold-out'
  return event.room.paused ? 'paused' : 'open'
}
