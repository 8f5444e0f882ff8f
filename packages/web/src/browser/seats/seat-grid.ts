import type { Camera, Size } from './camera.ts'
import type { Seat } from './seat-model.ts'

const CELL = 8
/** Seats closer than this lie on each other. */
const STACKED = 0.3

interface Cell {
  readonly column: number
  readonly row: number
  readonly seats: Seat[]
}

/** Finds seats by where they are, without looking at all of them. */
export class SeatGrid {
  /** Only cells that have seats: a plan may be spread over any area. */
  readonly #cells = new Map<string, Cell>()

  constructor(seats: readonly Seat[]) {
    for (const seat of seats) {
      const [column, row] = [cellOf(seat.x), cellOf(seat.y)]
      const key = keyOf(column, row)
      const cell = this.#cells.get(key)
      if (cell === undefined) this.#cells.set(key, { column, row, seats: [seat] })
      else cell.seats.push(seat)
    }
  }

  /** Everything on the screen, and a little around it. Never more steps than there are seats, however wide the view. */
  inView({ x, y, scale }: Camera, { width, height }: Size): Seat[] {
    const [firstColumn, lastColumn] = [cellOf(x - 1), cellOf(x + width / scale + 1)]
    const [firstRow, lastRow] = [cellOf(y - 1), cellOf(y + height / scale + 1)]
    const [columns, rows] = [lastColumn - firstColumn + 1, lastRow - firstRow + 1]
    const found: Seat[] = []
    const take = (cell: Cell | undefined): void => {
      if (cell !== undefined) for (const seat of cell.seats) found.push(seat)
    }
    if (columns * rows <= this.#cells.size) {
      for (let row = 0; row < rows; row += 1) {
        for (let column = 0; column < columns; column += 1)
          take(this.#cells.get(keyOf(firstColumn + column, firstRow + row)))
      }
      return found
    }
    // A wide view has more cells than the plan has seats: go through those that have some.
    for (const cell of this.#cells.values()) {
      const { column, row } = cell
      if (column >= firstColumn && column <= lastColumn && row >= firstRow && row <= lastRow) take(cell)
    }
    return found
  }

  /** The seat at a point of the map; a finger may miss it by `reach`. */
  at(x: number, y: number, reach: number): Seat | null {
    const near = this.inView({ x: x - reach, y: y - reach, scale: 1 }, { width: 2 * reach, height: 2 * reach })
    let best: Seat | null = null
    let bestDistance = Math.max(0.6, reach)
    for (const seat of near) {
      const distance = Math.hypot(seat.x - x, seat.y - y)
      if (distance < bestDistance) [best, bestDistance] = [seat, distance]
    }
    return best
  }

  /** The next seat in a direction: near, and rather straight ahead than to the side. */
  towards(from: Seat, dx: number, dy: number, seats: readonly Seat[]): Seat | null {
    // No direction leads from one seat to another in the same spot: the order of the plan does.
    const stacked = seats[from.index + Math.sign(dx + dy)]
    if (stacked !== undefined && Math.hypot(stacked.x - from.x, stacked.y - from.y) < STACKED) return stacked
    let best: Seat | null = null
    let bestCost = Infinity
    for (const seat of seats) {
      const [ahead, aside] = [
        (seat.x - from.x) * dx + (seat.y - from.y) * dy,
        Math.abs((seat.x - from.x) * dy) + Math.abs((seat.y - from.y) * dx),
      ]
      if (ahead < STACKED || aside > ahead * 3) continue
      const cost = ahead + 2 * aside
      if (cost < bestCost) [best, bestCost] = [seat, cost]
    }
    return best
  }
}

const cellOf = (coordinate: number): number => Math.floor(coordinate / CELL)
const keyOf = (column: number, row: number): string => `${column} ${row}`
