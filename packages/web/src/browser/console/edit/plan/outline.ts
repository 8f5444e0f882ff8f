import type { SeatSpot } from '@seatwise/domain'

/** The corners of a shape on the plan. Every function returns a new one. */
export type Corners = readonly SeatSpot[]

export const FORMS = ['rectangle', 'ellipse', 'half'] as const
/** What a shape looks like when it is drawn; afterwards its corners alone say so. */
export type Form = (typeof FORMS)[number]

export interface Frame {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** As many as make a circle look round. */
const ROUND_CORNERS = 32
/** Coordinates are kept to a hundredth: an eye sees no more, and a plan stays small. */
const GRAIN = 100

export function cornersIn({ x, y, width, height }: Frame, form: Form): Corners {
  if (form === 'rectangle') {
    const [right, bottom] = [x + width, y + height]
    return [
      { x, y },
      { x: right, y },
      { x: right, y: bottom },
      { x, y: bottom },
    ]
  }
  // The half is round below, as the edge of most stages.
  const [turn, radiusY, middleY] = form === 'half' ? [Math.PI, height, y] : [2 * Math.PI, height / 2, y + height / 2]
  const steps = form === 'half' ? ROUND_CORNERS - 1 : ROUND_CORNERS
  const corners = Array.from({ length: ROUND_CORNERS }, (_unused, index) => {
    const angle = (index / steps) * turn
    return { x: x + (width / 2) * (1 + Math.cos(angle)), y: middleY + radiusY * Math.sin(angle) }
  })
  return corners.map(rounded)
}

export function frameOf(corners: Corners): Frame {
  const [across, down] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  const [x, y] = [Math.min(...across), Math.min(...down)]
  return { x, y, width: Math.max(...across) - x, height: Math.max(...down) - y }
}

export function moveCorners(corners: Corners, by: SeatSpot): Corners {
  return corners.map(({ x, y }) => rounded({ x: x + by.x, y: y + by.y }))
}

/** Into another frame: its size and place change, its form does not. */
export function fitCorners(corners: Corners, to: Frame): Corners {
  const from = frameOf(corners)
  const [wide, high] = [to.width / from.width, to.height / from.height]
  return corners.map(({ x, y }) => rounded({ x: to.x + (x - from.x) * wide, y: to.y + (y - from.y) * high }))
}

export function turnCorners(corners: Corners, middle: SeatSpot, degrees: number): Corners {
  return corners.map((corner) => rounded(turnAround(corner, middle, degrees)))
}

export function mirrorCorners(corners: Corners, middle: SeatSpot): Corners {
  return corners.map(({ x, y }) => rounded({ x: 2 * middle.x - x, y })).reverse()
}

/** One corner elsewhere. */
export function bendCorners(corners: Corners, index: number, to: SeatSpot): Corners {
  return corners.map((corner, place) => (place === index ? rounded(to) : corner))
}

/** One corner more, after this one, in the middle of the side that begins there. */
export function addCorner(corners: Corners, after: number): Corners {
  const [from, to] = [corners[after], corners[(after + 1) % corners.length]]
  if (from === undefined || to === undefined) return corners
  const middle = rounded({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 })
  return [...corners.slice(0, after + 1), middle, ...corners.slice(after + 1)]
}

export function turnAround({ x, y }: SeatSpot, middle: SeatSpot, degrees: number): SeatSpot {
  const angle = (degrees * Math.PI) / 180
  const [dx, dy] = [x - middle.x, y - middle.y]
  return {
    x: middle.x + dx * Math.cos(angle) - dy * Math.sin(angle),
    y: middle.y + dx * Math.sin(angle) + dy * Math.cos(angle),
  }
}

const rounded = ({ x, y }: SeatSpot): SeatSpot => ({
  x: Math.round(x * GRAIN) / GRAIN,
  y: Math.round(y * GRAIN) / GRAIN,
})
