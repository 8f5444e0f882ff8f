import type { SaleEvent } from './event.ts'

/** An event as every visitor may see it: hidden seat types are in no list and in no figure. Rule E26. */
export function publicEvent(event: SaleEvent): SaleEvent {
  const seatTypes = event.seatTypes.filter(({ hidden }) => !hidden)
  if (seatTypes.length === event.seatTypes.length) return event
  return {
    ...event,
    seatTypes,
    totalSeats: seatTypes.reduce((sum, type) => sum + type.totalQuantity, 0),
    remainingSeats: seatTypes.reduce((sum, type) => sum + type.remaining, 0),
  }
}
