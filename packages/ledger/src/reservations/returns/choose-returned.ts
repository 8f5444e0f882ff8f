import type { SeatState } from '../../seat-map/index.ts'

/**
 * The free seats that a request is offered: all it asked for, of one type, side by side where a row has that many; null
 * when there are not enough. `free` is in the order of the plan.
 */
export function chooseReturned(
  free: readonly SeatState[],
  { seatTypeId, quantity }: { readonly seatTypeId: string | null; readonly quantity: number },
): readonly SeatState[] | null {
  const byType = Map.groupBy(free, (seat) => seat.seatTypeId)
  for (const [type, seats] of byType) {
    if (seatTypeId !== null && type !== seatTypeId) continue
    if (seats.length >= quantity) return sideBySide(seats, quantity) ?? seats.slice(0, quantity)
  }
  return null
}

function sideBySide(seats: readonly SeatState[], quantity: number): readonly SeatState[] | null {
  for (let first = 0; first + quantity <= seats.length; first += 1) {
    const some = seats.slice(first, first + quantity)
    if (some.every((seat, index) => index === 0 || isNext(some[index - 1], seat))) return some
  }
  return null
}

function isNext(left: SeatState | undefined, right: SeatState): boolean {
  if (left === undefined || left.number === null || right.number === null) return false
  return left.row === right.row && left.number + 1 === right.number
}
