import type { PriceLine } from '../prices/price-lines.ts'
import type { ReservationState } from './reservation-state.ts'

export interface ReservationItem {
  seatId: string
  seatTypeId: string
  row: string | null
  number: number | null
  /** In minor units, as it was when the seat was reserved. */
  price: number
  variantId: string | null
  /** Its share of all lines; those of all seats together are the amount. */
  paid: number
}

/** Seats kept for one buyer until a deadline. */
export interface Reservation {
  id: string
  eventId: string
  buyerId: string
  status: ReservationState
  items: ReservationItem[]
  /** As they were when the seats were reserved; together they are the amount. */
  lines: readonly PriceLine[]
  /** Contained in the amount. */
  tax: number
  amount: number
  currency: string
  expiresAt: Date
  paidAt: Date | null
  createdAt: Date
  updatedAt: Date
}
