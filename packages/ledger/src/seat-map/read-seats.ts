import { type Call, prepareStatement, type SeatStatus, type Transaction } from '../engine/index.ts'
import type { OpenSeatMap } from './seat-map.ts'

const READ_SEATS = prepareStatement(import.meta.url, 'read-seats.sql')
const READ_KEPT_SEATS = prepareStatement(import.meta.url, 'read-kept-seats.sql')

export interface SeatFact {
  readonly id: string
  readonly seatTypeId: string
  readonly status: SeatStatus
  readonly reservationId: string | null
  readonly heldUntil: Date | null
  readonly row: string | null
  readonly number: number | null
  /** The seat's place in the event's list. */
  readonly ordinal: number
}

/** The seats that reservations hold or own now. */
export async function readKeptSeats(transaction: Transaction, reservationIds: readonly string[]): Promise<SeatFact[]> {
  if (reservationIds.length === 0) return []
  const { statement, parameters } = keptSeatsToRead(reservationIds)
  return await transaction.run<SeatFact>(statement, parameters)
}

/** Calls read-kept-seats.sql. */
export function keptSeatsToRead(reservationIds: readonly string[]): Call {
  return { statement: READ_KEPT_SEATS, parameters: [reservationIds] }
}

export async function readSeats(map: OpenSeatMap, seatIds: readonly string[]): Promise<SeatFact[]> {
  const { statement, parameters } = seatsToRead(map.eventId, seatIds)
  return await map.transaction.run<SeatFact>(statement, parameters)
}

/** Calls read-seats.sql. */
export function seatsToRead(eventId: string, seatIds: readonly string[]): Call {
  return { statement: READ_SEATS, parameters: [eventId, seatIds] }
}
