import type { SeatSpot } from '@seatwise/domain'
import { useState } from 'preact/hooks'
import { type Sketch, sketchBounds } from './sketch.ts'

/** The part of the plan that is shown. */
export interface View {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const ZOOM_STEP = 1.25
const MARGIN = 40
const STAGE = 40
/** So that few seats are not drawn as large as plates, and there is room to draw the first ones. */
const WIDTH_MIN = 720
const HEIGHT_MIN = 360
/** Closer than that shows less than a seat. */
const WIDTH_LEAST = 40

/** All of the plan until it is zoomed; then the part that was chosen, wherever rows are added. */
export function useView(sketch: Sketch) {
  const [chosen, setChosen] = useState<View | null>(null)
  const view = chosen ?? wholePlan(sketch)
  return {
    view,
    /** `at` stays where it is on the screen; without it the middle does. */
    zoom: (factor: number, at: SeatSpot | null) => setChosen(zoomed(view, factor, at)),
    /** Pixels, on a plan that is so many wide. False for the whole plan, which does not move. */
    pan: (by: SeatSpot, widthPx: number): boolean => {
      if (chosen === null) return false
      const unit = view.width / widthPx
      setChosen({ ...view, x: view.x + by.x * unit, y: view.y + by.y * unit })
      return true
    },
    /** Two fingers: what was between them stays between them. */
    pinch: (from: SeatSpot, to: SeatSpot, factor: number) => {
      const moved = { ...view, x: view.x + from.x - to.x, y: view.y + from.y - to.y }
      setChosen(zoomed(moved, factor, from))
    },
    fit: () => setChosen(null),
  }
}

function zoomed(view: View, factor: number, at: SeatSpot | null): View {
  const width = Math.max(WIDTH_LEAST, view.width / factor)
  const scale = width / view.width
  const { x, y } = at ?? { x: view.x + view.width / 2, y: view.y + view.height / 2 }
  return { x: x - (x - view.x) * scale, y: y - (y - view.y) * scale, width, height: view.height * scale }
}

function wholePlan(sketch: Sketch): View {
  const { left, right, top, bottom } = sketchBounds(sketch)
  if (!Number.isFinite(left)) return { x: -WIDTH_MIN / 2, y: -60, width: WIDTH_MIN, height: HEIGHT_MIN }
  const width = Math.max(WIDTH_MIN, right - left + 2 * MARGIN)
  const height = Math.max(HEIGHT_MIN, bottom - top + 2 * MARGIN + STAGE)
  return { x: (left + right - width) / 2, y: top - MARGIN - STAGE, width, height }
}
