import type { Camera, Size } from './camera.ts'
import type { Seat } from './seat-model.ts'

const CELL = 8

/** Finds seats by where they are, without looking at all of them. */
export class SeatGrid {
  readonly #cells = new Map<string, Seat[]>()

  constructor(seats: readonly Seat[]) {
    for (const seat of seats) {
      const key = keyOf(Math.floor(seat.x / CELL), Math.floor(seat.y / CELL))
      const cell = this.#cells.get(key)
      if (cell === undefined) this.#cells.set(key, [seat])
      else cell.push(seat)
    }
  }

  /** Everything on the screen, and a little around it. */
  inView({ x, y, scale }: Camera, { width, height }: Size): Seat[] {
    const found: Seat[] = []
    const [firstColumn, lastColumn] = [Math.floor((x - 1) / CELL), Math.floor((x + width / scale + 1) / CELL)]
    const [firstRow, lastRow] = [Math.floor((y - 1) / CELL), Math.floor((y + height / scale + 1) / CELL)]
    for (let row = firstRow; row <= lastRow; row += 1) {
      for (let column = firstColumn; column <= lastColumn; column += 1) {
        const cell = this.#cells.get(keyOf(column, row))
        if (cell !== undefined) for (const seat of cell) found.push(seat)
      }
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
    let best: Seat | null = null
    let bestCost = Infinity
    for (const seat of seats) {
      const [ahead, aside] = [
        (seat.x - from.x) * dx + (seat.y - from.y) * dy,
        Math.abs((seat.x - from.x) * dy) + Math.abs((seat.y - from.y) * dx),
      ]
      if (ahead < 0.3 || aside > ahead * 3) continue
      const cost = ahead + 2 * aside
      if (cost < bestCost) [best, bestCost] = [seat, cost]
    }
    return best
  }
}

const keyOf = (column: number, row: number): string => `${column} ${row}`
