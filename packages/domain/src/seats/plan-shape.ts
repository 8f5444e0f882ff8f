import { EVENT_LIMITS } from '../event/event.ts'
import { badField, requireText } from '../event/event-fields.ts'

/** The corners of a polygon on the map of an event, in the unit of its plan. */
export type Outline = [x: number, y: number][]

/** What a drawn part of a seat plan is that has no seats. */
export const SHAPE_KINDS = ['stage', 'aisle', 'other'] as const
export type ShapeKind = (typeof SHAPE_KINDS)[number]

/** A part of a seat plan that has no seats: the stage, an aisle, a pillar. Where visitors stand is the area of their seat type. */
export interface PlanShape {
  kind: ShapeKind
  /** What is written on it; a stage is called so in the visitor's language where it has no label. */
  label?: string
  outline: Outline
}

export function readShapes(shapes: readonly PlanShape[]): PlanShape[] {
  return shapes.map((shape, index) => {
    const field = `shapes/${index}`
    if (shape.label !== undefined) requireText(`${field}/label`, shape.label)
    requireOutline(`${field}/outline`, shape.outline)
    return shape
  })
}

/** Three corners that are not on one line: what encloses nothing can be neither seen nor tapped. Rule E221. */
export function requireOutline(field: string, outline: Outline): Outline {
  const { left, top, right, bottom } = boundsOf(outline)
  if (right - left < EVENT_LIMITS.outlineSide || bottom - top < EVENT_LIMITS.outlineSide) {
    throw badField(field, `must be at least ${EVENT_LIMITS.outlineSide} wide and high`)
  }
  return outline
}

function boundsOf(outline: Outline): { left: number; top: number; right: number; bottom: number } {
  const [across, down] = [outline.map(([x]) => x), outline.map(([, y]) => y)]
  return { left: Math.min(...across), right: Math.max(...across), top: Math.min(...down), bottom: Math.max(...down) }
}
