import type { SeatsOfTickets } from '@seatwise/ledger'
import type { FloorItem, SettledClaim } from '@seatwise/line'

/** Floors are compared as far as this; what is beyond ends by its own deadline. */
export const FLOOR_MAX = 20_000

/** What the line has to hear about tickets on the floor. */
export function differences({ tickets, isComplete }: SeatsOfTickets, floor: readonly FloorItem[]): SettledClaim[] {
  const byNumber = new Map(tickets.map((seats) => [seats.number, seats]))
  return floor.flatMap(({ number, reservedSeats }) => {
    const seats = byNumber.get(number)
    // Nothing follows from missing in a list that was cut off: they would be promised a second seat.
    if (seats === undefined && !isComplete) return []
    if ((seats?.quantity ?? 0) === reservedSeats) return []
    return [{ operation: 'keep-in-step', number, reserved: seats ?? null }]
  })
}
