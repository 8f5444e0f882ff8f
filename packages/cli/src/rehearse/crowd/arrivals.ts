import { readFileSync } from 'node:fs'
import { UsedWrongly } from '../../command.ts'
import { seededRandom } from './seeded-random.ts'

/** How a crowd comes: most at once, more and more, evenly, or as it was written down somewhere else. */
export type ArrivalCurve = 'spike' | 'ramp' | 'steady' | { readonly file: string }

/**
 * When each visitor arrives, in milliseconds from the start, earliest first. Arrivals are random within the curve, and the
 * same for the same seed. No visitor waits for another visitor's answer before arriving.
 */
export function arrivalTimes(curve: ArrivalCurve, visitors: number, durationMs: number, seed: number): Float64Array {
  const random = seededRandom(seed, 1)
  const shapeOf = typeof curve === 'object' ? recorded(curve.file) : SHAPES[curve]
  const times = Float64Array.from({ length: visitors }, () => shapeOf(random()) * durationMs)
  return times.sort()
}

/** From an even share of the crowd to the share of the time at which it has come. */
const SHAPES = {
  /** Seven of ten come in the first tenth of the time, the others evenly over the rest. */
  spike: (share: number): number => (share < 0.7 ? (share / 0.7) * 0.1 : 0.1 + ((share - 0.7) / 0.3) * 0.9),
  /** Twice as many each second at twice the time. */
  ramp: (share: number): number => Math.sqrt(share),
  steady: (share: number): number => share,
} as const

/** A file with one arrival a line, in seconds; what comes first is a time, whatever stands behind a comma. */
function recorded(file: string): (share: number) => number {
  const seconds = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(',')[0]?.trim() ?? '')
    .filter((text) => text !== '' && !text.startsWith('#'))
    .map(Number)
    .sort((a, b) => a - b)
  const [first] = seconds
  const last = seconds.at(-1)
  if (first === undefined || last === undefined || seconds.some(Number.isNaN)) {
    throw new UsedWrongly(`${file} must have one arrival a line, in seconds`)
  }
  const span = Math.max(last - first, 1e-9)
  return (share) => ((seconds[Math.floor(share * seconds.length)] ?? last) - first) / span
}
