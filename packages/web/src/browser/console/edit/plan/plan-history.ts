import { useRef } from 'preact/hooks'
import type { PlanType } from './plan.ts'

type Plan = readonly PlanType[]

/** As far back as one can go. A plan shares all rows that a step did not change, so a step is small. */
const STEPS_MAX = 200

/** Steps of editing that can be undone and done again. */
export function usePlanHistory(plan: Plan, onPlan: (plan: PlanType[]) => void) {
  const past = useRef<Plan[]>([])
  const future = useRef<Plan[]>([])
  const go = (from: { current: Plan[] }, to: { current: Plan[] }): void => {
    const next = from.current.at(-1)
    if (next === undefined) return
    from.current = from.current.slice(0, -1)
    to.current = [...to.current, plan]
    onPlan([...next])
  }
  return {
    canUndo: past.current.length > 0,
    canRedo: future.current.length > 0,
    change: (next: PlanType[]): void => {
      past.current = [...past.current, plan].slice(-STEPS_MAX)
      future.current = []
      onPlan(next)
    },
    /** Part of the step before, such as a row that is still being dragged. */
    amend: onPlan,
    undo: () => go(past, future),
    redo: () => go(future, past),
  }
}
