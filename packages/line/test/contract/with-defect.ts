import type { Line } from '../../src/index.ts'
import type { LineHarness } from './harness.ts'

/** The same line, but for what is given instead. */
export function withDefect(harness: LineHarness, defect: Partial<Line>): LineHarness {
  const line = new Proxy(harness.line, {
    get: (target, property) => Reflect.get(defect, property) ?? bound(target, property),
  })
  return { ...harness, line }
}

function bound(target: Line, property: string | symbol): unknown {
  const value: unknown = Reflect.get(target, property)
  return typeof value === 'function' ? value.bind(target) : value
}
