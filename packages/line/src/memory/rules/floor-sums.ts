import type { Room, Take } from '../state/room.ts'

/**
 * Changes what one ticket has on the floor or has taken, and keeps the room's sums in step: who has no reservation, who
 * is promised a seat, and what takes may still cost. The only way in which these move.
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
 * What takes of one ticket may cost together: what the largest asks for, beyond the least that the ticket may have by
 * then. Any of them may be committed already, and the seats it gave back be counted in the stock. Rule M22.
 */
export function costOf(takes: readonly Take[], reservedSeats: number): number {
  if (takes.length === 0) return 0
  const quantities = takes.map(({ quantity }) => quantity)
  return Math.max(...quantities) - Math.min(reservedSeats, ...quantities)
}

/** A ticket on the floor without seats, or about to give its seats back. A take stands for the promise. Rule M25. */
export function isPromised(takes: readonly Take[], reservedSeats: number): boolean {
  return takes.length === 0 ? reservedSeats === 0 : takes.some(({ quantity }) => quantity === 0)
}
