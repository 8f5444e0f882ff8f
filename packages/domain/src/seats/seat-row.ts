import type { SeatRow } from '../event/event.ts'

/** Where a seat is on the map of an event, in the unit of its plan. */
export interface SeatSpot {
  readonly x: number
  readonly y: number
}

type Numbered = Pick<SeatRow, 'seats' | 'numbers' | 'aisles'>
type Drawn = Numbered & Pick<SeatRow, 'x' | 'y' | 'seatPitch' | 'angle' | 'curve' | 'spots'>

/** The numbers of a row's seats, in the order in which they stand. Rule E43. */
export function numbersOf({ seats, numbers }: Pick<SeatRow, 'seats' | 'numbers'>): readonly number[] {
  return numbers?.slice(0, seats) ?? Array.from({ length: seats }, (_, index) => index + 1)
}

/** How far along the row each seat stands, counted in seats from 1: neighbours differ by 1, across an aisle by 2. */
export function alongOf(row: Numbered): readonly number[] {
  const aisles = new Set(row.aisles)
  let aislesBefore = 0
  return numbersOf(row).map((number, index) => {
    const along = index + 1 + aislesBefore
    if (aisles.has(number)) aislesBefore += 1
    return along
  })
}

/** Where the seats of a row are on the map; null for a row that does not say. Rule E44. */
export function spotsOf(row: Drawn): readonly SeatSpot[] | null {
  const { x, y, seatPitch = 1, angle = 0, curve = 0, spots } = row
  if (spots !== undefined) return spots.slice(0, row.seats).map((spot) => ({ x: spot[0], y: spot[1] }))
  if (x === undefined || y === undefined) return null
  const along = alongOf(row)
  const length = (along.at(-1) ?? 1) - 1
  const turn = length === 0 ? 0 : radians(curve) / length
  const start = radians(angle) - radians(curve) / 2
  return along.map((place) => {
    const { ahead, aside } = turn === 0 ? { ahead: place - 1, aside: 0 } : onArc(place - 1, turn)
    return {
      x: x + seatPitch * (ahead * Math.cos(start) - aside * Math.sin(start)),
      y: y + seatPitch * (ahead * Math.sin(start) + aside * Math.cos(start)),
    }
  })
}

/** After so many seats on an arc that turns by so much with each; it begins at 0, 0 and leads to the right. */
function onArc(seats: number, turn: number): { ahead: number; aside: number } {
  return { ahead: Math.sin(turn * seats) / turn, aside: (1 - Math.cos(turn * seats)) / turn }
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180
