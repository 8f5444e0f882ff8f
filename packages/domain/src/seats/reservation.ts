import type { ReservationState } from './reservation-state.ts'

export interface ReservationItem {
  seatId: string
  seatTypeId: string
  row: string | null
  number: number | null
  /** In minor units, as it was when the seat was reserved. */
  price: number
}

/** Seats kept for one buyer until a deadline. */
export interface Reservation {
  id: string
  eventId: string
  buyerId: string
  status: ReservationState
  items: ReservationItem[]
  amount: number
  currency: string
  expiresAt: Date
  paidAt: Date | null
  createdAt: Date
  updatedAt: Date
}
