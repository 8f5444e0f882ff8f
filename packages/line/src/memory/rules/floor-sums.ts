import type { Room, Take } from '../state/room.ts'

/**
 * Changes a ticket's floor record or its takes, and keeps the room's sums consistent: tickets without a reservation,
 * tickets that are promised a seat, and seats that takes may still cost. The sums change nowhere else.
 */
export function withSums(room: Room, number: number, change: () => void): void {
  count(room, number, -1)
  change()
  count(room, number, 1)
}

function count(room: Room, number: number, sign: 1 | -1): void {
  const takes = room.takes.get(number) ?? []
  const floor = room.tickets.get(number)?.floor ?? null
  room.taken += sign * costOf(takes, floor?.reservedSeats ?? 0)
  if (floor === null) return
  if (floor.reservedSeats === 0) room.unreserved += sign
  if (isPromised(takes, floor.reservedSeats)) room.promised += sign
}

/**
 * What the takes of one ticket may cost together: the seats of the largest minus the fewest seats the ticket may have by
 * then. Any of them may be committed already, and the seats it gave back counted in the stock. Rule M22.
 */
export function costOf(takes: readonly Take[], reservedSeats: number): number {
  if (takes.length === 0) return 0
  const quantities = takes.map(({ quantity }) => quantity)
  return Math.max(...quantities) - Math.min(reservedSeats, ...quantities)
}

/** Whether a ticket on the floor is promised a seat: it has none, or is about to give its seats back. A take of its own replaces the promise. Rule M25. */
export function isPromised(takes: readonly Take[], reservedSeats: number): boolean {
  return takes.length === 0 ? reservedSeats === 0 : takes.some(({ quantity }) => quantity === 0)
}
