import type { SeatsOfTickets } from '@seatwise/ledger'
import type { FloorItem, SettledClaim } from '@seatwise/line'

/** The comparison reads at most this many tickets; those beyond it end by their own deadlines. */
export const FLOOR_MAX = 20_000

/** Corrections for the line about tickets on the floor. */
export function differences({ tickets, isComplete }: SeatsOfTickets, floor: readonly FloorItem[]): SettledClaim[] {
  const byNumber = new Map(tickets.map((seats) => [seats.number, seats]))
  return floor.flatMap(({ number, reservedSeats }) => {
    const seats = byNumber.get(number)
    // Absence from a truncated list proves nothing: these tickets would be promised a second seat.
    if (seats === undefined && !isComplete) return []
    if ((seats?.quantity ?? 0) === reservedSeats) return []
    return [{ operation: 'keep-in-step', number, reserved: seats ?? null }]
  })
}
