import { useRef } from 'preact/hooks'
import type { Sketch } from './sketch.ts'

/** As far back as one can go. A plan shares all rows that a step did not change, so a step is small. */
const STEPS_MAX = 200

/** Steps of editing that can be undone and done again. */
export function usePlanHistory(sketch: Sketch, onSketch: (sketch: Sketch) => void) {
  const past = useRef<Sketch[]>([])
  const future = useRef<Sketch[]>([])
  const go = (from: { current: Sketch[] }, to: { current: Sketch[] }): void => {
    const next = from.current.at(-1)
    if (next === undefined) return
    from.current = from.current.slice(0, -1)
    to.current = [...to.current, sketch]
    onSketch(next)
  }
  return {
    canUndo: past.current.length > 0,
    canRedo: future.current.length > 0,
    change: (next: Sketch): void => {
      past.current = [...past.current, sketch].slice(-STEPS_MAX)
      future.current = []
      onSketch(next)
    },
    /** Part of the step before, such as a row that is still being dragged. */
    amend: onSketch,
    undo: () => go(past, future),
    redo: () => go(future, past),
  }
}

export type PlanHistory = ReturnType<typeof usePlanHistory>
